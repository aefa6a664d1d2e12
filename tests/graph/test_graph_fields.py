"""The fields that edges can join: where they stand, and that hostile schemas stay bounded."""

from __future__ import annotations

from typing import Any

import pytest
from graph_catalogs import TEXT, listed, one_of, tool

from callwright.graph.graph_fields import MOST_OUTPUTS, has_output, input_fields, output_fields


def test_outputs_are_named_by_pointers() -> None:
    """Position 0 stands for every item of a list; names are escaped as RFC 6901 says."""
    found = output_fields(
        tool("list", returns=listed({"id": TEXT, "a/b~c": TEXT, "tags": {"type": "array", "items": TEXT}}))
    )

    assert [(one.place, one.type, one.is_listed) for one in found] == [
        ("/entries/0/a~1b~0c", "string", True),
        ("/entries/0/id", "string", True),
        ("/entries/0/tags", "array of string", True),
        ("/entries/0/tags/0", "string", True),
    ]


def test_all_alternatives_are_walked() -> None:
    """A result may be any of them."""
    either = {"oneOf": [one_of({"id": TEXT}), one_of({"code": TEXT})]}

    assert [one.place for one in output_fields(tool("get", returns=either))] == ["/id", "/code"]


def test_inputs_are_the_values_that_a_call_needs() -> None:
    """What a required object needs is an input of its own; what is optional is none."""
    parent = one_of({"id": TEXT, "note": TEXT}, required=["id"])

    assert [one.place for one in input_fields(tool("copy", needs={"name": TEXT, "parent": parent}))] == [
        "name",
        "parent.id",
    ]


@pytest.mark.parametrize(
    ("pointer", "is_there"),
    [
        ("/entries", True),
        ("/entries/0", True),
        ("/entries/0/a~1b", True),
        ("/entries/0/code", True),
        ("/entries/a~1b", False),
        ("/entries/1", False),
        ("/code", False),
        ("entries", False),
        ("", False),
        ("/entries" * 500, False),
    ],
)
def test_a_pointer_leads_to_what_a_result_may_hold(pointer: str, is_there: bool) -> None:
    """Values, objects and lists, of each alternative."""
    either = {"anyOf": [one_of({"a/b": TEXT}), one_of({"code": TEXT})]}
    shown = tool("list", returns=one_of({"entries": {"type": "array", "items": either}}))

    assert has_output(shown, pointer) == is_there


def test_huge_results_are_bounded() -> None:
    """Many fields and deep ones."""
    deep: Any = TEXT
    for _ in range(50):
        deep = one_of({"more": deep, **{f"field{number}": TEXT for number in range(30)}})

    found = output_fields(tool("get", returns=deep))

    assert 100 < len(found) <= MOST_OUTPUTS
    assert "/field0" in {one.place for one in found}
