"""Catalogues in the layouts of others: what is written reads back the same, and what has no place is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_examples import EXAMPLES

from callwright.app.catalogs import read_catalog
from callwright.errors import BadInput, UnknownName
from callwright.formats import exports, layouts
from callwright.formats.functions import in_order
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool

SCHEMA = encode({"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "required": ["c", "b"]})
RETURNS = encode({"type": "object", "properties": {"n": {"type": "integer"}}})
TOOL = Tool(name="find", description="Finds *it*.\n\n- really", parameters=SCHEMA, returns=RETURNS, domain="Maps")


def said(catalog: Catalog) -> list[tuple[str, str, Any]]:
    """What a layout must keep of each tool."""
    return [(tool.name, tool.description, tool.parameters) for tool in catalog.tools]


def back(catalog: Catalog, layout: str) -> Catalog:
    """The catalogue written, and read from the text."""
    written = exports.text(exports.export(catalog, layout))
    return layouts.read(json.loads(written), source="doc", layout=layout)


_names = st.text(alphabet="abcXYZ_-09", min_size=1, max_size=64)
_words = st.text(max_size=30)
_leaves = st.one_of(
    st.fixed_dictionaries({"type": st.sampled_from(["string", "integer", "boolean", "null"]), "description": _words}),
    st.fixed_dictionaries({"enum": st.lists(st.integers() | st.text(max_size=4), min_size=1, max_size=3)}),
    st.fixed_dictionaries({"type": st.just("string"), "default": _words, "examples": st.lists(_words, min_size=1)}),
    st.just({}),
)


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    properties = st.dictionaries(st.text(min_size=1, max_size=5), inner, max_size=3)
    return st.builds(
        lambda found, picks: {
            "type": "object",
            "properties": found,
            **({"required": required} if (required := [name for name in found if name in picks]) else {}),
        },
        properties,
        st.sets(st.text(min_size=1, max_size=5)),
    ) | st.builds(lambda item: {"type": "array", "items": item}, inner)


_schemas = st.recursive(_leaves, _objects, max_leaves=6)
_tools = st.fixed_dictionaries(
    {
        "name": _names,
        "description": _words,
        "parameters": st.builds(
            lambda properties, picked: {
                "type": "object",
                "properties": properties,
                "required": [name for name in properties if len(name) % 2 == picked],
            },
            st.dictionaries(st.text(min_size=1, max_size=6), _schemas, max_size=4),
            st.integers(0, 2),
        ),
    }
)


@pytest.mark.parametrize("layout", exports.LAYOUTS)
@given(functions=st.lists(_tools, min_size=1, max_size=4))
def test_what_is_written_reads_the_same(layout: str, functions: list[Any]) -> None:
    """Names, descriptions and parameters of any catalogue survive every layout."""
    catalog = layouts.read(functions, source="doc", layout="functions")
    again = back(catalog, layout)
    assert said(again) == said(catalog)
    assert (again.left_out, again.altered) == ((), ())


@pytest.mark.parametrize("layout", exports.LAYOUTS)
@pytest.mark.parametrize(
    "name",
    [
        "toolbench/G1_instruction.json",
        "toolalpaca/eval_simulated.json",
        "taskbench/multimedia/tool_desc.json",
        "dice/tool_docs.json",
        "sgd/train/schema.json",
        "bfcl/BFCL_v4_live_simple.json",
        "openapi/uspto.json",
        "openapi/slack_v2.json",
    ],
)
def test_real_catalogues_read_the_same(shared_data: Path, layout: str, name: str) -> None:
    """So do those of real catalogues; OpenAPI keeps results and domains as well."""
    catalog = read_catalog(shared_data / name)
    again = back(catalog, layout)
    assert said(again) == said(catalog)
    if layout == "openapi":
        assert [(tool.returns, tool.returns_inferred, tool.domain) for tool in again.tools] == [
            (tool.returns, tool.returns_inferred, tool.domain) for tool in catalog.tools
        ]


@pytest.mark.parametrize("layout", exports.LAYOUTS)
def test_any_character_is_written(layout: str) -> None:
    """Text stays readable; for a lone surrogate, which no UTF-8 has, the reader puts the replacement character."""
    catalog = Catalog(tools=(Tool(name="a", description="né 工具", parameters=SCHEMA),))
    assert "né 工具" in exports.text(exports.export(catalog, layout)).decode()
    broken = Catalog(tools=(Tool(name="a", description="\ud800", parameters=SCHEMA),))
    assert back(broken, layout).tools[0].description == "\ufffd"


@pytest.mark.parametrize("layout", exports.LAYOUTS)
def test_required_parameters_come_first(layout: str) -> None:
    """The order is that of `required`, then that of names, at every depth of the written text."""
    text = exports.text(exports.export(Catalog(tools=(TOOL,)), layout)).decode()
    assert text.index('"c":') < text.index('"b":') < text.index('"a":')


@given(_schemas)
def test_order_changes_no_value(schema: Any) -> None:
    """A schema in reading order is the same schema."""
    assert encode(in_order(schema)) == encode(schema)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["properties", "required", "items", "anyOf", "type", "a"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(parameters=_json, returns=_json, raw=_json, layout=st.sampled_from(sorted(exports.LAYOUTS)))
def test_any_edited_document_is_written(parameters: Any, returns: Any, raw: Any, layout: str) -> None:
    """A catalogue edited by hand may hold any JSON for a schema; it is written all the same."""
    tool = Tool(name="a", parameters=encode(parameters), returns=encode(returns), raw=encode(raw))
    assert b'"a"' in exports.text(exports.export(Catalog(tools=(tool,)), layout))


def test_losses() -> None:
    """What a layout has no place for is named with the tool."""
    catalog = Catalog(tools=(TOOL,))
    assert {layout: [loss.what for loss in exports.export(catalog, layout).losses] for layout in exports.LAYOUTS} == {
        "openai": ["no place for its result schema", "no place for its domain"],
        "anthropic": ["no place for its result schema", "no place for its domain"],
        "mcp": ["no place for its domain"],
        "openapi": [],
    }


@pytest.mark.parametrize(
    ("layout", "tool", "what"),
    [
        ("openai", Tool(name="a", description="x" * 1_025), "over 1,024 characters"),
        ("anthropic", Tool(name="a", parameters=encode({"properties": {"user[id]": {}}})), "Anthropic may refuse"),
        ("openai", Tool(name="a", parameters=encode({"anyOf": [{}, {}]})), "alternatives at the top level"),
        ("mcp", Tool(name="a", returns=RETURNS, returns_inferred=True), "is inferred"),
        ("mcp", Tool(name="a", returns=encode({"type": "array"})), "is no object"),
        ("openai", Tool(name="a.b"), "renamed from `a.b`"),
        ("mcp", Tool(name="a" * 65), "at most 64"),
    ],
)
def test_what_others_may_refuse(layout: str, tool: Tool, what: str) -> None:
    """Limits of the providers are said, one sentence each, and the tool is still written."""
    export = exports.export(Catalog(tools=(tool,)), layout)
    assert [what in loss.what for loss in export.losses] == [True]
    assert len(layouts.read(json.loads(exports.text(export)), source="doc").tools) == 1


def test_names_are_made_valid_and_unique() -> None:
    """Names that become equal are numbered, the same way each time."""
    catalog = Catalog(tools=tuple(Tool(name=name) for name in ("a b", "a.b", "a_b")))
    export = exports.export(catalog, "anthropic")
    assert [tool["name"] for tool in export.document] == ["a_b", "a_b_2", "a_b_3"]
    assert exports.export(catalog, "anthropic") == export


def test_annotations_of_a_server_s_tool() -> None:
    """Title and annotations of a tool that came from an MCP server are in what is written for MCP."""
    entry = {**EXAMPLES["mcp"]["tools"][0], "title": "Find", "annotations": {"readOnlyHint": True}}
    catalog = layouts.read({"tools": [entry]}, source="doc")
    assert exports.export(catalog, "mcp").document["tools"] == [{**entry, "description": ""}]


def test_inferred_results_stay_inferred() -> None:
    """OpenAPI documents of ours say which results were inferred."""
    tool = Tool(name="a", parameters=SCHEMA, returns=RETURNS, returns_inferred=True)
    (again,) = back(Catalog(tools=(tool,)), "openapi").tools
    assert (again.returns, again.returns_inferred) == (RETURNS, True)


def test_damaged_documents_of_ours() -> None:
    """What is no operation of ours any more is left out by name."""
    document = exports.export(Catalog(tools=(TOOL,)), "openapi").document
    document["paths"] |= {"/x": 5, "/y": {"post": {"operationId": 7}}, "/z": {"post": {"operationId": "z"}}}
    catalog = layouts.read(document, source="doc")
    assert [entry.where for entry in catalog.left_out] == ["/x", "/y", "POST /z (z)"]


def test_other_layouts_and_no_tools() -> None:
    """An unknown layout and an empty catalogue are errors."""
    with pytest.raises(UnknownName, match="anthropic, mcp, openai, openapi"):
        exports.export(Catalog(tools=(TOOL,)), "yaml")
    with pytest.raises(BadInput, match="no tools"):
        exports.export(Catalog(tools=()), "openai")
