"""The noun phrases of a clause: an object is split at its prepositions.

"a request for in-house training"    a request | for in-house training
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from callwright.catalog.chunks import DETERMINERS, PARTICLES, PREPOSITIONS
from callwright.lang.english import any_verb, base_verb, is_adjective, is_noun, is_plural
from callwright.lang.phrases import is_known, is_participle


class ClauseNoun(NamedTuple):
    """A noun phrase of a clause as it stands: its preposition, its article or other determiner, and its words."""

    preposition: str
    determiner: str
    words: list[str]


class ActReading(NamedTuple):
    verb: str
    nouns: tuple[ClauseNoun, ...]


_HINTS = frozenset(
    "specified specific given desired selected chosen corresponding particular provided requested existing single "
    "individual certain now".split()
)
"""Words before a noun that only point to a parameter."""


def split_owners(nouns: Iterable[ClauseNoun]) -> Iterator[ClauseNoun]:
    """Put what something belongs to behind it: `the top tracks of an artist` for `an artist's top tracks`.

    An owner that no dictionary has is the name of the service, which goes without saying.
    """
    is_owned = False
    for noun in nouns:
        if is_owned and noun.preposition == "of":
            continue  # two of them would not tell which is of which: `a meeting's list of guests`
        is_owned = False
        at = next((at for at, word in enumerate(noun.words, 1) if word.endswith(("'s", "’s"))), 0)
        owner, thing = noun.words[:at], noun.words[at:]
        if len(owner) > 1 and thing and owner[0].lower() in _ALL_OF:  # of all of it: `the entire profile's genome`
            owner, thing = owner[1:], [owner[0].lower(), *thing]
        if owner and thing and all(map(str.islower, owner)) and not is_plural(owner[-1][:-2]):
            yield noun._replace(determiner="the", words=thing)
            if len(owner) > 1 or is_known(owner[0][:-2]):
                yield ClauseNoun("of", "a", [*owner[:-1], owner[-1][:-2]])
                is_owned = True
        else:
            yield noun


_ALL_OF = frozenset("entire whole complete full".split())


def is_adverb(word: str) -> bool:
    return word.lower().endswith("ly") and not is_noun(word) and not any_verb(word)


_PLACED = PREPOSITIONS | {"as"}


def split_nouns(tokens: list[str]) -> Iterator[ClauseNoun]:
    """Split an object at its prepositions; it ends where a clause begins: `workspaces a channel is connected to`."""
    preposition, determiner, found, is_alternative = "", "", list[str](), False
    for place, token in enumerate(tokens):
        is_alternative &= token.lower() not in _PLACED
        if is_alternative:
            continue
        word, after = token.lower(), tokens[place + 1] if place + 1 < len(tokens) else ""
        if word == "of" and len(found) == 1 and found[0].lower() in _AMOUNTS:
            determiner, found = "several", []
            continue
        is_due = word == "due" and after.lower() in _DUE
        is_placed = (word in _PLACED and not is_due) or _is_off(word, after, determiner, found)
        if is_placed and (found or not (preposition or determiner)):
            if word == "to" and found and base_verb(after) == after and not is_noun(after):
                break  # a purpose
            is_led = (
                len(found) > 1
                and found[-1].islower()
                and (leads_on(found[-1]) or (is_adjective(found[-1]) and is_plural(found[-2])))
            )
            led = found.pop() + " " if is_led else ""
            if found:
                yield ClauseNoun(preposition, determiner, _first_of_two(found))
            preposition, determiner, found = led + word, "", []
        elif word == "new" and preposition and not found:
            found.append(token)  # what an act makes is new, what it is for need not be: `for a new baby`
        elif word in DETERMINERS | {"several"} and not found:
            determiner = determiner or word
        elif word == "the" and found[-1:] == ["or"] and len(found) > 1:
            found, is_alternative = found[:-1], True  # `the model view or the instance view of a machine`
        elif word in DETERMINERS and (found[-1] not in ("and", "or") or word not in ("a", "an")):
            found = found[: found.index("and")] if "and" in found else found
            if found[-1:] and found[-1].endswith("ing") and any_verb(found[-1]):
                found.pop()  # `the client making the request`
            break
        elif word in _HINTS:
            determiner = "a" if determiner == "the" else determiner
        elif word in DETERMINERS | {"own"} or VERSION.fullmatch(word):
            continue
        elif not is_adverb(word) or leads_on(after):
            found.append(token)
    yield ClauseNoun(preposition, determiner, _first_of_two(found[:-1] if found[-1:] in (["and"], ["or"]) else found))


def _is_off(word: str, after: str, determiner: str, found: list[str]) -> bool:
    """Whether a thing is taken off another: `a boat off the register`, `a dog off work`, but not `time off work`."""
    return word == "off" and bool(found) and (after.lower() in DETERMINERS or bool(determiner and after))


_DUE = frozenset("date dates day amount amounts".split())
_AMOUNTS = frozenset("variety multitude plethora".split())
"""Words that say no more than that there are several: `a variety of events`."""


def _first_of_two(found: list[str]) -> list[str]:
    """Keep the first of two things, and neither of two kinds: `message` of `message or file`."""
    if "or" not in found[1:]:
        return found
    before, after = found[: found.index("or", 1)], found[found.index("or", 1) + 1 :]
    is_kind = len(after) > 1 and is_adjective(before[-1].lower()) and is_adjective(after[0].lower())
    return [*before[:-1], *after[1:]] if is_kind else before


def leads_on(word: str) -> bool:
    """Whether a word after a noun belongs to the preposition that follows: `linked to`, `exempt from`."""
    return (is_participle(word) or (is_adjective(word) and not is_noun(word))) and word not in PARTICLES


VERSION = re.compile(r"v\d+(?:p\d+)?(?:(?:alpha|beta)\d*)?")
