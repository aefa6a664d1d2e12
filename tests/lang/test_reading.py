"""What is said is read back: for every kind, every form, alone and in a sentence."""

from __future__ import annotations

import re
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from callwright.lang.gazetteer import cities, countries, currencies, languages
from callwright.lang.kinds import Kind
from callwright.lang.reading import places_layout, read
from callwright.lang.surface import forms, mentions, say

TODAY = date(2026, 11, 2)
FRAMES = ("{}", "Could you make it {}, please?", "Sorry, it's {}.")

DAYS = st.integers(-300, 300).map(lambda n: TODAY + timedelta(n))
CODES = st.from_regex(r"[A-Z]{2,3}-[1-9][0-9]{3,5}", fullmatch=True)
PERSONS = st.sampled_from(["Priya Raman", "Tomasz Nowak", "Zoë Núñez", "Mary-Anne O'Neil", "Ingrid Dahl"])
SCHEMAS: dict[Kind, tuple[dict[str, Any], st.SearchStrategy[Any]]] = {
    "date": ({"type": "string", "format": "date"}, DAYS.map(date.isoformat)),
    "datetime": (
        {"type": "string", "format": "date-time"},
        st.tuples(DAYS, st.integers(1, 23), st.sampled_from([0, 5, 15, 30, 45])).map(
            lambda t: f"{t[0].isoformat()}T{t[1]:02}:{t[2]:02}:00Z"
        ),
    ),
    "time": (
        {"type": "string"},
        st.tuples(st.integers(0, 23), st.integers(0, 59)).map(lambda t: f"{t[0]:02}:{t[1]:02}"),
    ),
    "money": ({"type": "number"}, st.integers(1, 2_000_000).map(lambda cents: cents / 100)),
    "percent": ({"type": "integer"}, st.integers(1, 100)),
    "count": ({"type": "integer"}, st.integers(1, 100_000)),
    "number": ({"type": "number"}, st.floats(-180, 180).map(lambda x: round(x, 3) + 0.0)),
    "year": ({"type": "integer"}, st.integers(1900, 2099)),
    "boolean": ({"type": "boolean"}, st.booleans()),
    "enum": (
        {"enum": ["annual_leave", "sick_leave", "in progress", "High", "readOnly", "annual"]},
        st.sampled_from(["annual_leave", "sick_leave", "in progress", "High", "readOnly", "annual"]),
    ),
    "email": ({}, st.sampled_from(["priya.raman@larkfield.example", "a_b+c@x-y.example"])),
    "phone": ({}, st.sampled_from(["+49 30 5550 1234", "+351 912 555 014", "(212) 555-0143"])),
    "url": ({}, st.sampled_from(["https://www.larkfield.com/about-us", "http://x.example/a?b=1&c=2"])),
    "person": ({}, PERSONS),
    "city": ({}, st.sampled_from(sorted(cities()))),
    "country": ({"description": "two-letter ISO code"}, st.sampled_from([c.alpha2 for c in countries()])),
    "currency": ({"description": "currency code"}, st.sampled_from(sorted(currencies()))),
    "language": ({"description": "language code"}, st.sampled_from(sorted(languages()))),
    "code": ({"type": "string"}, CODES),
    "title": ({}, st.sampled_from(["Atlas Migration", "Board Minutes", "budget_2026.xlsx", "Hotel Bristol"])),
    "text": ({}, st.sampled_from(["it came cracked", "The box was open", "no cover for the shift"])),
    "list": (
        {"type": "array", "items": {"type": "string", "pattern": "^PO-[0-9]{5}$"}},
        st.lists(st.integers(10_000, 99_999).map(lambda n: f"PO-{n}"), min_size=1, max_size=3, unique=True),
    ),
    "object": (
        {"properties": {"start": {"type": "string", "format": "date"}, "end": {"type": "string", "format": "date"}}},
        DAYS.map(lambda day: {"start": day.isoformat(), "end": (day + timedelta(4)).isoformat()}),
    ),
    "other": ({}, CODES),
}
FREE = {"text", "title"}


