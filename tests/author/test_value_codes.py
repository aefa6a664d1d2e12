"""Codes drawn after an example keep its shape."""

from __future__ import annotations

import re
from datetime import date
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

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


def drawn(name: str, example: str, thing: str = "visit") -> set[str]:
    schema = {"type": "object", "properties": {name: {"type": "string", "example": example}}, "required": [name]}
    tool = Tool(name=f"get_{thing}", description=f"Get a {thing}.", parameters=encode(schema))
    return {str(draw_values(Random(seed), tool, bank()[0], today=date(2026, 5, 5))[name]) for seed in range(60)}


@pytest.mark.parametrize(
    ("name", "example", "shape"),
    [
        ("tool", "T-9", r"T-\d"),
        ("treatment_id", "A1", r"A\d"),
        ("batch", "LOT7", r"LOT\d"),
        ("plot_no", "17b", r"\d\db"),
        ("seat", "12A", r"\d\dA"),
        ("berth", "B4", r"B\d"),
        ("hive_id", "hive-07", r"hive-0\d"),
        ("slot", "7pm", r"1?\dpm"),
    ],
)
def test_short_codes_have_other_digits(name: str, example: str, shape: str) -> None:
    """Letters are a prefix; the example is one of those that are drawn."""
    found = drawn(name, example)
    assert len(found) > 5
    assert all(re.fullmatch(shape, one) for one in found)


@pytest.mark.parametrize(
    ("name", "example"),
    [("paper", "A4"), ("encoding", "UTF-8"), ("format", "MP3"), ("pot_size", "3L"), ("width", "25mm")],
)
def test_sizes_and_standards_stay(name: str, example: str) -> None:
    """Nobody prints on A9."""
    assert drawn(name, example) == {example}


@pytest.mark.parametrize(
    ("example", "shape"),
    [
        ("NV-2024-0031", r"NV-202[0-4]-0\d{3}"),
        ("oil on canvas, 1911", r"oil on canvas, 19(?:0[7-9]|1[01])"),
        ("ring at 14:30", r"ring at (?:[89]|1\d):(?:00|15|30|45)"),
        ("7pm", r"(?:\d|1[01])pm"),
        ("3 sacks", r"[2-9] sacks"),
        ("500 mg", r"[2-8]00 mg"),
    ],
)
def test_years_times_and_numbers_of_things_stay_so(example: str, shape: str) -> None:
    """Digits that mean something are not any digits."""
    assert all(re.fullmatch(shape, vary(example, Random(seed))) for seed in range(100))


@given(st.from_regex(r"[A-Z]{0,3}[-#]?[0-9]{1,6}[a-z]?( [a-z]{2,5})?", fullmatch=True), st.integers(0, 99))
def test_a_varied_code_is_as_long_and_has_the_same_letters(example: str, seed: int) -> None:
    """Only digits differ, but for codes that mix letters and digits."""
    assume(not re.search(r"[A-Z]*\d+[A-Z]|[ap]m\b", example))
    assert re.sub(r"\d", "0", vary(example, Random(seed))) == re.sub(r"\d", "0", example)
