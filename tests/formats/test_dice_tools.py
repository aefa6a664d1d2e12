"""DICE-BENCH's tool documents and tool graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from layout_examples import EXAMPLES

from callwright.app.catalogs import read_catalog
from callwright.papers.dice.published_functions import read

TOOL = EXAMPLES["dice"]["functions"][0]


def test_a_documented_tool() -> None:
    """Parameters are required, and `return` is the result."""
    (tool,) = read({"functions": [TOOL]}, source="doc").tools
    assert (tool.name, tool.required) == ("find_place", ("q",))
    assert json.loads(tool.returns or "") == {"type": "object", "properties": {"place": {"type": "string"}}}


def test_what_is_no_tool_is_left_out() -> None:
    """Tools of other shapes are named with the reason."""
    broken: list[Any] = [5, {"function": 5}, {**TOOL, "parameters": {}}, {**TOOL, "return": "text"}]
    catalog = read({"nodes": [TOOL, *broken]}, source="doc")
    assert [entry.where for entry in catalog.left_out] == [
        "tool 2",
        "tool 3",
        "tool 4 (find_place)",
        "tool 5 (find_place)",
    ]


@pytest.mark.parametrize("file", ["tool_docs.json", "tool_graph.json"])
def test_the_real_tools_are_read_whole(shared_data: Path, file: str) -> None:
    """All 124 tools are read, in both files alike, with every parameter and return value."""
    document = json.loads((shared_data / "dice" / file).read_text())
    raw = document.get("functions") or document["nodes"]
    catalog = read_catalog(shared_data / "dice" / file)
    assert (len(raw), len(catalog.tools), catalog.left_out) == (124, 124, ())
    for node, tool in zip(raw, catalog.tools, strict=True):
        assert (tool.name, tool.description) == (node["function"], node["desc"])
        assert set(tool.properties) == {one["name"] for one in node["parameters"]}
        assert json.loads(tool.returns or "")["properties"].keys() == node["return"].keys()
