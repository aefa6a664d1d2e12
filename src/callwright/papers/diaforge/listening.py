"""What a user hears in an assistant's message: which values it asks for, and which tools it tells apart.

Rules over words, used alike for our own assistant and for any model under test; the user never sees thoughts or calls.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.gloss import Gloss
from callwright.catalog.slots import Slot
from callwright.lang.english import ways_to_say
from callwright.lang.kinds import Kind
from callwright.lang.tokens import spaced_words, stem, stem_set
from callwright.records.jsontext import decode

Offered = Literal["", "named", "others", "first", "second"]

_SENTENCE = re.compile(r"[^.?!\n]+[.?!\n]*")
_REQUEST = re.compile(
    r"\?|\b(?:please|need|give me|tell me|let me know|provide|share|missing|what's|which|could you|can you|may i)\b",
    re.IGNORECASE,
)
_WH: tuple[tuple[re.Pattern[str], frozenset[Kind]], ...] = (
    (
        re.compile(r"\bwhen\b|\b(?:what|which) (?:date|day|time)\b", re.IGNORECASE),
        frozenset(("date", "datetime", "time")),
    ),
    (re.compile(r"\bhow many\b", re.IGNORECASE), frozenset(("count",))),
    (re.compile(r"\bhow much\b", re.IGNORECASE), frozenset(("money", "number", "percent"))),
    (re.compile(r"\bwho(?:se|m)?\b", re.IGNORECASE), frozenset(("person", "email"))),
    (re.compile(r"\bwhere\b|\bwhich city\b", re.IGNORECASE), frozenset(("city", "country"))),
    (re.compile(r"\bwhy\b", re.IGNORECASE), frozenset(("text",))),
)


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[str, ...]:
    """Sentences; `... small and rugged. Which one?` is one."""
    found = list[str]()
    for sentence in _SENTENCE.findall(text):
        if found and _WHICH_ONE.match(sentence):
            found[-1] += sentence
        else:
            found.append(sentence)
    return tuple(found)


_WHICH_ONE = re.compile(r"\s*which (?:one|of (?:these|those|them))\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def is_request(text: str) -> bool:
    """Whether the message asks for anything."""
    return bool(_REQUEST.search(text))


class Heard(msgspec.Struct, frozen=True):
    """What a message asks for."""

    slots: tuple[str, ...] = ()
    """Names of the slots whose values it asks for."""
    offered: Offered = ""
    """Whether it names what is meant, as one of two or otherwise, or only others."""
    named: tuple[Gloss, ...] = ()
    """The other tools it names, by a word that the wanted one lacks."""


def listen(text: str, gold: Gloss, others: Sequence[Gloss], untold: Sequence[Known], *, picked: bool) -> Heard:
    """Return what the message asks for. Each sentence is a choice between tools or asks for values, not both.

    The same words do both: until it is said which tool is meant (`picked`), `or` makes a choice between tools; later
    only where no slot is asked for in so many words.
    """
    values: list[str] = []
    choices: list[str] = []
    for sentence in _sentences(text):
        if _OR.search(sentence) and _is_choice(sentence, gold, others, untold, picked=picked):
            choices.append(sentence)
        else:
            values.append(sentence)
    slots = asked_slots("".join(values), untold)
    rest = "".join(choices) or ("" if slots else text)
    return Heard(slots, *told_apart(rest, gold, others))


def _is_choice(sentence: str, gold: Gloss, others: Sequence[Gloss], untold: Sequence[Known], *, picked: bool) -> bool:
    offered, named = told_apart(sentence, gold, others)
    asked = [known.slot for known in untold if _share(known, stem_set(sentence)) >= 1]
    if not offered or not asked:
        return bool(offered)
    heard = stem_set(sentence).difference(*(stems for slot in asked for stems in _choice_stems(slot.schema)))
    is_rival = any((other.stems - gold.stems) & heard or _says(sentence, other.object) for other in named)
    return is_rival and (not picked or all(slot.stems <= gold.stems for slot in asked))


_OR = re.compile(r"\bor\b", re.IGNORECASE)


_REFUSAL = re.compile(
    r"\b(?:can(?:no|')t|can not|unable to|not able to) (?:do (?:that|this|it)|help|offer|handle|assist)|"
    r"\bnot something i (?:can|am able)|\boutside (?:of )?what i can\b|\bnothing i have for\b|"
    r"\bno (?:suitable |matching |fitting )?(?:tool|function|option|way)\b[^.?!]{0,40}"
    r"\b(?:for|that|to|fits?|match(?:es)?)\b|"
    r"\bnone of (?:the tools|the functions|the options|what i can|these|them|my tools)\b[^.?!]{0,60}"
    r"\b(?:fits?|match(?:es)?|does|do|can|cover)\b",
    re.IGNORECASE,
)


def is_refusal(text: str) -> bool:
    """Whether the message says that what is wanted cannot be done.

    >>> is_refusal("I'm sorry, I can't do that here."), is_refusal("I can't find the order. What is its number?")
    (True, False)
    """
    return bool(_REFUSAL.search(text))


def asked_slots(text: str, untold: Sequence[Known]) -> tuple[str, ...]:
    """Return the names of the slots the message asks for, in the order in which it names them."""
    asked: set[str] = set()
    for sentence in _sentences(text):
        if _REQUEST.search(sentence):
            asked |= _asked_in(sentence, untold)
    if not asked and is_request(text):  # "The order number looks like 12345. What does yours say?"
        asked = {known.slot.name for known in untold if _share(known, stem_set(text)) >= 1}
    named = [known.slot for known in untold if known.slot.name in asked]
    return tuple(slot.name for slot in sorted(named, key=lambda slot: _place(slot, text)))


def asked_wholly(text: str, known: Sequence[Known]) -> tuple[str, ...]:
    """Return the names of the slots whose whole noun stands in what the message asks for."""
    asked = [sentence for sentence in _sentences(text) if _REQUEST.search(sentence)]
    return tuple(one.slot.name for one in known if any(_share(one, stem_set(sentence)) >= 1 for sentence in asked))


def asked_by_name(text: str, known: Sequence[Known]) -> tuple[str, ...]:
    """Return the names of the slots whose nouns stand, word for word, in what the message asks for."""
    asked = [sentence for sentence in _sentences(text) if _REQUEST.search(sentence)]
    named = [one.slot for one in known if any(_says(sentence, one.slot.noun.text) for sentence in asked)]
    return tuple(slot.name for slot in sorted(named, key=lambda slot: _place(slot, text)))


def _place(slot: Slot, text: str) -> int:
    """Where a message names a slot: by its noun as it stands, else by the first of its words."""
    noun = text.lower().find(slot.noun.text.lower())
    if noun >= 0:
        return noun
    places = [match.start() for match in _WORD.finditer(text) if stem(match.group().lower()) in slot.stems]
    return min(places, default=len(text))


_WORD = re.compile(r"[^\W_]+")


def _asked_in(sentence: str, untold: Sequence[Known]) -> set[str]:
    heard = stem_set(sentence)
    shares = {known.slot.name: _share(known, heard) for known in untold}
    whole = [known.slot for known in untold if shares[known.slot.name] >= 1]
    if whole:
        named = [slot for slot in whole if slot.stems <= heard]  # the others are known by their choices alone
        return {slot.name for slot in named or whole if not _is_part(slot, sentence, named)}
    best = max(shares.values(), default=0.0)
    if best >= 0.5:
        return {name for name, share in shares.items() if share == best}
    for pattern, kinds in _WH:
        if pattern.search(sentence):
            fitting = {known.slot.name for known in untold if known.slot.kind in kinds}
            if len(fitting) == 1:
                return fitting
    return set()


def _is_part(slot: Slot, sentence: str, named: Sequence[Slot]) -> bool:
    """Whether a slot is heard only in another's longer noun: `gift` in `the value of the gift`."""
    left = sentence.lower()
    for other in named:
        if slot.stems < other.stems:
            left = left.replace(other.noun.text.lower(), " ")
    return not slot.stems <= stem_set(left) and slot.stems <= stem_set(sentence)


