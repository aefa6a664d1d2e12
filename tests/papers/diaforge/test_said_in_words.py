"""Gold values that are said in words or piece by piece, and values that are taken back."""

from __future__ import annotations

from datetime import date

import pytest

from callwright.author.briefs import known_values
from callwright.papers.diaforge.said_in_words import is_in_words, is_of_a_clock, is_taken_out
from callwright.records.tool import Tool
from strong_author import catalogue

TODAY = date(2027, 3, 9)
MOORING = {"registration": "NB-50471", "basin": "Kiln Basin", "length_m": 17.5, "first_day": "2027-11-01"}


@pytest.fixture(scope="module")
def tool() -> Tool:
    return catalogue("canal_locks").by_name["book_winter_mooring"]


@pytest.mark.parametrize(
    ("text", "value", "is_gold"),
    [
        ("She's seventeen and a half metres.", "seventeen", True),
        ("Seventeen point five.", "Seventeen", True),
        ("She's sixteen and a half metres.", "sixteen", False),
        ("N B, dash, 50471.", "50471", True),
        ("November Bravo, fifty four seventy-one.", "fifty", False),
        ("November Bravo, five zero four seventy-one.", "seventy-one", True),
        ("N B, dash, 50417.", "50417", False),
        ("The boat is 50471.", "50471", True),
        ("The boat is 50417.", "50417", False),
    ],
)
def test_a_part_of_a_gold_value_is_none_of_another(text: str, value: str, is_gold: bool, tool: Tool) -> None:
    """Where the whole is said."""
    assert is_in_words(value, text, known_values(tool, MOORING), TODAY) is is_gold


def test_minutes_before_an_hour_are_of_a_time() -> None:
    """And a number beside it is not."""
    assert is_of_a_clock("twenty", "They open at twenty to eight.")
    assert not is_of_a_clock("twenty", "They have twenty, and open at twenty to eight.")


@pytest.mark.parametrize(
    ("text", "value", "is_out"),
    [
        ("It's 17.5, not 15.7.", "15.7", True),
        ("It's not 15.7.", "15.7", False),
        ("It's 17.5 and 15.7.", "15.7", False),
    ],
)
def test_a_wrong_value_may_be_named_beside_the_right_one(text: str, value: str, is_out: bool, tool: Tool) -> None:
    """Not alone."""
    assert is_taken_out(value, text, known_values(tool, MOORING), TODAY.isoformat()) is is_out
