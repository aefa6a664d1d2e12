"""Fields of a result that are fixed: found, checked, and laid on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.environment.fixed_fields import (
    FixedField,
    fixed_faults,
    laid_on,
    leaves_of,
    read_fixed,
    repeated_fields,
)
from callwright.environment.result_faults import nodes_of
from callwright.records.jsontext import Json, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

TASK = {"task_id": {"type": "string"}, "state": {"type": "string"}, "title": {"type": "string"}}
LIST = Tool(
    name="list_tasks",
    description="List tasks.",
    source="GET /tasks",
    parameters=encode({"type": "object", "properties": {"state": {"type": "string"}}}),
    returns=encode({"type": "object", "properties": {"tasks": {"type": "array", "items": {"properties": TASK}}}}),
)
TWO: Json = {"tasks": [{"task_id": "T-1", "state": "open"}, {"task_id": "T-2", "state": "open"}]}

names = st.text(alphabet="ab~/*1", min_size=1, max_size=3)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names.filter(lambda name: name != "*"), inner),
)


def test_what_repeats_the_call_is_fixed() -> None:
    """In every item of a list, and only where all items have it."""
    assert repeated_fields(LIST, {"state": "open"}, TWO) == (FixedField("/tasks/*/state", "open"),)
    assert repeated_fields(LIST, {"state": "closed"}, TWO) == ()


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        (TWO, 0),
        ({"tasks": [{"task_id": "T-1"}, {"task_id": "T-2", "state": "open"}]}, 0),
        ({"tasks": [{"task_id": "T-1", "state": "open"}, {"task_id": "T-2", "state": "done"}]}, 1),
        ({"tasks": [{"task_id": "T-1", "state": "open"}]}, 1),
        ({"tasks": [{"task_id": "T-2", "state": "open"}, {"task_id": "T-1", "state": "open"}]}, 1),
        ([], 1),
        (None, 1),
    ],
)
def test_other_values_and_missing_needed_ones_are_told(value: Json, faults: int) -> None:
    """With place and value; a field that is not needed may be left out."""
    fixed = [FixedField("/tasks/1/task_id", "T-2", is_needed=True), FixedField("/tasks/*/state", "open")]

    found = list(fixed_faults(fixed, value))

    assert len(found) == faults
    assert all("must be" in one for one in found)


def test_a_line_of_a_prompt_is_read_again() -> None:
    """Also with an equals sign in the value."""
    one = FixedField("/a~1b/*/c", {"q": "x = y"})
    assert read_fixed(str(one)) == one


@given(values)
def test_leaves_stand_where_their_pointers_lead(value: Any) -> None:
    """Each plain value, by RFC 6901."""
    found = list(leaves_of(value))
    assert len(found) == sum(not isinstance(node, dict | list) for node in nodes_of(value))
    assert [encode(resolve(value, path) if path else value) for path, _ in found] == [encode(leaf) for _, leaf in found]


@given(values)
def test_a_value_laid_on_itself_tells_the_same(value: Any) -> None:
    """With all its leaves fixed; nothing of it is at fault then."""
    fixed = [FixedField(path, leaf, is_needed=True) for path, leaf in leaves_of(value) if path]
    assert list(leaves_of(laid_on(value, fixed))) == list(leaves_of(value))
    assert not list(fixed_faults(fixed, value))


def test_lists_are_made_as_long_as_their_fixed_items() -> None:
    """Shorter ones get items with other identifiers, longer ones are cut."""
    fixed = [
        FixedField(f"/tasks/{at}/title", title, is_needed=True) for at, title in enumerate(("Paint", "Sand", "Oil"))
    ]
    long: Json = {"tasks": [{"task_id": f"T-{at}", "title": "?"} for at in range(5)]}
    for value in ({"tasks": [{"task_id": "T-19", "title": "?"}]}, long):
        made = laid_on(value, fixed)
        assert isinstance(made, dict)
        tasks: Any = made["tasks"]
        assert [one["title"] for one in tasks] == ["Paint", "Sand", "Oil"]
        assert len({one["task_id"] for one in tasks}) == 3
