"""Forms of dates and times, and layouts of schemas."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.dates import (
    date_forms,
    moment_layout,
    parse_clock,
    parse_moment,
    resolve_weekday,
    time_forms,
    write,
)
from callwright.lang.quantities import scan

TODAYS = st.dates(date(2020, 1, 1), date(2035, 12, 31))
DISTANCES = st.integers(-400, 400)


@given(TODAYS, DISTANCES)
def test_every_form_of_a_date_means_that_date(today: date, distance: int) -> None:
    """Whatever day it is, each way to say a date is read as that date alone."""
    day = today + timedelta(distance)
    assert date_forms(day, today)
    for form in date_forms(day, today):
        assert [day] == [q.value for q in scan(f"Could we do {form}, please?", today)], form


@given(st.dates(date(1950, 1, 1), date(2050, 12, 31)))
def test_without_today_all_forms_have_the_year(day: date) -> None:
    """Nothing relative is said when nobody knows what day it is."""
    assert date_forms(day, None)
    for form in date_forms(day, None):
        assert str(day.year) in form
        assert [day] == [q.value for q in scan(form, None)]


@given(st.times().map(lambda moment: moment.replace(second=0, microsecond=0)))
def test_every_form_of_a_time_means_that_time(moment: time) -> None:
    """Each way to say a time of day is read as that time."""
    assert time_forms(moment)
    for form in time_forms(moment):
        assert [moment] == [q.value for q in scan(f"Make it {form} then.", None)], form


@pytest.mark.parametrize(
    ("described", "kind", "written"),
    [
        ("Slot as YYYYMMDDHH.", "datetime", "2027061508"),
        ("Time in the form YYYYMMDD_HHmm", "datetime", "20270615_0830"),
        ("The day (DD.MM.YYYY).", "date", "15.06.2027"),
        ("The day, DDMMYYYY", "date", "15062027"),
        ("The month (MM/YYYY).", "date", "06/2027"),
        ("The month as YYYYMM", "date", "202706"),
    ],
)
def test_a_moment_is_written_in_the_letters_of_its_description(described: str, kind: str, written: str) -> None:
    """And is read as that moment, as exactly as these letters tell it."""
    layout, moment = moment_layout({"type": "string", "description": described}, kind), datetime(2027, 6, 15, 8, 30)
    assert write(moment, layout) == written
    read = parse_moment(written)
    assert read is not None
    assert write(read, layout) == written


def test_next_is_the_coming_week_and_last_the_week_before() -> None:
    """On a Wednesday, next Friday is nine days off and last Monday two days ago."""
    wednesday = date(2026, 11, 4)

    assert date(2026, 11, 13) == resolve_weekday(4, wednesday, which="next")
    assert date(2026, 11, 2) == resolve_weekday(0, wednesday, which="last")
    assert date(2026, 11, 6) == resolve_weekday(4, wednesday)


def test_next_weekday_is_said_only_when_one_day_can_be_meant() -> None:
    """`next Friday` on a Wednesday could be in two days or in nine, so it is not said."""
    forms = date_forms(date(2026, 11, 13), date(2026, 11, 4))

    assert not any(form.startswith("next") for form in forms)
    assert "next Tuesday" in date_forms(date(2026, 11, 10), date(2026, 11, 4))


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-11-05", date(2026, 11, 5)),
        ("20261105", date(2026, 11, 5)),
        ("31/12/2026", date(2026, 12, 31)),
        ("12/31/2026", date(2026, 12, 31)),
        ("2026-11-05T09:30:00Z", datetime(2026, 11, 5, 9, 30)),
        ("2026-11-05 09:30", datetime(2026, 11, 5, 9, 30)),
        (1767225600, datetime(2026, 1, 1)),
        ("2026-02-30", None),
        ("soon", None),
    ],
)
def test_values_in_all_layouts_are_parsed(written: str | int, moment: date | None) -> None:
    """ISO, compact, slashed and Unix dates are known; impossible ones are none."""
    assert moment == parse_moment(written)


def test_unix_seconds_are_numbers_unless_text_is_wanted() -> None:
    """A schema of type integer gets a number."""
    assert write(datetime(2026, 1, 1), "unix", as_text=False) == 1767225600
    assert write(date(2026, 1, 1), "unix") == "1767225600"


def test_impossible_times_are_none() -> None:
    """25:00 is no time of day."""
    assert parse_clock("25:00") is None
    assert time(14, 5) == parse_clock("14:05:00Z")


@pytest.mark.parametrize("clock", [time(13), time(14, 15), time(15, 45), time(17, 30), time(18, 30)])
def test_an_hour_after_noon_is_said_to_be_one(clock: time) -> None:
    """`Half past five` alone may be in the morning."""
    forms = time_forms(clock)
    assert len(forms) > 1
    assert all(any(word in form for word in ("pm", "afternoon", f"{clock:%H}")) for form in forms)
