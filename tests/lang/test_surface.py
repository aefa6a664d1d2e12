"""Saying values, and finding them again."""

from __future__ import annotations

from datetime import date, datetime, time
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.english import plural
from callwright.lang.kinds import Kind
from callwright.lang.quantities import hints_at_quantity, hints_between_words, scan
from callwright.lang.surface import (
    clear_forms,
    forms,
    is_read_as_quantity,
    mentions,
    needed_sorts,
    said_sorts,
    say,
    say_clearly,
)
from callwright.lang.tokens import words

TODAY = date(2026, 11, 2)


@pytest.mark.parametrize(
    ("text", "value", "kind", "is_mentioned"),
    [
        ("on Nov 5", 5, "count", False),
        ("PO-5512", 5512, "code", False),
        ("order #88213", 88213, "code", True),
        ("order 88213.", "88213", "code", True),
        ("15 guests", 5, "count", False),
        ("15%", 15, "count", False),
        ("15 percent", 15, "percent", True),
        ("3.5 kilos", 3, "count", False),
        ("that one", 1, "count", False),
        ("in three days", 3, "count", False),
        ("for three days", 3, "count", True),
        ("1,250 euros", 250, "money", False),
        ("it costs €1,250", 1250.0, "money", True),
        ("€1,250", "EUR", "currency", False),
        ("1,250 euros", "EUR", "currency", True),
        ("Thursday the 5th", "2026-11-05", "date", True),
        ("Thursday the 12th", "2026-11-05", "date", False),
        ("november 5th at 9", "2026-11-05", "date", True),
        ("Nov 5 at 9:30", "2026-11-05T09:30:00Z", "datetime", True),
        ("Nov 5 at 9:45", "2026-11-05T09:30:00Z", "datetime", False),
        ("half past nine", "09:30", "time", True),
        ("sick leave, please", "sick_leave", "enum", True),
        ("non-refundable", "refundable", "enum", False),
        ("is that all there is", "all", "enum", False),
        ("all", "all", "enum", True),
        ("it's a long story", "A", "enum", False),
        ("Make it A.", "A", "enum", True),
        ("no, wait", "no", "enum", True),
        ("I know nothing", "no", "enum", False),
        ("tell us more", "US", "country", False),
        ("to the US", "US", "country", True),
        ("flights to Germany", "DE", "country", True),
        ("Priya Raman's request", "Priya Raman", "person", True),
        ("priya raman", "Priya Raman", "person", True),
        ("report.pdf", "report", "title", False),
        ("well-known", "known", "title", False),
        ("because it came cracked", "It came cracked.", "text", True),
        ("a and c", ["a@x.example", "c"], "list", False),
        ("from Nov 5 to Nov 9", {"start": "2026-11-05", "end": "2026-11-09"}, "object", True),
        ("anything", [], "list", False),
        ("anything", "", "text", False),
    ],
)
def test_mentions_keeps_to_token_boundaries(text: str, value: Any, kind: Kind, is_mentioned: bool) -> None:
    """A value is mentioned where it stands as itself, not inside something else."""
    assert is_mentioned == mentions(text, value, kind, today=TODAY)


@pytest.mark.parametrize(
    ("text", "day", "is_mentioned"),
    [
        ("Until 31 October.", "2027-10-31", True),
        ("Until 31 October.", "2026-10-31", True),
        ("Until 31 October 2026.", "2027-10-31", False),
        ("Until 31 October.", "2028-10-31", False),
        ("Until 30 October.", "2027-10-31", False),
    ],
)
def test_a_day_without_a_year_is_of_any_year_near_today(text: str, day: str, is_mentioned: bool) -> None:
    """At most twelve months from today, back or ahead."""
    assert mentions(text, day, "date", today=date(2027, 3, 9)) is is_mentioned


def test_the_same_generator_says_the_same() -> None:
    """What is said depends on the generator alone."""
    said = [[say("2026-11-05", "date", rng=Random(seed), today=TODAY) for seed in range(40)] for _ in range(2)]

    assert said[0] == said[1]
    assert len(set(said[0])) > 5


