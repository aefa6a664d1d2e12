"""ToolBench's lists of endpoints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from layout_examples import ENDPOINT
from tool_accounts import accounted, changes

from callwright.app.catalogs import read_catalog
from callwright.formats.toolbench import read


def endpoint(**fields: Any) -> dict[str, Any]:
    return {**ENDPOINT, **fields}


def test_an_endpoint_is_a_tool() -> None:
    """Parameters keep their types, those listed as required are, and the category is the domain."""
    (tool,) = read([{"api_list": [ENDPOINT]}], source="doc").tools
    assert (tool.name, tool.description, tool.domain) == ("Find_place", "Finds a place.", "Data")
    assert tool.source == "query 1, API 1"
    assert tool.schema == {
        "type": "object",
        "properties": {
            "q": {"type": "string", "description": "What.", "examples": ["Ely"]},
            "n": {"type": "number", "default": 5},
        },
        "required": ["q"],
    }
    assert json.loads(tool.raw or "") == ENDPOINT


def test_endpoints_without_queries() -> None:
    """A list of endpoints needs no queries around it."""
    assert read([ENDPOINT], source="doc").tools[0].name == "Find_place"


def test_the_template_of_an_answer_becomes_an_inferred_schema() -> None:
    """Names of types in the template stand for values of them."""
    template = {
        "a": "str",
        "b": "int",
        "c": "float",
        "d": "bool",
        "e": "NoneType",
        "f": "empty list",
        "g": "list of int with length 9",
        "h": [{"x": "str", "_list_length": 4}],
        "i": "anything else",
    }
    (tool,) = read([endpoint(template_response=template)], source="doc").tools
    assert tool.returns_inferred
    assert json.loads(tool.returns or "")["properties"] == {
        "a": {"type": "string"},
        "b": {"type": "integer"},
        "c": {"type": "number"},
        "d": {"type": "boolean"},
        "e": {"type": "null"},
        "f": {"type": "array"},
        "g": {"type": "array", "items": {"type": "integer"}},
        "h": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}}}},
        "i": {},
    }


def test_a_template_cut_short_is_read_as_far_as_it_goes() -> None:
    """A template that is a text cut short gives what stands in it whole, and the tool says so."""
    catalog = read([endpoint(template_response='{"a": "str", "b": [{"c": "int"}, {"d": "i')], source="doc")
    (tool,) = catalog.tools
    assert tool.returns_inferred
    assert list(json.loads(tool.returns or "")["properties"]) == ["a", "b"]
    assert "returns: read from a template that was cut short" in changes(catalog)["Find_place"]


def test_a_text_that_is_no_template_is_said() -> None:
    """Any other text gives no schema, and the tool says so."""
    catalog = read([endpoint(template_response="<html>")], source="doc")
    assert (catalog.tools[0].returns, catalog.tools[0].returns_inferred) == (None, False)
    assert "returns: not known" in changes(catalog)["Find_place"]


@pytest.mark.parametrize(
    ("kind", "default", "schema"),
    [
        ("NUMBER", "2.5", {"type": "number", "default": 2.5}),
        ("NUMBER", "many", {"type": "number"}),
        ("BOOLEAN", "True", {"type": "boolean", "default": True}),
        ("BOOLEAN", "1", {"type": "boolean"}),
        ("ARRAY", '["a"]', {"type": "array", "default": ["a"]}),
        ("OBJECT", "cities", {"type": "object"}),
        ("ENUM", "", {"type": "string"}),
        ("STRING", 7, {"type": "string", "default": "7"}),
        ("DATE (YYYY-MM-DD)", "2020-01-02", {"type": "string", "format": "date", "default": "2020-01-02"}),
        ("int", 3, {"type": "integer", "default": 3}),
    ],
)
def test_defaults_have_their_parameter_s_type(kind: str, default: object, schema: dict[str, Any]) -> None:
    """A default written as text is read as its type would have it; one of another type is dropped and said."""
    parameter = {"name": "p", "type": kind, "description": "", "default": default}
    catalog = read([endpoint(optional_parameters=[parameter])], source="doc")
    assert catalog.tools[0].properties["p"] == schema
    assert ("was dropped" in changes(catalog)["Find_place"]) == ("default" not in schema and default != "")


def test_names_that_several_services_have() -> None:
    """Such names say whose they are; of one service they get a number."""
    other = endpoint(tool_name="✈ Flights")
    third = endpoint(api_description="Another.")
    catalog = read([ENDPOINT, other, third], source="doc")
    assert [tool.name for tool in catalog.tools] == [
        "Find_place_for_Maps",
        "Find_place_for_Flights",
        "Find_place_for_Maps_2",
    ]
    assert all("renamed from `Find place`, which several services have" in what for what in changes(catalog).values())


def test_what_is_no_endpoint_is_left_out() -> None:
    """Each entry of another shape is named with the reason."""
    entries = [5, {}, {"api_name": 7}, endpoint(required_parameters=7), endpoint(optional_parameters=[{"name": None}])]
    catalog = read([{"api_list": [ENDPOINT, *entries]}, {"api_list": None}, "text"], source="doc")
    assert len(catalog.tools) == 1
    assert [entry.where for entry in catalog.left_out] == [
        "query 1, API 2",
        "query 1, API 3",
        "query 1, API 4",
        "query 1, API 5 (Find place)",
        "query 1, API 6 (Find place)",
        "query 2",
        "entry 3",
    ]


def test_a_parameter_documented_twice() -> None:
    """Of two parameters of one name the first is taken, and the tool says so."""
    catalog = read([endpoint(optional_parameters=[{"name": "q", "type": "NUMBER"}])], source="doc")
    assert catalog.tools[0].properties["q"]["type"] == "string"
    assert "`q` is documented twice" in changes(catalog)["Find_place"]


@pytest.mark.parametrize(("name", "entries", "tools"), [("G1", 862, 820), ("G2", 690, 604), ("G3", 352, 44)])
def test_real_lists_are_read_whole(shared_data: Path, name: str, entries: int, tools: int) -> None:
    """Every distinct endpoint of a real list is a tool, with all its parameters; nothing is left out."""
    path = shared_data / "toolbench" / f"{name}_instruction.json"
    listed = [api for query in json.loads(path.read_text()) for api in query["api_list"]]
    distinct = {json.dumps(api, sort_keys=True): api for api in listed}
    catalog = read_catalog(path)
    assert (len(listed), len(distinct)) == (entries, tools)
    assert (len(catalog.tools), accounted(catalog), catalog.left_out) == (tools, entries, ())
    assert {json.dumps(json.loads(tool.raw or ""), sort_keys=True) for tool in catalog.tools} == set(distinct)
    for tool in catalog.tools:
        raw = json.loads(tool.raw or "")
        required, optional = ([one["name"] for one in raw[f"{key}_parameters"]] for key in ("required", "optional"))
        assert set(tool.properties) == {*required, *optional}
        assert list(tool.required) == required
        template = raw.get("template_response")
        assert (tool.returns is not None) == bool(template)


def test_names_of_the_first_list(shared_data: Path) -> None:
    """The 820 tools of G1 come from 756 different names."""
    catalog = read_catalog(shared_data / "toolbench" / "G1_instruction.json")
    assert len({json.loads(tool.raw or "")["api_name"] for tool in catalog.tools}) == 756
    assert len(catalog.by_name) == 820
