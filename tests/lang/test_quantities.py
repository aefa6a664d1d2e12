"""What in a text is a date, a time, a number or a code."""

from __future__ import annotations

from datetime import date, time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from callwright.lang.quantities import PartialDate, scan

TODAY = date(2026, 11, 2)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("PO-5512 on Nov 5", [("code", "PO-5512"), ("date", date(2026, 11, 5))]),
        ("three guests at half past nine", [("number", 3), ("time", time(9, 30))]),
        ("15% off 1,250 euros", [("percent", 15), ("money", 1250)]),
        ("$2.5k, or 3k", [("money", 2500.0), ("number", 3000)]),
        ("the 5th floor", []),
        ("that one, one of them, no one", []),
        ("one guest", [("number", 1)]),
        ("One.", [("number", 1)]),
        ("may I?", []),
        ("version 2.4.1", [("code", "2.4.1")]),
        ("a 10-day trip", [("number", 10)]),
        ("mail a.b@c.example, or see https://x.example/y?a=1.", [("email", "a.b@c.example"),
                                                                ("url", "https://x.example/y?a=1")]),
        ("call +49 30 901820", [("phone", "+49 30 901820")]),
        ("from the 3rd to the 7th", [("date", date(2026, 11, 3)), ("date", date(2026, 11, 7))]),
        ("in a week's time", [("date", date(2026, 11, 9))]),
        ("minus four", [("number", -4)]),
        ("by the ninth of April", [("date", date(2027, 4, 9))]),
        ("Ninth of April.", [("date", date(2027, 4, 9))]),
        ("April the ninth", [("date", date(2027, 4, 9))]),
        ("the twenty-first of December 2027", [("date", date(2027, 12, 21))]),
        ("may I first ask, I may the second time", []),
        ("the second of the orders, the tenth of the month", []),
    ],
)  # fmt: skip
def test_things_are_told_apart(text: str, found: list[tuple[str, object]]) -> None:
    """Each thing is found once, as what it is."""
    assert found == [(q.sort, q.value) for q in scan(text, TODAY)]


def test_a_date_without_year_is_partial_when_today_is_unknown() -> None:
    """Month and day are kept for comparison; relative dates are left out."""
    assert [PartialDate(11, 5)] == [q.value for q in scan("Nov 5 or tomorrow", None)]


@given(st.text(max_size=300))
@example("Two rooms for 3 nights from May 5 at 5 pm, 200 euros each.")
def test_any_text_is_scanned_in_order_without_overlaps(text: str) -> None:
    """Spans lie inside the text, one after the other."""
    found = scan(text, TODAY)

    assert all(0 <= q.start < q.end <= len(text) for q in found)
    assert all(first.end <= second.start for first, second in pairwise(found))


@pytest.mark.parametrize(
    "frame", ["{}", "in {} days", "{}%", "${}k", "-{} kg", "at {} pm", "the {}th", "{}/2/2026", "3.{}"]
)
@pytest.mark.parametrize("digits", [301, 5_000])
def test_a_row_of_digits_without_end_is_no_number(frame: str, digits: int) -> None:
    """A degenerate reply may hold thousands of digits; every number that is read has a float."""
    found = scan(frame.format("9" * digits), TODAY)

    assert found
    assert all(abs(float(one.value)) < float("inf") for one in found if isinstance(one.value, (int, float)))
