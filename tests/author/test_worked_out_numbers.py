"""Numbers and times that follow from what was said."""

from __future__ import annotations

from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.author.worked_out_numbers import (
    all_numbers,
    clocks_spelled,
    is_rounded,
    is_same_clock,
    is_working_out,
    lengths_between,
    number_follows,
)

KNOWN = [37.5, 29.0, 128.4, 168.0]


@pytest.mark.parametrize(("number", "digits"), [(66.5, 1), (8.5, 1), (42, 0), (43, 0), (42.8, 1), (336, 0)])
def test_a_number_follows_from_two(number: float, digits: int) -> None:
    """A sum, a difference, a share, a product."""
    assert number_follows(number, digits, KNOWN)


@pytest.mark.parametrize(("number", "digits"), [(61, 0), (911, 0), (119, 0)])
def test_another_number_does_not(number: float, digits: int) -> None:
    """Though it is near."""
    assert not number_follows(number, digits, KNOWN)


@pytest.mark.parametrize(
    ("before", "number", "is_near"),
    [("about ", 130, True), ("", 130, False), ("just over ", 1.8, True), ("", 1.8, True), ("nearly ", 2, True)],
)
def test_a_number_may_be_rounded_or_of_another_unit(before: str, number: float, is_near: bool) -> None:
    """Roughly where it says so; millilitres as litres."""
    assert is_rounded(number, before, [128.4] if number == 130 else [1800.0 if not before else 1900.0]) is is_near


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("three dozen", 36), ("two and a half", 2.5), ("three hundred and forty-two fifty", 342.5),
        ("nineteen euros ninety", 19.9), ("1,250", 1250), ("an hour and a half", 1.5),
        ("seventeen and a half metres", 17.5), ("3 and three quarters", 3.75), ("two and a third", 2.333333),
        ("two point five", 2.5), ("twelve point oh five", 12.05), ("0 point 75", 0.75), ("17½ m", 17.5), ("1 1/2", 1.5),
        ("three quarters of an hour", 0.75), ("half a million", 500_000), ("two and a half thousand", 2500),
        ("1.2 million", 1_200_000), ("40 thousand", 40_000), ("seven metres and a half", 7.5),
    ],
)  # fmt: skip
def test_numbers_are_spelled_in_many_ways(text: str, number: float) -> None:
    """With dozens, halves and cents."""
    assert number in all_numbers(text, None)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("twenty to eight in the morning", time(7, 40)), ("a quarter past nine", time(9, 15)),
        ("half past five", time(17, 30)), ("ten past noon", None), ("5 minutes before 12", time(11, 55)),
        ("half six in the morning", time(6, 30)), ("at seven fifteen", time(7, 15)), ("nine oh five am", time(9, 5)),
        ("seven fifteen francs", None), ("half a dozen", None),
        ("six to eight", None), ("six minutes to eight am", time(7, 54)),
    ],
)  # fmt: skip
def test_times_are_spelled_by_the_face_of_the_clock(text: str, clock: time | None) -> None:
    """Whatever has no hour is none."""
    assert [found for _, _, found in clocks_spelled(text)] == ([] if clock is None else [clock])


def test_a_time_may_be_said_roughly() -> None:
    """Within ten minutes after `about`, and without the half of the day."""
    assert is_same_clock(time(8), time(19, 58), "about ")
    assert not is_same_clock(time(8), time(19, 58), "at ")
    assert is_same_clock(time(3, 30), time(15, 30), "at ")


def test_lengths_lie_between_days() -> None:
    """With the first day and without, and in weeks."""
    assert {67.0, 68.0, 9.6} <= lengths_between([date(2027, 1, 1), date(2027, 3, 9)])


@pytest.mark.parametrize(("text", "is_it"), [("That's 66.50 together.", True), ("The order is 66.50.", False)])
def test_words_tell_that_something_is_worked_out(text: str, is_it: bool) -> None:
    """Only some do."""
    assert is_working_out(text) is is_it


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    """Whatever it says."""
    assert all(0 <= start < end for start, end, _ in clocks_spelled(text))
    assert isinstance(all_numbers(text, None), set)
