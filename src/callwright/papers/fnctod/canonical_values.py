"""Names of slots, and values of slots, as MultiWOZ's standard evaluation writes them.

The tables are package data (`data/multiwoz_names.json`). Nothing here knows what a slot's domain is.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

import msgspec

Scalar: TypeAlias = str | int | float | bool | None
"""A value of a state; only texts are canonicalised."""

State: TypeAlias = dict[str, dict[str, Scalar]]
"""Domain to slot to value."""

UNCONSTRAINED: Final = frozenset(("dontcare", "don't care", "dont care", "do n't care", "do not care", "not mentioned"))
"""Values that a database query passes over."""

_RENAMED: Final = {"arriveby": "arrive", "leaveat": "leave"}
_CLOCK: Final = re.compile(r"[0-9][0-9]:[0-9][0-9]")


class NameTables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of the standard evaluation."""

    placeholders: dict[str, tuple[str, ...]]
    """A placeholder to the slot names that it stands for."""
    type: dict[str, str]
    food: dict[str, str]
    venue: dict[str, str]
    time_words: dict[str, str]
    time_prefixes: dict[str, str]
    yes_no: dict[str, str]
    database_columns_ignored: dict[str, tuple[str, ...]]


@cache
def tables() -> NameTables:
    """Return the tables, read once."""
    path = files("callwright.papers.fnctod") / "data" / "multiwoz_names.json"
    return msgspec.json.decode(path.read_bytes(), type=NameTables)


def canonical_slot(name: str) -> str:
    """Return a slot's name in lower case, without spaces, under the name of the database's columns."""
    name = name.lower().replace(" ", "")
    return _RENAMED.get(name, name)


def canonical_value(slot: str, value: str) -> str:
    """Return the value of a slot under its canonical name in the one spelling that values are compared in."""
    if slot in ("name", "destination", "departure"):
        return canonical_venue(value)
    if slot == "type":
        return tables().type.get(value, value)
    if slot == "food":
        food = value.strip().lower()
        return tables().food.get(food, food)
    if slot in ("arrive", "leave", "time"):
        return canonical_time(value)
    if slot in ("parking", "internet"):
        return tables().yes_no.get(value, value)
    return value


def canonical_state(state: State) -> State:
    """Return a state with canonical slots and values; what is no text stays as it is, and equals no text."""
    return {
        domain: {
            (name := canonical_slot(slot)): canonical_value(name, value) if isinstance(value, str) else value
            for slot, value in slots.items()
        }
        for domain, slots in state.items()
    }


def canonical_venue(name: str) -> str:
    """Return the name of a venue or place, with what is often misspelt in one spelling."""
    name = name.strip().lower().replace(" & ", " and ").replace("&", " and ").replace(" '", "'")
    return tables().venue.get(name, name)


def canonical_time(text: str) -> str:
    """Return a time as HH:MM; text that is no time comes back shortened, or as it is."""
    text = text.strip().lower()
    if text in tables().time_words:
        return tables().time_words[text]
    for prefix, time in tables().time_prefixes.items():
        if text.startswith(prefix):
            return time
    text = _without_affixes(text)
    if text.endswith(("pm", "p.m.")):
        text = text.removesuffix("pm").strip().removesuffix("p.m.").strip()
        hour, colon, minutes = text.partition(":")
        if hour.strip().isdecimal() and ":" not in minutes:
            return f"{int(hour) + 12}:{minutes if colon else '00'}"
    return _padded(text)


def _without_affixes(text: str) -> str:
    if text.startswith("by"):
        text = text[3:]
    for word in ("after", "afer"):
        text = text.removeprefix(word).strip() if text.startswith(word) else text
    for half in ("am", "a.m."):
        text = text.removesuffix(half).strip() if text.endswith(half) else text
    return text


def _padded(text: str) -> str:
    if not text:
        return "00:00"
    if text[-1] in ".,?":
        text = text[:-1]
    if text.isdecimal():
        return f"{text[:2]}:{text[2:]}" if len(text) == 4 else f"{text.zfill(2)}:00"
    if ":" in text:
        text = text.replace(" ", "")
    return f"0{text}" if len(text) == 4 and text[1] == ":" else text


def minutes_of(time: str) -> int:
    """Return the minutes since midnight of a text that begins with HH:MM; 0 of another."""
    return int(time[:2]) * 60 + int(time[3:5]) if _CLOCK.match(time) else 0