def _share(known: Known, heard: frozenset[str]) -> float:
    """How much of a slot's noun, or of its listed values, is in the sentence."""
    stems = known.slot.stems
    share = len(stems & heard) / len(stems) if stems else 0.0
    if share < 1 and known.slot.kind == "enum":
        named = sum(1 for choice in _choice_stems(known.slot.schema) if choice and choice <= heard)
        if named >= 2:
            return 1.0
    return share


@lru_cache(maxsize=4096)
def _choice_stems(schema: str) -> tuple[frozenset[str], ...]:
    values = decode(schema).get("enum")  # type: ignore[arg-type]  # canonical text, kept as str by the cache
    if not isinstance(values, list):
        return ()
    return tuple(stem_set(value) for value in values if isinstance(value, str))


def told_apart(text: str, gold: Gloss, others: Sequence[Gloss]) -> tuple[Offered, tuple[Gloss, ...]]:
    """Return whether the message names what is meant or only others, and the other tools that it names.

    Where two verbs or more are offered, the verb decides. Else a tool is named by a word of its object that the wanted
    one lacks, and the wanted one by a word that none of those has.
    """
    if not is_request(text):
        return "", ()
    text = _without_one(text)
    if len(groups := _offered_verbs(text, (gold, *others))) > 1:
        rivals = tuple(other for other in others if way(other) in groups and way(other) != way(gold))
        if way(gold) not in groups:
            return "others", rivals
        return _position(text, gold.verb_stems, frozenset().union(*(rival.verb_stems for rival in rivals))), rivals
    heard = stem_set(text)
    named = tuple(other for other in others if (other.stems - gold.stems) & heard)
    twins = tuple(other for other in others if other.stems == gold.stems and _says(text, other.object))
    if twins and not named:  # `from a supplier` and `to a supplier`: no content word tells them apart
        return ("named" if _says(text, gold.object) else "others"), twins
    if not named:
        some = gold.stems - _shared_by_all(gold, others)
        return ("named", tuple(others)) if some & heard else ("", ())
    own = gold.stems.difference(*(other.stems for other in named))
    if not (own & heard if own else gold.object_stems <= heard):
        return "others", named
    return _position(text, own, frozenset().union(*(other.stems for other in named)) - gold.stems), named


