"""Values of small talk: passed, asked again, or refused."""

from __future__ import annotations

from datetime import date

import pytest

from callwright.author.briefs import Known, known_values
from callwright.papers.diaforge.said_in_passing import is_in_passing, may_be_passing
from strong_author import catalogue

TODAY = date(2027, 3, 9)


@pytest.fixture(scope="module")
def known() -> tuple[Known, ...]:
    """Values of a bed, a number of bags, and a day."""
    tool = catalogue("oyster_farm").by_name["harvest_bags"]
    return tuple(known_values(tool, {"bed": "B7", "bags": 45, "day": "2027-03-12"}))


@pytest.mark.parametrize(
    ("text", "value", "is_passed"),
    [
        ("We have done this since 1987.", "1987", True),
        ("It's 600 km to them.", "600", True),
        ("She has a fever of 39.2 degrees.", "39.2", True),
        ("I was there yesterday.", "yesterday", True),
        ("There are 140 guests.", "140", False),
        ("Please lift 52 bags.", "52", False),
        ("Make it 1987, please.", "1987", False),
        ("It has to be done tomorrow.", "tomorrow", False),
    ],
)
def test_years_measures_and_days_gone_by_are_no_fault(
    text: str, value: str, is_passed: bool, known: tuple[Known, ...]
) -> None:
    """A number of what the tool takes is one, and so is a bare one."""
    assert is_in_passing(value, text, known, TODAY) is is_passed


@pytest.mark.parametrize(
    ("text", "value", "may_be"),
    [
        ("There are 140 guests.", "140", True),
        ("They all had COVID-19.", "COVID-19", True),
        ("Please lift 52 bags.", "52", False),
        ("I'd say 52.", "52", False),
        ("My wife is 52.", "52", True),
        ("They want 90, but half of that will do.", "90", True),
        ("They want 80, but half of that will do.", "80", False),
        ("We had 40, and five more now.", "40", True),
        ("It's bed C4.", "C4", False),
    ],
)
def test_a_number_with_a_noun_of_its_own_may_be_of_something_else(
    text: str, value: str, may_be: bool, known: tuple[Known, ...]
) -> None:
    """And so may a code of another form; not one of the form of the user's own."""
    assert may_be_passing(value, text, known, TODAY) is may_be
