"""Descriptions are cut in every layout, which is told once for each tool."""

from __future__ import annotations

from callwright.formats import layouts
from callwright.formats.described import LONGEST_DESCRIPTION
from callwright.records.jsontext import Json

_LONG = "default " * 10_000


def test_long_descriptions_of_a_function_list_are_cut_and_told_once() -> None:
    """A tool's and its parameters' descriptions fit the bound."""
    parameters: Json = {
        "type": "object",
        "properties": {
            "one": {"type": "string", "description": _LONG},
            "many": {"type": "array", "items": {"type": "string", "description": _LONG}},
        },
    }
    document: Json = [{"name": "look_up", "description": _LONG, "parameters": parameters}]
    catalog = layouts.read(document, source="x.json")
    (tool,) = catalog.tools
    assert len(tool.description) <= LONGEST_DESCRIPTION
    assert len(tool.properties["one"]["description"]) <= LONGEST_DESCRIPTION
    assert len(tool.properties["many"]["items"]["description"]) <= LONGEST_DESCRIPTION
    assert [entry.what for entry in catalog.altered] == ["description shortened to 1,000 characters"]
