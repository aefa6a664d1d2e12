"""Codes drawn after an example keep its shape."""

from __future__ import annotations

import re
from datetime import date
from random import Random

import pytest

from callwright.author.personas import bank
from callwright.author.value_codes import usable_examples, vary
from callwright.author.value_drawing import draw_values
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


@pytest.mark.parametrize(
    ("example", "shape"),
    [
        ("DE44500105175407324931", r"DE\d{20}"),
        ("PO-55120", r"PO-\d{5}"),
        ("550e8400-e29b-41d4-a716-446655440000", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    ],
)
def test_a_varied_code_has_the_shape_of_its_example(example: str, shape: str) -> None:
    """Letters before all digits are a prefix, even where they are hexadecimal digits."""
    assert all(re.fullmatch(shape, vary(example, Random(seed))) for seed in range(200))


def test_a_uuid_of_zeros_stands_for_any_uuid() -> None:
    """What is drawn after it has letters too."""
    drawn = [vary("00000000-0000-0000-0000-000000000000", Random(seed)) for seed in range(20)]
    assert all(re.search("[a-f]", one) for one in drawn)


def test_an_example_has_no_comma_behind_it() -> None:
    """A slip of the document, which nobody says; one between values stays."""
    assert usable_examples({"examples": ["folder_59449484661,", "a,b"]}) == ["folder_59449484661", "a,b"]


def test_a_name_that_a_document_makes_up_for_its_reader_is_no_example() -> None:
    """`My Board` and `my-board` are nobody's; a sentence about something of mine is said, and `mysql` is a name."""
    shown = ["My Board", "my-board", "MyBoard", "mysql", "My order is late"]

    assert usable_examples({"examples": list(shown)}) == ["mysql", "My order is late"]


def test_an_identifier_is_not_always_the_one_that_is_shown() -> None:
    """Also where it has only two digits."""
    visit = {"type": "string", "description": "Number of the visit (e.g. 'V-77')."}
    tool = Tool(
        name="cancel_visit",
        description="Cancel a visit.",
        parameters=encode({"type": "object", "properties": {"visit_id": visit}, "required": ["visit_id"]}),
    )
    drawn = {
        str(draw_values(Random(seed), tool, bank()[0], today=date(2026, 5, 5), also=())["visit_id"])
        for seed in range(40)
    }
    assert len(drawn) > 10
    assert all(re.fullmatch(r"V-\d\d", one) for one in drawn)
