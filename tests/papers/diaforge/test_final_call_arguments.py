"""Exactly the gold map, valid by the tool's schema."""

from __future__ import annotations

from typing import Any

import pytest
from spoken import transfer

from callwright.papers.diaforge.final_call import tool_argument_issues
from diaforge_builders import tools_of, with_arguments

GOLD = {"from_warehouse": "north", "to_warehouse": "harbour", "product_code": "A-3047", "quantity": 12}


def codes(values: dict[str, Any]) -> set[tuple[str, str]]:
    dialogue = with_arguments(transfer(), values)
    return {
        (issue.code, issue.where.rpartition(".")[2]) for issue in tool_argument_issues(dialogue, tools_of(dialogue))
    }


@pytest.mark.parametrize("values", [GOLD, dict(reversed(GOLD.items())), GOLD | {"quantity": 12.0}])
def test_the_gold_map_has_no_fault(values: dict[str, Any]) -> None:
    """In any order, numbers by value."""
    assert codes(values) == set()


@pytest.mark.parametrize("name", GOLD)
def test_each_argument_is_missed(name: str) -> None:
    """A missing argument is one fault, though both the gold map and the schema want it."""
    assert codes({key: value for key, value in GOLD.items() if key != name}) == {("argument_missing", name)}


def test_superfluous_arguments_are_named() -> None:
    """Whatever they hold."""
    assert codes(GOLD | {"note": None}) == {("argument_unexpected", "note")}


def test_a_wrong_value_may_break_the_schema_as_well() -> None:
    """Both faults are told."""
    assert codes(GOLD | {"quantity": 13}) == {("argument_wrong_value", "quantity")}
    assert codes(GOLD | {"to_warehouse": "moon"}) == {
        ("argument_wrong_value", "to_warehouse"),
        ("argument_enum", "to_warehouse"),
    }


def test_numbers_as_text_fit_the_gold_but_not_the_schema() -> None:
    """Equality is tried after coercion; the schema is taken at its word."""
    assert codes(GOLD | {"quantity": "12"}) == {("argument_type", "quantity")}
