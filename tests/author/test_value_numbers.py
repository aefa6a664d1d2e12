"""Numbers near the one that a document shows."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.author.personas import bank
from callwright.author.value_drawing import draw_values
from callwright.author.value_numbers import near_shown, told_numbers
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


def drawn(name: str, **schema: Any) -> set[Any]:
    parameters = {"type": "object", "properties": {name: schema}, "required": [name]}
    tool = Tool(name="record_visit", description="Record a visit.", parameters=encode(parameters))
    return {draw_values(Random(seed), tool, bank()[0], today=date(2026, 3, 2))[name] for seed in range(80)}


@pytest.mark.parametrize(("shown", "least", "most"), [(95, 45, 145), (12.5, 6, 19), (1500, 700, 2300), (0.85, 0.4, 1)])
def test_numbers_are_near_and_as_round(shown: float, least: float, most: float) -> None:
    """Half as much or half as much again, in the steps of the shown one."""
    found = near_shown(shown)
    assert len(found) > 5
    assert shown in found
    assert all(least <= one <= most for one in found)


def test_precise_numbers_differ_in_the_last_digits() -> None:
    """A density of 1.046 is never 1.5."""
    near = near_shown(1.046)
    assert 1.01 < min(near) < 1.046 < max(near) < 1.08


def test_a_year_stays_a_year() -> None:
    """A vintage of 2018 is neither of 1211 nor of 3027; 2,000 litres may be 2,800."""
    assert near_shown(2018) == (2012, 2013, 2014, 2015, 2016, 2017, 2018, 2019)
    assert max(near_shown(2000)) == 3000


def test_no_month_is_the_thirteenth() -> None:
    """What has a natural end keeps to it."""
    assert max(near_shown(11, ("review", "month"))) == 12
    assert max(near_shown(4.5, ("rating",))) == 5


@pytest.mark.parametrize(
    ("name", "of", "shown"),
    [
        ("humidity_percent", "integer", 92),
        ("offer_price", "number", 18.5),
        ("litres", "number", 120),
        ("needle_count", "integer", 30),
        ("minutes", "integer", 45),
        ("vat_number", "integer", 4),
        ("weight", "number", 65),
    ],
)
@pytest.mark.parametrize("by", ["example", "examples", "description"])
def test_numbers_keep_to_the_shown_one(name: str, of: str, shown: float, by: str) -> None:
    """From half to double, wherever the document shows it, and whatever numbers are usual for the name."""
    told: dict[str, Any] = {"example": shown, "examples": [shown], "description": f"As measured, e.g. {shown}"}
    found = drawn(name, type=of, **{by: told[by]})
    assert len(found) > 2
    assert all(shown / 2 <= one <= shown * 2 for one in found)
    assert name != "humidity_percent" or max(found) <= 100


@pytest.mark.parametrize("described", ["e.g. 2026-05-04", "such as 10:30", "e.g. 1 for open", "e.g. 30-60", "e.g. A4"])
def test_what_is_no_number_is_not_taken_for_one(described: str) -> None:
    """Dates, clocks, codes that are explained, and ranges."""
    assert told_numbers(described) == ()


@given(st.one_of(st.integers(-(10**9), 10**9), st.floats(-1e9, 1e9)))
def test_the_shown_number_is_among_those_near(shown: float) -> None:
    """Whole numbers stay whole, and none has another sign."""
    found = near_shown(shown)
    assert any(abs(one - shown) <= 1e-6 + abs(shown) * 1e-6 for one in found)
    assert all(one * shown >= 0 or abs(shown) < 1 for one in found)
    assert all(float(one).is_integer() for one in found if float(shown).is_integer())


def test_the_number_of_a_thing_has_the_digits_of_the_example() -> None:
    """`customer_no` and `member_id` of two digits are not half as large or five digits long."""
    for name in ("customer_no", "member_id"):
        found = drawn(name, type="integer", examples=[88])
        assert len(found) > 20
        assert all(10 <= one <= 99 for one in found)


def test_money_is_near_what_is_shown() -> None:
    """A deposit of 50 is no deposit of 2,000; bounds decide."""
    assert drawn("deposit", type="number", example=50) <= set(near_shown(50))
    assert all(45 <= one <= 60 for one in drawn("deposit", type="number", example=50, minimum=45, maximum=60))
