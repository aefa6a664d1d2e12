"""Whether a text says a value, says it nearly, or says another one in its place.

A code, a date or a number is said whole. A name or a sentence is near where words of one family are in the text, and
is another one where words are missing and words that belong to nothing known stand there instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from callwright.author.briefs import Known
from callwright.author.value_checks import is_said, is_sayable
from callwright.catalog.slot_names import is_identifier, keys_of
from callwright.catalog.slots import Slot
from callwright.lang.quantities import scan
from callwright.lang.surface import as_number, forms, mentions
from callwright.lang.tokens import STOP_WORDS, content_stems, identifier_words, stem, words
from callwright.papers.diaforge.reply_words import clauses, plain, taken
from callwright.records.jsontext import Json, decode

EXACT: Final = frozenset(
    ("code", "email", "phone", "url", "date", "datetime", "time", "money", "number", "count", "percent", "year")
)
"""Kinds whose values cannot be paraphrased."""
NUMERIC: Final = frozenset(("money", "number", "count", "percent", "year"))
NAMING: Final = frozenset(("title", "person", "city", "country", "other", "language", "currency"))
"""Kinds whose values are names, said word by word."""
_FAMILY: Final = 5
"""Letters that words of one family have in common at least."""


def is_given(known: Known, text: str, today: str) -> bool:
    """Whether a text says a value, in words or as it is written."""
    return is_said(text, known, today) or mentions(text, str(known.value), "code", today=None)


def is_near(known: Known, text: str, today: str) -> bool:
    """Whether a text says a value or, of a name, a choice or a sentence, a word of its family."""
    if is_sayable(known) and is_given(known, text, today):
        return True
    if known.slot.kind in NUMERIC:
        return is_number(known, text)
    if known.slot.kind in EXACT:
        return False
    said = frozenset(key for key in _families(frozenset(words(plain(text)))) if not key.startswith("~"))
    said |= _families(frozenset(words(taken(text))))  # what is turned down is no synonym of anything
    noun = frozenset(words(known.slot.noun.text))
    for one in texts_in(known.value):
        own = frozenset(identifier_words(one))
        if not said.isdisjoint(_families(own - noun or own)):
            return True
    return False


def texts_in(value: Json) -> list[str]:
    """Return the texts and numbers in a value."""
    if isinstance(value, dict):
        return [text for item in value.values() for text in texts_in(item)]
    if isinstance(value, list):
        return [text for item in value for text in texts_in(item)]
    return [] if isinstance(value, bool) or value is None else [str(value)]


@lru_cache(maxsize=4096)
def _families(said: frozenset[str]) -> frozenset[str]:
    """The keys of words that are no stop words, and the first letters of long ones."""
    content = [word for word in said if word not in STOP_WORDS]
    keys = {key for word in content for key in keys_of(word)}
    return frozenset(keys | {f"{stem(word)[:_FAMILY]}-" for word in content if len(stem(word)) >= _FAMILY})


_FRACTIONS: Final = tuple(
    (re.compile(rf"\b{said}\b", re.IGNORECASE), minutes)
    for said, minutes in (
        (r"three[- ]quarters of an hour", 45), (r"(?:a |one )?quarter of an hour", 15),
        (r"(?:a )?half (?:an|a) hour", 30),
        (r"half (?:a|the) day", 720), (r"an hour and a half|one and a half hours", 90), (r"two and a half hours", 150),
        (r"(?:an|one|a full) hour", 60), (r"(?:a|one) day", 1440), (r"(?:a|one) minute", 1),
    )
)  # fmt: skip
"""Durations in words, in minutes."""
_SCALES: Final = (1.0, 60.0, 3600.0, 1000.0, 60000.0, 1440.0, 86400.0, 24.0, 7.0, 100.0)
"""What one unit may be of another: a minute has 60 seconds."""


def numbers_in(text: str) -> tuple[float, ...]:
    """Return the numbers that a text says, in words too; a duration in words is in minutes.

    >>> numbers_in("three quarters of an hour"), numbers_in("eight of them")
    ((45.0,), (8.0,))
    """
    found: list[float] = []
    for pattern, minutes in _FRACTIONS:
        text, count = pattern.subn(" ", text)
        found += [float(minutes)] * count
    quantities = [one.value for one in scan(text, None) if one.sort in ("number", "money", "percent")]
    return (*found, *(float(one) for one in quantities if isinstance(one, (int, float))))


def is_number(known: Known, text: str) -> bool:
    """Whether a text says a number in any unit."""
    value = as_number(known.value)
    said = numbers_in(text)
    return value is not None and any(
        abs(one * scale - value) < 1e-6 or abs(one - value * scale) < 1e-6 for one in said for scale in _SCALES
    )


def is_other_number(known: Known, others: Iterable[Known], text: str) -> bool:
    """Whether a text says a number, and neither this one nor one of the others."""
    said = numbers_in(text)
    return bool(said) and not is_number(known, text) and not any(is_number(one, text) for one in others)


def choices_of(known: Known) -> list[str]:
    """Return the listed texts of a choice."""
    schema = decode(known.slot.schema)
    listed = schema.get("enum") if isinstance(schema, dict) else None
    return [choice for choice in listed if isinstance(choice, str)] if isinstance(listed, list) else []


def other_choice(known: Known, text: str, today: str) -> str:
    """Return another listed choice that a text says in place of the user's own; empty where it says none."""
    said = f" {' '.join(taken(text).lower().split())} "
    heard = _families(frozenset(words(said)))
    own = _families(frozenset(identifier_words(str(known.value))))
    if is_said(text, known, today):
        return ""
    others = [choice for choice in choices_of(known) if choice != known.value]
    for choice in others:
        if any(re.search(rf"(?<!\w){re.escape(way.lower())}(?!\w)", said) for way in forms(choice, "enum")):
            return choice
    every = [frozenset(stem(word) for word in identifier_words(one)) for one in choices_of(known)]
    shared = frozenset[str]().union(*every).intersection(*every) if every else frozenset()
    telling = own - _families(shared) - _families(frozenset(words(known.slot.noun.text)))
    if not heard.isdisjoint(telling):
        return ""
    for choice, stems in zip(choices_of(known), every, strict=True):
        rest = {one for one in stems - shared if one.isalpha() and len(one) > 2 and one not in STOP_WORDS}
        rest -= frozenset(content_stems(f"{known.slot.noun.text} {known.value}"))
        if choice != known.value and rest and rest <= frozenset(content_stems(said)):
            return choice
    return ""