@pytest.mark.parametrize("kind", SCHEMAS)
@given(data=st.data())
def test_every_form_is_read_back_and_mentioned(kind: Kind, data: st.DataObject) -> None:
    """Each form of a value, alone and (but for free words) in a sentence, mentions it and reads as it."""
    schema, values = SCHEMAS[kind]
    value = data.draw(values)
    assert forms(value, kind, TODAY)
    for form in forms(value, kind, TODAY):
        for frame in FRAMES:
            text = frame.format(form)
            assert mentions(text, value, kind, today=TODAY), text
            if frame == "{}" or kind not in FREE:
                read_values = [found.value for found in read(text, kind, schema, today=TODAY)]
                assert _is_among(value, form, read_values), (text, read_values)


def _is_among(value: Any, form: str, found: list[Any]) -> bool:
    return value in found or form in found


def _on_a_dial(value: str) -> str:
    """A moment as a clock with hands shows it."""
    return re.sub(r"(\d\d)(?=:)", lambda hour: str(int(hour[1]) % 12), value, count=1)


@pytest.mark.parametrize("kind", sorted(SCHEMAS.keys() - {"text", "title", "boolean", "enum", "list", "object"}))
@given(data=st.data())
def test_another_value_is_not_mentioned(kind: Kind, data: st.DataObject) -> None:
    """What is said of one value does not mention another."""
    values = SCHEMAS[kind][1]
    value, other = data.draw(values), data.draw(values)
    if str(other) in str(value):
        return
    said = say(value, kind, rng=Random(data.draw(st.integers(0, 99))), today=TODAY)
    if kind in ("time", "datetime"):
        assume(_on_a_dial(value) != _on_a_dial(other))  # `seven` and `7:00` are heard of both halves of the day
    assert not mentions(FRAMES[1].format(said), other, kind, today=TODAY), (said, other)


@pytest.mark.parametrize(
    ("text", "kind", "schema", "values"),
    [
        ("Book Thursday the 5th at 2 pm", "datetime", {"format": "date-time"}, ["2026-11-05T14:00:00Z"]),
        ("at 9", "time", {}, ["09:00"]),
        ("the 4th, sorry, the 5th", "date", {}, ["2026-11-04", "2026-11-05"]),
        ("on Nov 5", "date", {"description": "in the format DD/MM/YYYY"}, ["05/11/2026"]),
        ("on Jan 1", "datetime", {"type": "integer", "description": "Unix time"}, [1798761600]),
        ("15%", "percent", {"type": "number", "maximum": 1}, [0.15]),
        ("refund 1,250.50 euros", "money", {"type": "string"}, ["1250.50"]),
        ("It's PO-55120, not E-10482", "code", {"pattern": "^PO-[0-9]{5}$"}, ["PO-55120"]),
        ("order 88213", "code", {"type": "integer"}, [88213]),
        ("E-10482 for INV-20938", "code", {"examples": ["INV-10001"]}, ["INV-20938", "E-10482"]),
        ("Ask Priya Raman about it", "person", {}, ["Priya Raman"]),
        ("sick leave, not annual leave", "enum", {"enum": ["annual", "sick_leave"]}, ["sick_leave", "annual"]),
        ("to Berlin, Germany", "country", {"maxLength": 2}, ["DE"]),
        ("to Berlin, Germany", "country", {}, ["Germany", "Berlin"]),
        ("yes, without breakfast", "boolean", {}, [True, False]),
        ("nothing here", "date", {}, []),
    ],
)
def test_values_are_written_as_the_schema_wants(
    text: str, kind: Kind, schema: dict[str, Any], values: list[Any]
) -> None:
    """Layout, type and shape come from the schema; the likeliest reading is first."""
    assert values == [found.value for found in read(text, kind, schema, today=TODAY)][: max(len(values), 1)]


@pytest.mark.parametrize("kind", SCHEMAS)
@given(text=st.text(max_size=200))
@example(text="No, two of them: A-17 for Jo Day, jo@day.org, +44 20 7946 0000, on May 5 at 5 pm for 200 euros.")
def test_any_text_is_read_without_error(kind: Kind, text: str) -> None:
    """Whatever a person types, reading gives spans inside the text."""
    for found in read(text, kind, SCHEMAS[kind][0], today=TODAY):
        assert 0 <= found.start <= found.end <= len(text)


@pytest.mark.parametrize(("example", "layout"), [("en-us,en,fr", "alpha2"), ("en-GB", "alpha2"), ("German", "name")])
def test_an_example_of_locales_asks_for_codes(example: str, layout: str) -> None:
    assert places_layout({"type": "string", "example": example}, "language") == layout
