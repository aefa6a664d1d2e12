"""Responses with placeholders in the place of values, by the labels of a recorded response and the database.

In this order: the spans that the annotation marks; values of its acts that stand in the text as they are; references of
bookings; names, numbers and addresses of the database's rows. Placeholders that stand in a text stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from callwright.papers.fnctod.placeholder_text import placeholder_names
from callwright.papers.fnctod.venue_database import VenueDatabase
from callwright.records.annotations.state_notes import StateTurn
from callwright.records.dialogue_state import ActLabel
from callwright.records.jsontext import Json, JsonText, decode

_NAMES: Final = {
    "addr": "address",
    "area": "area",
    "arrive": "arrive",
    "car": "car",
    "choice": "choice",
    "day": "day",
    "depart": "departure",
    "department": "department",
    "dest": "destination",
    "fee": "price",
    "food": "food",
    "id": "id",
    "leave": "leave",
    "name": "name",
    "people": "people",
    "phone": "phone",
    "post": "postcode",
    "price": "pricerange",
    "ref": "reference",
    "stars": "stars",
    "stay": "stay",
    "ticket": "price",
    "time": "time",
    "type": "type",
    "open": "time",
}
"""The names of slots in acts, to the names of their placeholders."""

IDENTIFYING: Final = ("addr", "id", "name", "phone", "post", "ref")
"""Slots of acts on which Inform and Success depend; recall is measured on them."""

_COLUMNS: Final = {"name": "name", "phone": "phone", "postcode": "postcode", "address": "address", "trainid": "id"}
_UNKNOWN: Final = frozenset(("", "none", "?", "not mentioned"))
_WORD: Final = re.compile(r"\w+")
_LEAST: Final = 4
"""Fewest letters of a database value that is looked for in a text."""


class PlaceholderRecall(NamedTuple):
    """How many identifying values of acts became placeholders."""

    found: int
    values: int


def delexicalised(text: str, labels: StateTurn | None, database: VenueDatabase, references: Iterable[str] = ()) -> str:
    """Return a response with placeholders; `labels` are those of the recorded response, None of any other."""
    if labels is not None:
        text = _by_spans(text, labels)
        for act in labels.acts:
            text = _by_act(text, act)
    for reference in references:
        text = re.sub(rf"(?i)\b{re.escape(reference)}\b", "[value_reference]", text)
    return _by_database(text, database)


def recall(text: str, acts: Iterable[ActLabel]) -> PlaceholderRecall:
    """Return how many identifying values of a response's acts have a placeholder in its delexicalised text."""
    wanted = [_NAMES[act.slot.lower()] for act in acts if act.slot.lower() in IDENTIFYING and _value(act) is not None]
    return PlaceholderRecall(sum(f"_{name}]" in text for name in wanted), len(wanted))


def booked_references(booked: Iterable[JsonText]) -> Iterator[str]:
    """Yield the reference numbers of a domain's bookings."""
    for one in booked:
        booking: Json = decode(one)
        if isinstance(booking, dict) and isinstance(booking.get("reference"), str) and booking["reference"]:
            yield booking["reference"]


def _placeholder(act: str, slot: str) -> str | None:
    """Return what stands for a value: of its domain, or where the evaluation knows no such name, of any."""
    name, domain = _NAMES.get(slot.lower()), act.partition("-")[0].lower()
    is_known = f"{domain}_{name}" in placeholder_names()
    return f"[{domain if is_known else 'value'}_{name}]" if name else None


def _by_spans(text: str, labels: StateTurn) -> str:
    words = text.split(" ")
    for span in sorted(labels.spans, key=lambda one: (-one.first, -one.last)):
        placeholder = _placeholder(span.act, span.slot)
        if placeholder and 0 <= span.first <= span.last < len(words):
            words[span.first : span.last + 1] = [placeholder]
    return " ".join(words)


def _value(act: ActLabel) -> str | None:
    value = act.values[0] if act.values else ""
    return None if value.lower() in _UNKNOWN else value


def _by_act(text: str, act: ActLabel) -> str:
    value, placeholder = _value(act), _placeholder(act.act, act.slot)
    if value is None or placeholder is None or len(value) < _LEAST:
        return text
    return re.sub(_spaced(value), placeholder, text)


@lru_cache(maxsize=20_000)
def _spaced(value: str) -> str:
    """Return a pattern of a value whose words may be joined or apart, as corpora split them."""
    return r"(?i)(?<![\w\[])" + r" ?".join(map(re.escape, value.split())) + r"(?!\w)"


def _by_database(text: str, database: VenueDatabase) -> str:
    held = _held(database)
    likely = {pair for word in _WORD.findall(text.lower()) for pair in held.get(word, ())}
    for value, placeholder in sorted(likely, key=lambda pair: (-len(pair[0]), pair)):
        text = re.sub(_spaced(value), placeholder, text)
    return text


@lru_cache(maxsize=4)
def _held(database: VenueDatabase) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return the values of a database that are looked for, with their placeholders, by their first word."""
    found: dict[str, dict[str, str]] = {}
    for domain, table in database.tables.items():
        for column, name in _COLUMNS.items():
            for value in map(str.lower, table.columns.get(column, ())):
                words = _WORD.findall(value)
                if len(value) >= _LEAST and value not in _UNKNOWN and words:
                    found.setdefault(words[0], {}).setdefault(value, f"[{domain}_{name}]")
    return {word: tuple(pairs.items()) for word, pairs in found.items()}