_ONE = re.compile(
    r"\b(?:which|what|this|that|the|first|second) one\b|\bone (?:question|moment|thing)\b|\bof course\b", re.I
)
"""`one` that counts nothing, and the course that is none."""


@lru_cache(maxsize=4096)
def _without_one(text: str) -> str:
    return _ONE.sub(" ", text)


def _says(text: str, phrase: str) -> bool:
    return spaced_words(phrase) in spaced_words(text)


def way(gloss: Gloss) -> str:
    """Return the plainest way to say the verb: tools with the same way do the same to different things."""
    return ways_to_say(gloss.verb)[0] if gloss.verb else "look up"


def _offered_verbs(text: str, glosses: Sequence[Gloss]) -> set[str]:
    """The ways of the glosses whose verb stands where a verb is offered: after `to`, `or`, `you`, a comma or colon."""
    offered = _offered_stems(text)
    return {way(gloss) for gloss in glosses if gloss.verb_stems & offered}


@lru_cache(maxsize=4096)
def _offered_stems(text: str) -> frozenset[str]:
    return frozenset(stem(found.lower()) for found in _VERB_PLACE.findall(text))


_VERB_PLACE = re.compile(
    r"(?:\b(?:to|or|you|me|just|rather|only)\s+|[,:.!?]\s+|^[^\S\n]*)(?=([A-Za-z]+))", re.IGNORECASE | re.MULTILINE
)


def _shared_by_all(gold: Gloss, others: Sequence[Gloss]) -> frozenset[str]:
    return gold.stems.intersection(*(other.stems for other in others)) if others else frozenset()


_EITHER = re.compile(r"(?:,|(?<!\s))\s+or\s+", re.IGNORECASE)


def _position(text: str, own: frozenset[str], foreign: frozenset[str]) -> Offered:
    """`first` or `second` where the message offers exactly two things, else `named`."""
    questions = [sentence.split(":")[-1] for sentence in _sentences(text) if _OR.search(sentence)]
    options = _EITHER.split(questions[0]) if len(questions) == 1 and "," not in _EITHER.sub(" ", questions[0]) else []
    if len(options) != 2:
        return "named"
    ours = [bool(own & stem_set(option)) for option in options]
    theirs = [bool(foreign & stem_set(option)) for option in options]
    if ours == [True, False] and theirs[1]:
        return "first"
    return "second" if ours == [False, True] and theirs[0] else "named"
