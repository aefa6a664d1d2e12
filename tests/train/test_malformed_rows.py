"""Rows that something damaged: any JSON in any place is a finding of its row, and breaks no check."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from training_talks import samples

from callwright.train.chat_template import read_template
from callwright.train.export_report import VerifySettings, verdict
from callwright.train.trainer_layouts import LAYOUTS
from callwright.train.training_sample import Slices, TrainingSample

Place = tuple[str | int, ...]

CASES = [
    ("trl", "turn", "qwen2_5"),
    ("trl", "turn", "llama3_2"),
    ("trl", "dialogue", "qwen2_5"),
    ("axolotl", "turn", "gemma4_v5"),
    ("sharegpt", "turn", ""),
    ("sharegpt", "dialogue", ""),
]
"""Layout, slices and template; none for a layout that no chat template renders."""

WORDS = st.sampled_from(
    ["", "x", "\ud800", "[", "{}", '[{"name": 7}]', "name", "function", "parameters", "properties", "enum"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=5,
)


def places(value: Any, at: Place = ()) -> Iterator[Place]:
    """All places in a JSON value, the whole one first."""
    yield at
    named = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in named:
        yield from places(inner, (*at, name))


def damaged(row: dict[str, Any], at: Place, value: Any) -> dict[str, Any]:
    """The row with another value at a place; tools that are text are opened, and written as text again."""
    found = opened(row)
    *way, last = at
    part = found
    for name in way:
        part = part[name]
    part[last] = value
    if isinstance(row["tools"], str) and at != ("tools",):
        found["tools"] = json.dumps(found["tools"])
    return found


def opened(row: dict[str, Any]) -> dict[str, Any]:
    found = copy.deepcopy(row)
    if isinstance(row["tools"], str):
        found["tools"] = json.loads(row["tools"])
    return found


def rows_named(row: dict[str, Any], sample: TrainingSample, layout: str, template: str) -> set[int]:
    chosen = read_template(template) if template else None
    return {one.row for one in verdict([row], [sample], VerifySettings(layout, chosen)).findings}


@pytest.mark.parametrize(("layout", "slices", "template"), CASES)
@settings(max_examples=30)
@given(data=st.data())
def test_any_json_in_any_place_is_a_finding_of_its_row(
    layout: str, slices: Slices, template: str, data: st.DataObject
) -> None:
    """Whatever stands in the place of a message, a call, a tool, a schema or one of their values."""
    sample = samples(slices)[-1]
    row: Any = LAYOUTS[layout].write(sample)
    at = data.draw(st.sampled_from([place for place in places(opened(row)) if place]))
    found = damaged(row, at, data.draw(VALUES))
    assert rows_named(found, sample, layout, template) == ({1} if json.dumps(found) != json.dumps(row) else set())


@pytest.mark.parametrize("name", [["a"], {"a": 1}, 7, None])
def test_a_tool_without_a_name_is_named(name: object) -> None:
    """A name that is a list, an object, a number or nothing is not a tool of the dialogue."""
    sample = samples()[3]
    row: Any = LAYOUTS["trl"].write(sample)
    row = damaged(row, ("tools", 0, "function", "name"), name)
    found = verdict([row], [sample], VerifySettings("trl", read_template("qwen2_5"))).findings
    assert [one.row for one in found if one.code == "E2" and "is not of this dialogue" in one.what] == [1]
