"""Which values a message asks for: each part of a question is heard as the one parameter whose names fit it best.

    message    "Got it. I need: 1. the tag id 2. when it starts, and is it for you or for a guest?"
    parts      "the tag id" | "when it starts" | "is it for you" | "for a guest"

Parameters that are not wanted compete too: a question for one of them is not answered with another. What fits nothing,
or several alike, is not heard at all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from callwright.catalog.slot_names import (
    Keys,
    SlotNames,
    abbreviates,
    asked_types,
    covered_by,
    is_abbreviation,
    is_filler,
    is_generic,
    is_identifier,
    keys_of,
    names_of_slot,
)
from callwright.catalog.slots import Slot
from callwright.lang.english import is_plural
from callwright.lang.tokens import words
from callwright.papers.diaforge.question_patterns import QUESTION, SAID_AS

_CLOSING = frozenset("of for on in with to from at by about into under as".split())


class Word(NamedTuple):
    """One word of a part of a question."""

    said: str
    keys: Keys
    weight: float
    """How much it counts: a noun more than what stands before it or, behind a preposition, after it."""
    before: Keys = ()
    """The word that it stands behind, if any."""
    joined: bool = False
    """Whether it is two words written as one."""


class Part(NamedTuple):
    """One part of a question."""

    words: tuple[Word, ...]
    types: frozenset[int]
    """Its question words, as `asked_types` numbers them."""
    keys: frozenset[str]
    """Of all its words."""


class AskedValues(NamedTuple):
    """The parameters that a message asks for, as positions in the order of the message."""

    places: tuple[int, ...] = ()
    surely: bool = False
    """Whether each was called by a whole name."""


_MODIFIER = 0.65
"""Weight of a word before a noun: `project` in `the project name`."""
_COMPLEMENT = 0.5
"""Weight of a word behind a preposition: `tag` in `the name of the tag`."""
_BESIDE = 0.55
"""Weight of a word behind `which noun should`."""
_RAISED = 0.8
"""Weight of a word before a noun that is no parameter's: `email` in `email address`."""
_JOINED = 1.1
"""Weight of two words said as one: `mt4 username` is no other `username`."""
_SYNONYM = 0.7
_SHORTENED = 0.8
ENOUGH = 0.6
"""Fit from which on a parameter is heard."""
_ALIKE = 0.06
"""Difference of fits that says nothing."""


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a message; a list belongs to the sentence before it."""
    found = list[str]()
    for part in QUESTION["sentence"].findall(
        QUESTION["marks"].sub("", QUESTION["item"].sub("\n;", QUESTION["dot"].sub("·", text)))
    ):
        if found and part.lstrip().startswith(";"):
            found[-1] += part
        elif part.strip():
            found.append(part)
    return tuple(found)


@lru_cache(maxsize=4096)
def is_question(sentence: str) -> bool:
    """Whether a sentence asks for anything."""
    return QUESTION["request"].search(sentence) is not None


@lru_cache(maxsize=8192)
def parts_of(sentence: str) -> tuple[Part, ...]:
    """Return the parts of a question, without what it is asked for and without examples."""
    marker = QUESTION["marker"].search(sentence)
    if marker and has_content(sentence[marker.end() :]) and not QUESTION["yes_no"].match(sentence):
        is_fronted = _FRONTED.fullmatch(sentence[: marker.start()])  # `created after which date`
        sentence = sentence if is_fronted else sentence[marker.start() :]
    text = QUESTION["purpose"].sub("", QUESTION["example"].sub(" ", sentence)).replace("·", ".")
    for pattern, said in SAID_AS:
        text = pattern.sub(said, text)
    parts = (_part(_words_of(part), asked_types(part)) for part in QUESTION["parts"].split(text))
    return tuple(part for part in parts if part.words or part.types)


def _part(said: tuple[Word, ...], types: frozenset[int]) -> Part:
    return Part(said, types, frozenset(key for word in said for key in word.keys))


@lru_cache(maxsize=8192)
def has_content(text: str) -> bool:
    """Whether a text names anything."""
    return not all(map(is_filler, words(text)))


def _words_of(part: str) -> tuple[Word, ...]:
    sides = {group.lower() for match in QUESTION["side"].finditer(part) for group in match.groups() if group}
    found: list[Word] = []
    before, weight = "", 1.0
    focus = QUESTION["focus"].match(part)
    rest = len(words(part[focus.end() :])) if focus and has_content(focus[1]) else -1
    said = words(part)
    for place, word in enumerate(said):
        if len(said) - place == rest:
            before, weight = "", _BESIDE
        if word not in sides and is_filler(word):
            if found and word in _CLOSING and weight != _BESIDE:
                weight = _COMPLEMENT  # behind a preposition that follows a noun: `the name of the tag`
            before = ""
            continue
        behind = keys_of(before) if before and word not in sides else ()
        if behind and weight != _BESIDE and not word.endswith(("ed", "ing")):  # `which company received it`
            found[-1] = found[-1]._replace(weight=found[-1].weight * _MODIFIER)
            found.append(Word(before + word, keys_of(before + word), _JOINED * weight, behind, joined=True))
        found.append(Word(word, keys_of(word), weight, behind))
        before = word
    return tuple(found)


def asked(text: str, slots: Sequence[Slot], open_: Sequence[bool]) -> AskedValues:
    """Return which of the `slots` a message asks for; those that are not `open_` are only told apart from others."""
    hearer = _hearer(tuple(slots), tuple(open_))
    found: dict[int, float] = {}
    for sentence in sentences(text):
        if is_question(sentence):
            for place, fit in hearer.asked_in(sentence):
                found[place] = max(found.get(place, 0.0), fit)
    return AskedValues(tuple(found), bool(found) and min(found.values()) >= 1)


@lru_cache(maxsize=1024)
def _hearer(slots: tuple[Slot, ...], open_: tuple[bool, ...]) -> _Hearer:
    names = [names_of_slot(slot) for slot in slots]
    counts = Counter(key for one, is_open in zip(names, open_, strict=True) if is_open for key in one.stems)
    wanted = [one for one, is_open in zip(names, open_, strict=True) if is_open]
    own = frozenset(keys[0] for one in wanted for phrase in one.phrases for keys in phrase)
    alone = frozenset(p[0][0] for one in names for p in one.phrases if len(p) == 1)
    return _Hearer(names, open_, counts, own, tuple(sorted(filter(is_abbreviation, own))), alone)


class _Hearer(NamedTuple):
    """The parameters among which a question is heard."""

    names: Sequence[SlotNames]
    open_: Sequence[bool]
    counts: Counter[str]
    """How many of the open ones have a stem in their names."""
    stems: frozenset[str]
    """Of all their names."""
    short: tuple[str, ...]
    """Those that are abbreviations."""
    alone: frozenset[str]
    """Those that are a whole name."""

    def asked_in(self, sentence: str) -> list[tuple[int, float]]:
        """The parameters that a sentence asks for, with their fits."""
        parts = [self._with_known_head(self._with_known_words(part)) for part in parts_of(sentence)]
        fits_of = [self._of_side([self._fit(one, part) for one in self.names], part) for part in parts]
        named = [self._best(fits, part, parts.count(part)) for fits, part in zip(fits_of, parts, strict=True)]
        listed = self._listed(
            parts if _OR.search(sentence) else [p for p, own in zip(parts, named, strict=True) if not own]
        )
        if both := {place for own in named for place, _ in own}.intersection(listed):
            listed = sorted(both)
        options = frozenset[str]().union(*(own for place in listed for own in self.names[place].options))
        found = [(place, 1.0) for place in listed]
        for part, own in zip(parts, named, strict=True):
            if options.isdisjoint(part.keys):
                found += [one for one in own if one[1] >= 1 or not listed]
        taken = {place for place, _ in found}
        for part, own, all_fits in zip(parts, named, fits_of, strict=True):
            if not own and options.isdisjoint(part.keys):
                fits = [0.0 if place in taken else fit for place, fit in enumerate(all_fits)]
                alike = sum(one.types == part.types and not got for one, got in zip(parts, named, strict=True))
                heard = self._best(fits, part) or self._by_type(part, taken, alike)
                found += heard
                taken.update(place for place, _ in found)
        if found or not parts:
            return found
        whole = _part(tuple(w for part in parts for w in part.words), frozenset().union(*(p.types for p in parts)))
        return self._best([self._loose_fit(one, whole) for one in self.names], whole)

    def _with_known_words(self, part: Part) -> Part:
        """The part, where a word of a name is no synonym for others, and an abbreviated word is its abbreviation."""
        return _part(tuple(word._replace(keys=self._known_keys(word)) for word in part.words), part.types)

    def _known_keys(self, word: Word) -> Keys:
        if word.keys[0] in self.stems:
            return word.keys if is_generic(word.keys) else word.keys[:2]
        short = [one for one in self.short if abbreviates(one, word.said)]
        return (short[0],) if len(short) == 1 else word.keys

    def _with_known_head(self, part: Part) -> Part:
        """The part, where a noun is no parameter's: what stands before it, or behind `of`, counts for more."""
        heads = [word for word in part.words if word.weight == 1 and not word.joined]
        unknown = [word for word in heads if not self._is_known(word.keys)]
        raised = {word.before[0] for word in unknown if word.before}
        raised |= {word.before[0] for word in heads if word.before and word.before[0] in self.alone}
        if heads and len(unknown) == len(heads) and not any(is_identifier(word.keys) for word in heads):
            raised |= {word.keys[0] for word in part.words if word.weight == _COMPLEMENT}
        return part._replace(words=tuple(_raised(w) if w.keys[0] in raised else w for w in part.words))

    def _is_known(self, keys: Keys) -> bool:
        """Whether a noun is one that a name ends in; an identifier says nothing of what it is of."""
        return not is_identifier(keys) and (is_generic(keys) or any(keys[0] in names.heads for names in self.names))

    def _of_side(self, fits: list[float], part: Part) -> list[float]:
        """The fits, without those of other sides: `to which calendar` is no calendar where there is a destination."""
        sides = frozenset(key for word in part.words if word.said in ("from", "to") for key in word.keys)
        content = part.keys - sides
        sided = [bool(self.open_[p] and sides & one.keys and content & one.known) for p, one in enumerate(self.names)]
        return [fit * is_of_side for fit, is_of_side in zip(fits, sided, strict=True)] if any(sided) else fits

    def _listed(self, parts: Sequence[Part]) -> list[int]:
        """The parameters of which two listed values are offered."""
        heard = frozenset[str]().union(*(part.keys for part in parts))
        named = [sum(not own.isdisjoint(heard) for own in one.options) for one in self.names]
        return [place for place, count in enumerate(named) if count >= 2]

    def _best(self, fits: Sequence[float], part: Part, times: int = 1) -> list[tuple[int, float]]:
        """The parameter that fits best, if it fits enough and no other as well; of two alike the one still open.

        Several where one word covers them, they are asked for in the plural (`the dates`), or they are called the same
        and asked for as many `times`.
        """
        near = [place for place, fit in enumerate(fits) if fit >= ENOUGH and fit > max(fits) - _ALIKE]
        near = [place for place in near if self.open_[place]] or near
        if (len(near) != 1 or fits[near[0]] < 1) and (covered := self._covered(part)):
            return covered
        return [(place, fits[place]) for place in near] if len(near) in (1, times) else self._in_plural(part)

    def _by_type(self, part: Part, taken: Collection[int], times: int) -> list[tuple[int, float]]:
        """The open parameters, of those not asked for yet, that the question word fits: one, or as many as `times`."""
        fitting = [p for p, one in enumerate(self.names) if part.types & one.asks and p not in taken]
        if not all(self.open_[place] for place in fitting):
            return []
        is_pair = len(fitting) == 2 and {"date", "time"} <= self.names[fitting[0]].stems ^ self.names[fitting[1]].stems
        return [(place, ENOUGH) for place in fitting] if len(fitting) in (1, times) or is_pair else []

    def _covered(self, part: Part) -> list[tuple[int, float]]:
        """The open parameters that one word covers, if it names none: the street and the city of `the address`."""
        heads = [word.keys[0] for word in part.words if word.weight > _MODIFIER and not word.joined]
        group = covered_by(heads[-1]) if heads else frozenset()
        wanted = (one for one, is_open in zip(self.names, self.open_, strict=True) if is_open)
        called = (p for one in wanted for p in one.phrases if p[-1][0] == heads[-1])
        if not group or any(group.isdisjoint(keys[0] for keys in phrase) for phrase in called):
            return []
        found = [place for place, one in enumerate(self.names) if self.open_[place] and group & one.stems]
        return [(place, ENOUGH) for place in found] if len(found) > 1 else []

    def _in_plural(self, part: Part) -> list[tuple[int, float]]:
        """The open parameters that a part names by one word in the plural."""
        plurals = {word.keys[0] for word in part.words if is_plural(word.said)}
        found = [place for place, one in enumerate(self.names) if self.open_[place] and plurals & one.heads]
        return [(place, ENOUGH) for place in found] if len(found) > 1 else []

    def _fit(self, names: SlotNames, part: Part) -> float:
        """How well a part of a question fits one parameter: above 1 where it says one of its names."""
        if part.keys.isdisjoint(names.keys):
            return 0.0
        heard: dict[str, float] = {}
        for word in part.words:
            weight = word.weight
            is_other = word.before and names.known.isdisjoint(word.before)
            if is_other and (is_generic(word.keys) or word.before[0] in self.alone):
                weight *= 1.0 if (word.keys,) in names.phrases else 0.35  # `account number` is no other number
            for key in word.keys:
                heard[key] = max(heard.get(key, 0.0), weight * (1.0 if key == word.keys[0] else _SYNONYM))
        fit = max((self._phrase_fit(phrase, heard) for phrase in names.phrases), default=0.0)
        fit = max(fit, *(self._phrase_fit(phrase, heard, _SHORTENED) for phrase in names.shortened), 0.0)
        if not part.types or not fit:
            return fit
        return fit + 0.35 if part.types & names.asks else fit * 0.55

    def _phrase_fit(self, phrase: tuple[Keys, ...], heard: dict[str, float], factor: float = 1.0) -> float:
        hits = [max((heard.get(key, 0.0) for key in keys), default=0.0) for keys in phrase]
        if min(hits):
            fit = (max(hits) + 0.25 * sum(hits)) * factor
        elif factor < 1:
            return 0.0
        else:
            counts = [max(1, self.counts[keys[0]]) for keys in phrase]
            weights = [(0.5 if is_generic(keys) else 1.0) / count for keys, count in zip(phrase, counts, strict=True)]
            fit = sum(w * hit for w, hit in zip(weights, hits, strict=True)) / sum(weights)
            own = [hit for hit, count in zip(hits, counts, strict=True) if count == 1 and len(hits) <= 3]
            fit = 0.95 * max(fit, *own, 0.0)
        return fit if max(hits) > _MODIFIER else fit * 0.7

    def _loose_fit(self, names: SlotNames, part: Part) -> float:
        """How well a question fits by its question word, rare words of the description and one listed value."""
        said = {word.keys[0]: word.weight for word in part.words}
        rare = {one: 1 / max(1, sum(one in other.described for other in self.names)) for one in said}
        fit = sum(0.65 * said[one] * rare[one] for one in said if one in names.described)
        fit += 0.6 * any(not own.isdisjoint(part.keys) for own in names.options)
        fit += 0.5 * self._fit(names, part._replace(types=frozenset()))
        return fit + 0.35 if part.types & names.asks else fit * (0.55 if part.types else 1.0)


def _raised(word: Word) -> Word:
    return word._replace(weight=_RAISED)


_FRONTED = re.compile(r"\W{0,9}\w{1,20}ed (?:after|before|since|by|on|from|to) ", re.IGNORECASE)
_OR = re.compile(r"\bor\b", re.IGNORECASE)
