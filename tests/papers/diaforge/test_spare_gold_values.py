"""Optional values that a model as author gives beside those that it is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from callwright.author.personas import bank
from callwright.papers.diaforge.gold_writing import gold_values
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

TEXT = {"type": "string", "description": "a remark for the office"}
TOOL = Tool(
    name="book_van",
    description="Book a van.",
    parameters=encode(
        {
            "type": "object",
            "properties": {
                "day": {"type": "string", "format": "date"},
                **{f"note_{name}": TEXT for name in "abcd"},
                "page_token": {"type": "string", "description": "where the list goes on"},
            },
            "required": ["day"],
        }
    ),
)


@pytest.mark.parametrize(
    ("spare", "faults"),
    [
        ({}, 0),
        ({"note_a": "two seats"}, 0),
        ({"note_a": "x", "note_b": "y", "note_c": "z"}, 0),
        ({"note_a": "x", "note_b": "y", "note_c": "z", "note_d": "w"}, 1),
        ({"note_a": ""}, 1),
        ({"page_token": "abc"}, 1),
        ({"colour": "red"}, 2),
        ({"note_a": 5}, 1),
    ],
)
def test_three_that_people_can_say_are_taken(spare: dict[str, Any], faults: int) -> None:
    """Not one more, none that is empty, out of anybody's reach, or against the schema."""
    found = gold_values.faults({"day": "2027-03-12", **spare}, TOOL, ("day",), bank()[0], "2027-03-09")
    assert len(found) == faults