def test_an_amount_takes_its_currency() -> None:
    """1250.0 EUR is 1,250 euros or €1,250, never EUR 1250.0."""
    said = {say(1250.0, "money", rng=Random(seed), today=None, currency="EUR") for seed in range(60)}

    assert {"1,250 euros", "€1,250"} <= said
    assert not any("1250.0" in text for text in said)


def test_enums_lose_their_underscores() -> None:
    """The human form comes first; the value as it stands is still a form."""
    assert forms("annual_leave", "enum") == ("annual leave", "annual_leave")
    assert forms("inProgress", "enum") == ("in progress", "inProgress")
    assert forms("USD", "enum") == ("USD",)


def test_codes_stand_as_they_are() -> None:
    """An identifier has one form."""
    assert forms("PO-55120", "code") == ("PO-55120",)


@pytest.mark.parametrize(
    ("one", "many"), [("child", "children"), ("box", "boxes"), ("hotel room", "hotel rooms"), ("day", "days")]
)
def test_plurals(one: str, many: str) -> None:
    """The last word of a noun phrase is the one that changes."""
    assert many == plural(one)


def test_a_day_written_short_is_said_in_full() -> None:
    """And read back."""
    assert forms("thu", "enum")[0] == "Thursday"
    assert mentions("on Thursday, please", "thu", "enum", today=None)


QUANTITIES = st.one_of(
    st.tuples(st.dates(date(1900, 1, 1), date(2100, 1, 1)).map(date.isoformat), st.just("date")),
    st.tuples(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)).map(datetime.isoformat), st.just("datetime")),
    st.tuples(st.times().map(lambda one: time(one.hour, one.minute).isoformat()[:5]), st.just("time")),
    st.tuples(st.integers(0, 10_000_000), st.sampled_from(["count", "number", "money", "year", "percent"])),
    st.tuples(st.floats(0, 1, allow_nan=False).map(lambda one: round(one, 2)), st.just("percent")),
)


@given(QUANTITIES, st.integers(0, 99), st.booleans())
def test_a_value_that_is_a_quantity_is_said_as_one(pair: tuple[Any, Kind], seed: int, is_dated: bool) -> None:
    """The quick tests pass every text that mentions such a value, however a person says it."""
    value, kind = pair
    today = date(2026, 3, 2) if is_dated else None
    text = f"I'd say {say(value, kind, rng=Random(seed), today=today)} then."
    if is_read_as_quantity(value, kind) and mentions(text, value, kind, today=today):
        assert any(map(hints_at_quantity, words(text))) or hints_between_words(text.lower()), text
        assert not said_sorts(text, today).isdisjoint(needed_sorts(value, kind)), text
    assert is_read_as_quantity(value, kind) or kind == "year"


def test_a_choice_that_is_a_path_is_said_as_it_is() -> None:
    assert forms("Acme.Web/publishingUsers", "enum") == ("Acme.Web/publishingUsers",)
    assert forms("publishingUsers", "enum")[0] == "publishing users"


@given(st.times().map(lambda one: one.replace(second=0, microsecond=0)), st.integers(0, 99))
def test_clear_times_are_of_one_half_of_the_day(clock: time, seed: int) -> None:
    """Said in words they tell which, else they are in 24 hours; they are read as what they are, and found."""
    said = say_clearly(f"{clock:%H:%M}", "time", rng=Random(seed), today=TODAY)
    told = any(half in said for half in ("morning", "afternoon", "evening", "noon", "midnight", "am", "pm"))
    assert told or said == f"{clock:%H:%M}"
    assert [one.value for one in scan(f"It's {said}.", TODAY) if one.sort == "time"] == [clock]
    assert mentions(f"It's {said}.", f"{clock:%H:%M}", "time", today=TODAY)


@pytest.mark.parametrize("seed", range(40))
def test_clear_moments_are_of_one_half_of_the_day(seed: int) -> None:
    """The day may stand before or after the time."""
    said = say_clearly("2026-11-05T08:45:00Z", "datetime", rng=Random(seed), today=TODAY)
    assert "in the morning" in said or "08:45" in said or "8:45 am" in said
    assert mentions(said, "2026-11-05T08:45:00Z", "datetime", today=TODAY)
    assert said in clear_forms("2026-11-05T08:45:00Z", "datetime", TODAY)
