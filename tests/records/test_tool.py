"""Tools, their keys, and digests."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from record_strategies import TEXT

from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool, digest

TOOL = Tool(
    name="find_file",
    description="Find a file.",
    parameters=encode(
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "depth": True},
            "required": ["name", "ghost"],
        }
    ),
    returns=encode({"type": "object"}),
    domain="files",
    source="GET /files",
    raw=encode({"name": "find_file"}),
)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "find_files"},
        {"description": "Find a file"},
        {"parameters": encode({"type": "object"})},
        {"returns": None},
        {"raw": None},
    ],
    ids=lambda change: next(iter(change)),
)
def test_key_follows_the_document(change: dict[str, str | None]) -> None:
    """Any change of the document makes another key."""
    assert TOOL.key != msgspec.structs.replace(TOOL, **change).key


@pytest.mark.parametrize("change", [{"domain": "other"}, {"source": "x"}, {"returns_inferred": True}])
def test_key_ignores_where_a_tool_came_from(change: dict[str, str | bool]) -> None:
    """Domain, source and how the return schema was found are no part of the document."""
    assert TOOL.key == msgspec.structs.replace(TOOL, **change).key


def test_key_has_sixteen_digits() -> None:
    """A key is short enough to read and the same on every machine."""
    assert TOOL.key == "ac4041837e40ffc8"


def test_key_survives_the_cached_copy() -> None:
    """A changed copy does not inherit the key that was computed before."""
    assert TOOL.key
    changed = msgspec.structs.replace(TOOL, name="other")

    assert changed.key == Tool(**{name: getattr(changed, name) for name in Tool.__struct_fields__}).key


def test_properties_and_required_follow_the_schema() -> None:
    """A boolean schema is an empty one, and an undocumented required name is no parameter."""
    assert TOOL.properties == {"name": {"type": "string"}, "depth": {}}
    assert TOOL.required == ("name",)


@pytest.mark.parametrize("schema", [[], "x", None, {"properties": 3, "required": "name"}, {"required": [1, {}]}])
def test_odd_schemas_have_no_parameters(schema: object) -> None:
    """A schema that is no object schema is read as one without parameters."""
    tool = Tool(name="t", parameters=encode(schema))

    assert (tool.properties, tool.required) == ({}, ())


@given(st.lists(TEXT, max_size=4), st.lists(TEXT, max_size=4))
def test_digest_respects_boundaries(left: list[str], right: list[str]) -> None:
    """Digests are equal exactly for equal parts, however their joined text falls."""
    assert (digest(*left) == digest(*right)) == (left == right)


def test_digest_takes_lone_surrogates() -> None:
    """Text without a UTF-8 form has a digest too."""
    assert digest("\ud800") != digest("\udfff")


def test_catalogue_digest_follows_the_order() -> None:
    """The same tools in another order are another catalogue: ids are drawn from it."""
    other = Tool(name="other")

    assert Catalog(tools=(TOOL, other)).digest != Catalog(tools=(other, TOOL)).digest
    assert Catalog(tools=(TOOL,), source="a").digest == Catalog(tools=(TOOL,), source="b").digest


def test_catalogue_finds_tools_by_name_and_key() -> None:
    """Both ways lead to the same tool."""
    catalog = Catalog(tools=(TOOL,))

    assert catalog.by_name["find_file"] is catalog.by_key[TOOL.key] is TOOL
