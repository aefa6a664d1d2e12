"""Days that follow from what was said."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.author.worked_out_days import follows, in_years, is_shown_by
from callwright.lang.quantities import scan

TODAY = date(2027, 3, 9)
"""A Tuesday."""
APRIL_12 = date(2027, 4, 12)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("From 12 April, three nights.", "2027-04-15"),
        ("A two-week break from there.", "2027-04-26"),
        ("From 12 April, for a fortnight.", "2027-04-26"),
        ("Half a year from then.", "2027-10-12"),
        ("Can I come a day earlier?", "2027-04-11"),
        ("And the day after?", "2027-04-13"),
        ("and in january?", "2027-01-31"),
        ("In the first quarter of last year.", "2026-03-31"),
        ("The whole of 2025.", "2025-01-01"),
        ("Until the end of the month.", "2027-03-31"),
        ("Just last week, please.", "2027-03-01"),
        ("Next weekend.", "2027-03-20"),
        ("The first Monday in April.", "2027-04-05"),
        ("On Friday the 16th.", "2027-04-16"),
        ("Am 12.4. bitte", "2027-04-12"),
        ("Over Easter.", "2027-03-28"),
        ("On Good Friday.", "2027-03-26"),
        ("By Christmas Eve.", "2027-12-24"),
    ],
)
def test_a_day_follows_from_a_length_a_period_or_a_name(text: str, day: str) -> None:
    """From 12 April 2027 and from today, 9 March."""
    assert follows(date.fromisoformat(day), text, [TODAY, APRIL_12])


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Book it for 12 April.", "2027-04-13"),
        ("On the 18th, please.", "2027-05-01"),
        ("From 12 April, three nights.", "2027-04-20"),
        ("On Friday the 16th.", "2027-04-23"),
        ("Until the end of the month.", "2027-03-19"),
        ("Over Easter.", "2027-04-28"),
    ],
)
def test_another_day_does_not_follow(text: str, day: str) -> None:
    """Nor where a length, a period or a weekday is named."""
    assert not follows(date.fromisoformat(day), text, [TODAY, APRIL_12])


@given(st.integers(min_value=1, max_value=400), st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_as_many_days_later_follow(days: int, known: date) -> None:
    """From any day."""
    assert follows(known + timedelta(days), f"for {days} days", [known])


@given(st.text(max_size=80), st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_any_text_can_be_read(text: str, day: date) -> None:
    """Whatever it says."""
    assert follows(day, text, [TODAY]) in (True, False)


@pytest.mark.parametrize(
    ("said", "is_shown"),
    [
        ("Monday", True),
        ("the 12th", True),
        ("Monday the 12th", True),
        ("Friday", False),
        ("the 2nd", False),
        ("so", False),
    ],
)
def test_words_without_a_month_may_show_a_day(said: str, is_shown: bool) -> None:
    """By weekday and number."""
    assert is_shown_by(APRIL_12, said) is is_shown


@pytest.mark.parametrize(
    ("day", "text", "is_it"),
    [
        (date(2027, 7, 3), "the first Saturday in July", True),
        (date(2027, 4, 30), "on the last Friday of April", True),
        (date(2027, 7, 10), "the first Saturday in July", False),
        (date(2027, 7, 2), "the first Saturday in July", False),
    ],
)
def test_a_weekday_is_counted_in_its_month(day: date, text: str, is_it: bool) -> None:
    """However far it is."""
    assert follows(day, text, [date(2027, 3, 9)]) is is_it


def test_a_day_without_its_year_may_be_of_the_next_one() -> None:
    """As the third of January after New Year's Eve."""
    (one,) = scan("until 3 January", date(2027, 3, 9))
    assert date(2028, 1, 3) in in_years(one)
    (full,) = scan("until 3 January 2027", date(2027, 3, 9))
    assert in_years(full) == [date(2027, 1, 3)]
