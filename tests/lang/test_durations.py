"""Lengths of time in another unit than the parameter's."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from callwright.lang.durations import length_forms, says_length, unit_of

UNITS = st.sampled_from(("second", "minute", "hour", "day", "week", "month", "year"))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("half an hour is enough for the beginning", 30, "minute"),
        ("An hour and a half, please.", 90, "minute"),
        ("one and a half hours", 90, "minute"),
        ("an hour and ten minutes", 70, "minute"),
        ("a quarter of an hour", 15, "minute"),
        ("three quarters of an hour", 45, "minute"),
        ("an hour and a quarter", 75, "minute"),
        ("90 minutes", 1.5, "hour"),
        ("a 90-minute lesson", 1.5, "hour"),
        ("two weeks", 14, "day"),
        ("for a fortnight", 14, "day"),
        ("half a year", 6, "month"),
        ("a year", 12, "month"),
    ],
)
def test_a_length_is_heard_in_any_unit(text: str, value: float, unit: str) -> None:
    """And no other number of the unit is."""
    assert says_length(text, value, unit)
    assert not says_length(text, value + 1, unit)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("an hour and ten minutes", 10, "minute"),
        ("20 euros an hour", 60, "minute"),
        ("twice a week", 7, "day"),
        ("half past nine", 30, "minute"),
        ("one month", 30, "day"),
        ("half an hour", 30, ""),
        ("half an hour", True, "minute"),
        ("half an hour", "30", "minute"),
        ("second of two", 2, "second"),
    ],
)
def test_what_is_no_such_length_is_not_heard(text: str, value: object, unit: str) -> None:
    """A rate, a time of day, a part of a longer length, a month in days."""
    assert not says_length(text, value, unit)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "description", "unit"),
    [
        ("minutes", "", "minute"),
        ("lesson_minutes", "how long it is", "minute"),
        ("length", "Length of the rental in weeks.", "week"),
        ("rental", "how many months", "month"),
        ("day", "day of the lesson", ""),
        ("seats", "seats to be reserved", ""),
    ],
)
def test_a_unit_is_that_of_name_or_description(name: str, description: str, unit: str) -> None:
    """Only what counts units has one: `day` is a date."""
    assert unit_of(name, description) == unit


@given(st.integers(1, 400), UNITS)
def test_each_form_is_heard_as_the_value_and_as_no_other(value: int, unit: str) -> None:
    """Both directions agree; five months have no such form."""
    forms = length_forms(value, unit)
    assume(forms)
    assert forms
    for form in forms:
        assert says_length(f"I'd say {form}, thanks.", value, unit)
        assert not says_length(f"I'd say {form}, thanks.", value + 1, unit)


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    """Whatever it holds."""
    assert says_length(text, 30, "minute") in (True, False)
