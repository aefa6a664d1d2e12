"""Plain JSON Schema as tools."""

from __future__ import annotations

from typing import Any

import pytest

from callwright.errors import BadDocument
from callwright.formats import layouts

CITY: dict[str, Any] = {"type": "string", "minLength": 1}
FIND: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "FindPlace",
    "description": "Finds a place.",
    "type": "object",
    "properties": {"city": CITY},
    "required": ["city"],
}


def read(document: Any) -> Any:
    return layouts.read(document, source="doc")


@pytest.mark.parametrize(
    "document",
    [
        FIND,
        [FIND],
        {"$defs": {"x": FIND}},
        {"definitions": {"x": FIND}, "$schema": "s"},
        {"$ref": "#/definitions/x", "definitions": {"x": FIND}},
        {**FIND, "properties": {"city": {"$ref": "#/$defs/City"}}, "$defs": {"City": CITY}},
    ],
)
def test_an_object_schema_is_a_tool(document: Any) -> None:
    """A schema on its own, in an array, among definitions, or by reference, is called by its title."""
    (tool,) = read(document).tools
    assert (tool.name, tool.description) == ("FindPlace", "Finds a place.")
    assert tool.schema == {"type": "object", "properties": {"city": CITY}, "required": ["city"]}


def test_names_without_a_title() -> None:
    """Without a title the last part of the `$id` is the name, or the name among the definitions."""
    bare = {"type": "object", "properties": {}}
    assert read({**bare, "$id": "https://x.org/find-place.schema.json"}).tools[0].name == "find-place"
    assert read({"$defs": {"find": bare}}).tools[0].name == "find"
    with pytest.raises(BadDocument, match="no `title`"):
        read(bare)


def test_definitions_that_are_no_tools_are_left_out() -> None:
    """A definition that is no object schema is named as left out; it serves the others."""
    find = {"type": "object", "properties": {"city": {"$ref": "#/$defs/City"}}}
    catalog = read({"$defs": {"City": CITY, "Find": find}})
    assert [tool.name for tool in catalog.tools] == ["Find"]
    assert catalog.tools[0].properties == {"city": CITY}
    assert [(entry.where, entry.reason) for entry in catalog.left_out] == [
        ("$defs/City", "no tool: it is no object schema")
    ]


def test_cycles_are_cut_and_said() -> None:
    """A schema that refers back to itself is cut where it comes round; a reference to itself alone is an error."""
    node = {"type": "object", "title": "Node", "properties": {"next": {"$ref": "#"}, "name": {"type": "string"}}}
    catalog = read(node)
    assert "refers back to itself" in catalog.altered[0].what
    with pytest.raises(BadDocument, match="no usable tools"):
        read({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}})


def test_foreign_references() -> None:
    """Another document is never fetched: what needs it is left out."""
    with pytest.raises(BadDocument, match="never fetched"):
        read({**FIND, "properties": {"city": {"$ref": "https://x.org/city.json"}}})
