"""TaskBench's tool lists and tool graphs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from layout_examples import NODE

from callwright.app.catalogs import read_catalog
from callwright.formats.taskbench import read


def test_named_parameters() -> None:
    """Parameters are required unless their description says that they may be left out."""
    parameters = [
        {"name": "a", "type": "string", "desc": "Where."},
        {"name": "b", "type": "date", "desc": "Optional day."},
        {"name": "c", "type": "number", "desc": "How many (default: 10)."},
    ]
    (tool,) = read({"nodes": [{**NODE, "parameters": parameters}]}, source="doc").tools
    assert tool.required == ("a",)
    assert tool.properties["b"] == {"type": "string", "format": "date", "description": "Optional day."}
    assert tool.returns is None


def test_inputs_and_outputs_with_types_only() -> None:
    """Inputs become parameters called `input`, `input_2`, ...; outputs become the result."""
    node = {"id": "Image Stitcher", "desc": "Joins.", "input-type": ["image", "url"], "output-type": ["image"]}
    (tool,) = read({"nodes": [node], "links": [{"source": "a", "target": "a"}]}, source="doc").tools
    assert (tool.name, tool.description, tool.required) == ("Image_Stitcher", "Joins.", ("input", "input_2"))
    assert tool.properties == {
        "input": {"type": "string", "description": "image"},
        "input_2": {"type": "string", "format": "uri", "description": "url"},
    }
    assert json.loads(tool.returns or "") == {
        "type": "object",
        "properties": {"output": {"type": "string", "description": "image"}},
        "required": ["output"],
    }
    assert not tool.returns_inferred


def test_what_is_no_tool_is_left_out() -> None:
    """Nodes of other shapes are named with the reason."""
    nodes = [
        NODE,
        7,
        {"id": 7, "parameters": []},
        {"id": "a", "parameters": [{"name": 7}]},
        {"id": "b", "parameters": [{"name": "x"}, {"name": "x"}]},
        {"id": "c", "input-type": "text", "output-type": []},
        {"id": "d", "input-type": [], "output-type": [5]},
        {"id": "e"},
    ]
    catalog = read({"nodes": nodes}, source="doc")
    assert len(catalog.tools) == 1
    assert [entry.where for entry in catalog.left_out] == [
        "node 2",
        "node 3",
        *(f"node {i} ({name})" for i, name in enumerate("abcde", 4)),
    ]


@pytest.mark.parametrize(("name", "count"), [("dailylifeapis", 40), ("huggingface", 23), ("multimedia", 40)])
@pytest.mark.parametrize("file", ["tool_desc.json", "graph_desc.json"])
def test_the_real_tools_are_read_whole(shared_data: Path, name: str, count: int, file: str) -> None:
    """Every node is a tool, with every parameter and output."""
    path = shared_data / "taskbench" / name / file
    nodes = json.loads(path.read_text())["nodes"]
    catalog = read_catalog(path)
    assert (len(nodes), len(catalog.tools), catalog.left_out) == (count, count, ())
    for node, tool in zip(nodes, catalog.tools, strict=True):
        assert json.loads(tool.raw or "") == node
        assert len(tool.properties) == len(node.get("parameters", node.get("input-type")))
        assert (tool.returns is not None) == bool(node.get("output-type"))