def is_turned_round(known: Known, text: str) -> bool:
    """Whether a text says of a yes or no that it is the other one: `no write` where it is to be true."""
    noun = {stem(word) for word in identifier_words(known.slot.name.rpartition(".")[2]) if word not in _HELPERS}
    found = [
        clause for part in clauses(text) for clause in _AND.split(part) if noun and noun <= set(content_stems(clause))
    ]
    if not found or not isinstance(known.value, bool):
        return False
    polarity = {_NOT.search(clause) is None for clause in found}
    return polarity == {not known.value}


_AND: Final = re.compile(r"\band\b(?! (?:or|not)\b)", re.IGNORECASE)
_NOT: Final = re.compile(
    r"\b(?:no|not|never|neither|nor|without|\w{1,30}n't|except|off|false|disabled?|deactivate)\b", re.IGNORECASE
)
_HELPERS: Final = frozenset("is has can should allow enable enabled include the be with".split())


def noun_stems(slot: Slot) -> tuple[str, ...]:
    """Return the stems of a parameter's noun; all words for an identifier are alike."""
    return tuple("id" if is_identifier(keys_of(word)) else stem(word) for word in words(slot.noun.text))


def plain_stems(text: str) -> frozenset[str]:
    """Return the stems of all words; those for an identifier are alike, but for `no`."""
    return frozenset("id" if word != "no" and is_identifier(keys_of(word)) else stem(word) for word in words(text))
