"""Schemas made whole: references, parts, alternatives, repairs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.formats.keywords import compiles
from callwright.formats.schema_completion import BrokenReference, Expander, Role, TooLarge, resolve


def expand(
    node: Any, document: Any = None, *, role: Role = "request", levels: int = 10, nodes: int = 1_000
) -> tuple[Any, list[str]]:
    expander = Expander({} if document is None else document, role=role, levels=levels, nodes=nodes)
    return expander.expand(node, ""), expander.notes


def test_reference_with_escapes() -> None:
    """`~1`, `~0` and percent escapes are undone, and arrays are indexed."""
    assert resolve({"a/b": {"c~d": [0, {"é f": 5}]}}, "#/a~1b/c~0d/1/%C3%A9%20f") == 5
    assert resolve([1], "#") == [1]


@pytest.mark.parametrize(
    "reference",
    [
        "#/no",
        "#/list/9",
        "#/list/x",
        "#/text/0",
        "other.yaml#/a",
        "https://x.org/a.json",
        "file:///etc/passwd",
        "#anchor",
    ],
)
def test_broken_references(reference: str) -> None:
    """What is not in the document is an error and is never fetched."""
    with pytest.raises(BrokenReference):
        resolve({"list": [1], "text": "word"}, reference)


def test_reference_is_expanded_with_its_siblings() -> None:
    """A reference is replaced by its target, and words beside it win."""
    document = {"defs": {"Id": {"type": "string", "description": "an id", "minLength": 3}}}
    found, notes = expand({"$ref": "#/defs/Id", "description": "the file"}, document)
    assert found == {"type": "string", "description": "the file", "minLength": 3}
    assert notes == []


def test_cycle_is_cut_and_noted() -> None:
    """A schema that holds itself is expanded once and cut where it comes round."""
    node = {"type": "object", "properties": {"name": {"type": "string"}, "child": {"$ref": "#/Node"}}}
    found, notes = expand({"$ref": "#/Node"}, {"Node": node})
    assert found["properties"]["child"] == {"type": "object"}
    assert notes == ["`Node` refers back to itself and was cut there"]


def test_pure_reference_cycle() -> None:
    """References that lead only to one another come to any value, noted."""
    found, notes = expand({"$ref": "#/a"}, {"a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}})
    assert found == {}
    assert "refers back to itself" in notes[0]


def test_long_reference_chain() -> None:
    """A chain of 5,000 references ends without a crash."""
    document = {str(i): {"$ref": f"#/{i + 1}"} for i in range(5_000)}
    _, notes = expand({"$ref": "#/0"}, document)
    assert notes


def test_fan_out_is_bounded() -> None:
    """Thirty doublings by reference are refused at the bound, not carried out."""
    document = {str(i): {"properties": {"l": {"$ref": f"#/{i + 1}"}, "r": {"$ref": f"#/{i + 1}"}}} for i in range(30)}
    document["30"] = {"properties": {}}
    with pytest.raises(TooLarge):
        expand({"$ref": "#/0"}, document, levels=50)
    found, notes = expand({"$ref": "#/0"}, document, levels=3)
    third = found["properties"]["l"]["properties"]["r"]["properties"]["l"]
    assert third["properties"] == {"l": {"type": "object"}, "r": {"type": "object"}}
    assert "parts below level 3 were cut" in notes


def test_optional_broken_property_is_dropped() -> None:
    """A broken reference drops the optional property it stands in."""
    found, notes = expand({"type": "object", "properties": {"a": {"$ref": "#/no"}, "b": {"type": "string"}}})
    assert found == {"type": "object", "properties": {"b": {"type": "string"}}}
    assert notes == ["`a`: was dropped: `$ref: #/no` leads nowhere in the document"]


@pytest.mark.parametrize(
    "node",
    [
        {"properties": {"a": {"$ref": "#/no"}}, "required": ["a"]},
        {"allOf": [{"properties": {"a": {"$ref": "#/no"}}}, {"required": ["a"]}]},
        {"type": "array", "items": {"$ref": "#/no"}},
        {"anyOf": [{"$ref": "#/no"}, {"type": "string"}]},
    ],
)
def test_needed_broken_reference_is_raised(node: Any) -> None:
    """A broken reference that something required needs is an error."""
    with pytest.raises(BrokenReference):
        expand(node)


def test_all_of_is_merged() -> None:
    """Parts of `allOf` come to one schema: properties together, bounds the tighter, later words."""
    found, notes = expand(
        {
            "allOf": [
                {
                    "type": "object",
                    "properties": {"a": {"type": "integer", "minimum": 1}},
                    "required": ["a"],
                    "description": "x",
                },
                {"properties": {"a": {"type": "number", "minimum": 5}, "b": {"type": "string"}}, "required": ["b"]},
                {"description": "y"},
            ]
        }
    )
    assert found == {
        "type": "object",
        "properties": {"a": {"type": "integer", "minimum": 5}, "b": {"type": "string"}},
        "required": ["a", "b"],
        "description": "y",
    }
    assert notes == []


@pytest.mark.parametrize(
    ("node", "schema"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"allOf": [{"type": "object"}], "nullable": True}, {"type": ["object", "null"]}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": ["string", "null"]}),
        ({"oneOf": [{"type": "string"}]}, {"type": "string"}),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, {"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        ({"anyOf": [{}, {"type": "integer"}]}, {}),
        ({"type": ["string", "null"], "format": "date"}, {"type": ["string", "null"], "format": "date"}),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"type": "array", "items": [{"type": "string"}]}, {"type": "array", "prefixItems": [{"type": "string"}]}),
        (
            {"enum": ["a", "b"], "default": "a", "example": "b", "examples": ["a"]},
            {"enum": ["a", "b"], "default": "a", "example": "b", "examples": ["a"]},
        ),
        (
            {"additionalProperties": {"type": "string"}, "type": "object"},
            {"additionalProperties": {"type": "string"}, "type": "object"},
        ),
        ({"additionalProperties": True, "x-y": 1, "xml": {}, "discriminator": {}}, {}),
        (True, {}),
        (False, {"not": {}}),
    ],
)
def test_translations_are_silent(node: Any, schema: Any) -> None:
    """What another dialect says otherwise is translated without a note."""
    assert expand(node) == (schema, [])


@pytest.mark.parametrize(
    ("node", "schema"),
    [
        ({"type": "float"}, {"type": "number"}),
        ({"type": "int"}, {"type": "integer"}),
        ({"type": "dict"}, {"type": "object"}),
        ({"type": "str"}, {"type": "string"}),
        ({"type": "list"}, {"type": "array"}),
        ({"type": "tuple"}, {"type": "array"}),
        ({"type": "any"}, {}),
        ({"type": "String"}, {"type": "string"}),
        ({"type": "file"}, {"type": "string", "format": "binary"}),
        ({"type": "gizmo"}, {}),
        ({"type": {"a": 1}}, {}),
        ({"type": ["str", None]}, {"type": ["string", "null"]}),
        ({"properties": {}}, {"type": "object", "properties": {}}),
        ({"type": "object", "properties": {}, "required": ["a"]}, {"type": "object", "properties": {}}),
        (
            {"type": "object", "properties": {"a": {"type": "string", "required": True}}},
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        ),
        ({"type": "string", "pattern": "(?=a)b"}, {"type": "string"}),
        ({"type": "string", "pattern": "["}, {"type": "string"}),
        ({"minLength": -1, "maximum": "many", "enum": []}, {}),
        ({"type": "integer", "enum": ["a", "b"]}, {"enum": ["a", "b"]}),
        ({"type": "array", "items": "string"}, {"type": "array"}),
        ({"if": {}, "then": {}}, {}),
        ({"example": "x" * 5_000}, {}),
        ("a word", {"description": "a word"}),
    ],
)
def test_repairs_are_noted(node: Any, schema: Any) -> None:
    """A fault that can be mended is mended, and said."""
    found, notes = expand(node)
    assert found == schema
    assert notes


def test_read_only_is_no_argument() -> None:
    """Read-only properties are dropped from requests, write-only ones from responses, required or not."""
    node = {
        "type": "object",
        "properties": {"id": {"type": "string", "readOnly": True}, "n": {}},
        "required": ["id", "n"],
    }
    assert expand(node)[0] == {"type": "object", "properties": {"n": {}}, "required": ["n"]}
    node = {"type": "object", "properties": {"pin": {"writeOnly": True}}}
    assert expand(node, role="response")[0] == {"type": "object", "properties": {}}


_KEYWORDS = """type properties items required enum anyOf oneOf allOf $ref nullable pattern minimum maxLength format
    default additionalProperties not description example exclusiveMinimum const uniqueItems a b"""
_keys = st.sampled_from(_KEYWORDS.split())
_atoms = (
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.sampled_from(["string", "object", "array", "#/a", "#/b", "#", "x["])
)
_junk = st.recursive(
    _atoms, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=5), max_leaves=25
)


@given(_junk, _junk)
def test_any_json_expands_to_a_valid_schema(node: Any, other: Any) -> None:
    """Whatever stands where a schema should, the result compiles, or is refused as broken or too large."""
    try:
        found, _ = expand(node, {"a": other, "b": node})
    except (BrokenReference, TooLarge):
        return
    assert compiles(found)
    assert not _references(found)


def _references(schema: Any) -> bool:
    """True when a `$ref` stands where a schema stands."""
    if not isinstance(schema, dict):
        return False
    children = [*schema.get("properties", {}).values(), *schema.get("anyOf", []), *schema.get("allOf", [])]
    children += [*schema.get("prefixItems", []), *(schema.get(key) for key in ("items", "not", "additionalProperties"))]
    return "$ref" in schema or any(map(_references, children))
