"""Lists of functions in OpenAI's layout."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.app.catalogs import read_catalog
from callwright.errors import BadDocument
from callwright.formats.functions import read, write_openai

_WILD = Path(__file__).parents[2] / "../shared/data/wild/tools_en.jsonl"

PING = {
    "name": "ping",
    "description": "Pings a *host*.",
    "parameters": {"type": "object", "properties": {"host": {"type": "string"}}, "required": ["host"]},
}
WRAPPED = {"type": "function", "function": PING}


@pytest.mark.parametrize(
    "document",
    [[PING], [WRAPPED], {"tools": [WRAPPED]}, {"functions": [PING]}, PING, WRAPPED, [[WRAPPED]], [{"tools": [PING]}]],
)
def test_layouts(document: Any) -> None:
    """Bare and wrapped functions, in an array, under `tools` or `functions`, or one list inside another, are read."""
    catalog = read(document, source="doc")
    assert [(tool.name, tool.description, tool.schema) for tool in catalog.tools] == [
        ("ping", PING["description"], PING["parameters"])
    ]
    assert catalog.altered == ()


def test_what_is_no_function_is_left_out() -> None:
    """Each entry that cannot be used is left out, with its place and the reason."""
    entries = [
        PING,
        5,
        {"type": "web_search"},
        {"name": "a", "parameters": "none"},
        {"name": "b", "parameters": {"type": "array"}},
        {"name": "c", "parameters": {"properties": {"x": {"$ref": "https://x.org"}}, "required": ["x"]}},
    ]
    catalog = read(entries, source="doc")
    assert len(catalog.tools) == 1
    assert [entry.where for entry in catalog.left_out] == [
        "entry 2",
        "entry 3",
        "entry 4 (a)",
        "entry 5 (b)",
        "entry 6 (c)",
    ]


def test_equal_documents_are_merged_and_equal_names_kept_apart() -> None:
    """An equal document is merged whatever its wrapping; another one of the same name gets a name of its own."""
    other = {**PING, "description": "Another."}
    catalog = read([[PING, other], [WRAPPED]], source="doc")
    assert [tool.name for tool in catalog.tools] == ["ping", "ping_2"]
    assert {entry.tool: entry.what for entry in catalog.altered} == {
        "ping": "1 equal document merged into it (list 2, entry 1)",
        "ping_2": "renamed from `ping`, which another tool is called",
    }


def test_repairs_keep_the_raw_document() -> None:
    """Types of other languages are read as JSON Schema's; `raw` keeps what came."""
    function = {
        "name": "a.b",
        "parameters": {"type": "dict", "properties": {"x": {"type": "float"}, "y": {"type": "any"}}},
    }
    catalog = read([function], source="doc")
    (tool,) = catalog.tools
    assert tool.name == "a_b"
    assert tool.schema == {"type": "object", "properties": {"x": {"type": "number"}, "y": {}}}
    assert json.loads(tool.raw or "") == function
    assert "renamed from `a.b`" in catalog.altered[0].what


def test_definitions_inside_the_parameters() -> None:
    """References start at the root of the parameter schema."""
    parameters = {"type": "object", "properties": {"x": {"$ref": "#/$defs/X"}}, "$defs": {"X": {"type": "integer"}}}
    (tool,) = read([{"name": "f", "inputSchema": parameters}], source="doc").tools
    assert tool.schema == {"type": "object", "properties": {"x": {"type": "integer"}}}


def test_layouts_of_other_providers() -> None:
    """Anthropic's `input_schema`, MCP's `inputSchema` and `outputSchema` and OpenAI's flat functions are read."""
    schema = PING["parameters"]
    returns = {"type": "object", "properties": {"ms": {"type": "integer"}}}
    entries = [
        {"name": "a", "description": "A.", "input_schema": schema},
        {
            "name": "b",
            "title": "B",
            "inputSchema": schema,
            "outputSchema": returns,
            "annotations": {"readOnlyHint": True},
        },
        {"type": "function", "name": "c", "parameters": schema, "strict": True},
    ]
    tools = read(entries, source="doc").tools
    assert [tool.name for tool in tools] == ["a", "b", "c"]
    assert all(tool.schema == schema for tool in tools)
    assert json.loads(tools[1].returns or "") == returns
    assert json.loads(tools[1].raw or "") == entries[1]


def test_an_answer_of_a_server() -> None:
    """The answer to `tools/list` is read as it was sent; that it has further pages is said."""
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"tools": [PING], "nextCursor": "2"}}
    catalog = read(answer, source="doc")
    assert [tool.name for tool in catalog.tools] == ["ping"]
    assert [entry.where for entry in catalog.left_out] == ["`nextCursor`"]


def test_tools_of_a_provider_s_own() -> None:
    """A tool that the provider runs itself has no parameters to read, and is left out by name."""
    catalog = read([PING, {"type": "web_search_20250305", "name": "web_search"}], source="doc")
    assert "web_search_20250305" in catalog.left_out[0].reason


def test_no_parameters() -> None:
    """A function without parameters takes none."""
    (tool,) = read([{"name": "f"}], source="doc").tools
    assert tool.schema == {"type": "object", "properties": {}}


@pytest.mark.parametrize("document", [[], [5], {"tools": []}])
def test_no_usable_function(document: Any) -> None:
    """A list without one usable function is an error."""
    with pytest.raises(BadDocument, match="no usable tools"):
        read(document, source="doc")


_names = st.text(alphabet="abc_", min_size=1, max_size=4)
_schemas = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", "integer", "boolean"]), "description": st.text(max_size=9)}
)
_functions = st.fixed_dictionaries(
    {
        "name": _names,
        "description": st.text(max_size=20),
        "parameters": st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(_names, _schemas, max_size=3)}
        ),
    }
)


@given(st.lists(_functions, min_size=1, max_size=5))
def test_write_and_read_are_a_pair(functions: list[Any]) -> None:
    """What was written reads as the same names, descriptions and schemas."""
    catalog = read(functions, source="doc")
    again = read(write_openai(catalog.tools), source="doc")
    assert [(t.name, t.description, t.parameters) for t in again.tools] == [
        (t.name, t.description, t.parameters) for t in catalog.tools
    ]


@pytest.mark.skipif(not _WILD.is_file(), reason="the real lists are not here")
def test_wild_lists_are_accounted_for() -> None:
    """All 1,248 tools of the 256 lists are in the catalogue, merged into one there, or left out."""
    entries = [entry["function"] for line in _WILD.read_text().splitlines() for entry in json.loads(line)]
    distinct = {json.dumps(entry, sort_keys=True) for entry in entries}
    catalog = read_catalog(_WILD)
    merged = sum(int(count) for entry in catalog.altered for count in re.findall(r"(\d+) equal document", entry.what))
    assert len(entries) == 1_248
    assert len(catalog.tools) + merged + len(catalog.left_out) == 1_248
    assert len(catalog.tools) == len(distinct)
    assert {json.loads(tool.raw or "")["name"] for tool in catalog.tools} == {entry["name"] for entry in entries}
    changed = {entry.tool for entry in catalog.altered}
    for tool in catalog.tools:
        if tool.name not in changed:
            assert tool.schema == json.loads(tool.raw or "")["parameters"]
