"""What a user hears in an assistant's message: which values it asks for, and which tools it tells apart.

Rules over words, used alike for our own assistant and for any model under test; the user never sees thoughts or calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.chunks import Gloss
from callwright.catalog.slot_names import is_filler, is_identifier, keys_of, names_of_slot
from callwright.catalog.slots import Slot
from callwright.lang.english import ways_to_say
from callwright.lang.lexicon import word_set
from callwright.lang.tokens import spaced_words, stem, stem_set, words
from callwright.papers.diaforge.asked_values import asked, has_content, is_question, sentences
from callwright.papers.diaforge.question_patterns import QUESTION

Offered = Literal["", "named", "others", "first", "second"]
General = Literal["", "more", "all", "ready"]


class Heard(msgspec.Struct, frozen=True):
    """What a message asks for."""

    slots: tuple[str, ...] = ()
    """Names of the slots whose values it asks for."""
    offered: Offered = ""
    """Whether it names what is meant, as one of two or otherwise, or only others."""
    named: tuple[Gloss, ...] = ()
    """The other tools it names, by a word that the wanted one lacks."""
    again: tuple[str, ...] = ()
    """Slots told before that it asks for, where it asks for no others."""
    lacks: bool = False
    """Whether it asks, by its name, for a parameter for which the user has no value, and for nothing else."""
    general: General = ""
    """Whether it asks for more about the wish, for all that is open, or for the go-ahead."""


def listen(
    text: str,
    gold: Gloss,
    others: tuple[Gloss, ...],
    untold: Sequence[Known],
    *,
    picked: bool,
    told: Sequence[Slot] = (),
    lacking: Sequence[Slot] = (),
    names: frozenset[str] = frozenset(),
) -> Heard:
    """Return what the message asks for. Each sentence is a choice between tools or asks for values, not both.

    The same words do both: until it is said which tool is meant (`picked`), `or` makes a choice between tools; later
    only where no slot is asked for in so many words. `told` and `lacking` are the tool's other parameters, without
    which a question for one of them would be heard as one for another; `names` are stems that the wish may be named by.
    """
    slots = [*(known.slot for known in untold), *told, *lacking]
    is_open = [place < len(untold) for place in range(len(slots))]
    values: list[int] = []
    choices: list[str] = []
    surely = True
    for sentence in sentences(text):
        heard = asked(sentence, slots, is_open)
        found = [
            slots[place] for place in heard.places if is_open[place] or (picked and place < len(untold) + len(told))
        ]
        if _is_choice(sentence, gold, others, found, picked=picked, names=names):
            choices.append(sentence)
        else:
            values += heard.places
            surely &= heard.surely
    places = list(dict.fromkeys(values))
    wanted = tuple(slots[place].name for place in places if place < len(untold))
    again = tuple(slots[place].name for place in places if len(untold) <= place < len(untold) + len(told))
    lacks = picked and bool(places) and surely and min(places) >= len(untold) + len(told)
    offered, named = told_apart("".join(choices), gold, others, names) if choices else ("", ())
    general = "" if wanted or again or lacks or choices else _general(text)
    return Heard(wanted, offered, named, () if wanted else again, lacks and not choices, general)


def _is_choice(
    sentence: str, gold: Gloss, others: tuple[Gloss, ...], found: Sequence[Slot], *, picked: bool, names: frozenset[str]
) -> bool:
    """Whether a sentence asks which tool is meant, though it may have words of the parameters `found` too."""
    offered, named = told_apart(sentence, gold, others, names)
    is_either = _OR.search(sentence) is not None
    if not offered or not found:
        return bool(offered) and (is_either or not picked)
    own = frozenset[str]().union(*(names_of_slot(slot).known.union(*names_of_slot(slot).options) for slot in found))
    heard = stem_set(sentence) - own
    is_rival = any((other.stems - gold.stems) & heard or _says(sentence, other.object) for other in named)
    said = stem_set(sentence)
    is_rival |= not picked and len({way(one) for one in (gold, *others) if one.verb_stems & said}) > 1
    is_thing = all(word in gold.stems or is_identifier(keys_of(word)) for slot in found for word in slot.stems)
    return is_either and is_rival and (not picked or is_thing)  # `the invoice itself` is no question for its ID


_OR = re.compile(r"\bor\b", re.IGNORECASE)


def _general(text: str) -> General:
    """What a message that names nothing asks for."""
    kinds: tuple[General, ...] = ("more", "all", "ready")
    return next((kind for kind in kinds if is_question(text) and QUESTION[kind].search(text)), "")


def asked_slots(text: str, untold: Sequence[Known]) -> tuple[str, ...]:
    """Return the names of the slots the message asks for, in the order in which it names them."""
    slots = [known.slot for known in untold]
    return tuple(slots[place].name for place in asked(text, slots, [True] * len(slots)).places)


def is_refusal(text: str) -> bool:
    """Whether the message says that what is wanted cannot be done.

    >>> is_refusal("I'm sorry, I can't do that here."), is_refusal("I can't find the order. What is its number?")
    (True, False)
    """
    return bool(QUESTION["refusal"].search(text))


@lru_cache(maxsize=4096)
def told_apart(
    text: str, gold: Gloss, others: tuple[Gloss, ...], names: frozenset[str] = frozenset()
) -> tuple[Offered, tuple[Gloss, ...]]:
    """Return whether the message names what is meant or only others, and the other tools that it names.

    A tool is named by a word of its object that the wanted
    one lacks, and the wanted one by a word that none of those has. Only others are named where each thing offered is
    one of them in its own words; what is said in other words may be the wanted one.
    """
    if not is_question(text):
        return "", ()
    offered, named = _told_apart(text, gold, others, names)
    if offered == "others" and not _are_others(text, gold, others, names):
        return "named", named
    return offered, named


def names_alone(text: str, gold: Gloss, others: Iterable[Gloss]) -> bool:
    """Whether a message, also a statement, has a word that only the wanted tool has, and none that only others have."""
    heard, rivals = stem_set(text), frozenset[str]().union(*(other.stems for other in others))
    return not heard.isdisjoint(gold.stems - rivals) and heard.isdisjoint(rivals - gold.stems)


def _are_others(text: str, gold: Gloss, others: Sequence[Gloss], names: frozenset[str]) -> bool:
    """Whether all that a question offers is other tools: by words of theirs, some of which the wanted one lacks."""
    own = _keys(gold.stems | names)
    known = [_keys(other.stems | stem_set(" ".join(ways_to_say(other.verb)))) for other in others]
    for option in _options(text):
        said = [keys_of(word) for word in words(option) if not is_filler(word) and word not in _PARTICLES]
        alien = [keys for keys in said if own.isdisjoint(keys)]
        if not said or not alien or not any(all(not theirs.isdisjoint(keys) for keys in said) for theirs in known):
            return False
    return True


_PARTICLES = word_set("particles")


def _keys(stems: Iterable[str]) -> frozenset[str]:
    return frozenset(key for one in stems for key in keys_of(one))


def _options(text: str) -> list[str]:
    """What a message offers: the parts of its questions, without the empty ones around commas."""
    found: list[str] = []
    for sentence in sentences(text):
        if is_question(sentence):
            for option in _OR.split(sentence.split(":")[-1]):
                found += [part for part in re.split("[,;]", option) if has_content(part)] or [option]
    return found


def _told_apart(
    text: str, gold: Gloss, others: Sequence[Gloss], names: frozenset[str]
) -> tuple[Offered, tuple[Gloss, ...]]:
    ways = _offered_ways(text, (gold, *others))
    if len(ways) > 1:  # several acts are offered: the act decides, whatever the things are called
        rivals = tuple(other for other in others if way(other) in ways and way(other) != way(gold))
        return (_position(text, gold, rivals) if way(gold) in ways else "others"), rivals
    heard = stem_set(text)
    named = tuple(other for other in others if (other.stems - gold.stems) & heard)
    twins = tuple(other for other in others if other.stems == gold.stems and _says(text, other.object))
    if twins and not named:  # `from a supplier` and `to a supplier`: no content word tells them apart
        return ("named" if _says(text, gold.object) else "others"), twins
    if not named:
        some = gold.stems.difference(gold.stems.intersection(*(other.stems for other in others)) if others else ())
        every = _keys(gold.stems.union(names, *(other.stems for other in others)))
        is_meant = some & heard or ((_OR.search(text) or ";" in text) and not every.isdisjoint(_keys(heard)))
        return ("named", tuple(others)) if is_meant else ("", ())
    own = gold.stems.difference(*(other.stems for other in named))
    if not (own & heard if own else gold.object_stems <= heard):
        return "others", named
    return _position(text, gold, named), named


def _offered_ways(text: str, glosses: Sequence[Gloss]) -> set[str]:
    """The ways of the glosses whose verb stands where a verb is offered: after `to`, `or`, `you`, a comma or colon."""
    offered = {stem(found.lower()) for found in _VERB_PLACE.findall(text)}
    return {way(gloss) for gloss in glosses if gloss.verb_stems & offered}


_VERB_PLACE = re.compile(
    r"(?:\b(?:to|or|you|me|just|rather|only)\s|[,:.!?]\s|^)(?=([A-Za-z]{1,30}))", re.IGNORECASE | re.MULTILINE
)


def _says(text: str, phrase: str) -> bool:
    return spaced_words(phrase) in spaced_words(text)


def way(gloss: Gloss) -> str:
    """Return the plainest way to say the verb: tools with the same way do the same to different things."""
    return ways_to_say(gloss.verb)[0] if gloss.verb else "look up"


def _position(text: str, gold: Gloss, named: Sequence[Gloss]) -> Offered:
    """`first` or `second` where the message offers exactly two things, one of them plainly the wanted one."""
    options = _options(text)
    theirs = frozenset[str]().union(*(other.stems for other in named))
    if len(options) != 2:
        return "named"
    heard = [stem_set(option) for option in options]
    ours = [bool((gold.stems - theirs) & one) and not (theirs - gold.stems) & one for one in heard]
    rival = [bool((theirs - gold.stems) & one) and not (gold.stems - theirs) & one for one in heard]
    if ours[0] and rival[1]:
        return "first"
    return "second" if ours[1] and rival[0] else "named"
