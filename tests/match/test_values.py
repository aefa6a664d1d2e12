"""Equality of values and calls."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from callwright.match.values import arguments_of, coerce, equal
from callwright.records.jsontext import Json, JsonText

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.0, 1.0, 1.5, -2.0]),
    st.sampled_from(["", "1", "a"]),
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("ab"), inner)),
    max_leaves=6,
)
simple = ({}, None, True, {"type": "integer"}, {"type": ["number", "null"]}, {"type": "string"}, {"type": 7})
schemas = st.recursive(
    st.sampled_from(simple),
    lambda inner: st.one_of(
        inner.map(lambda one: {"type": "array", "items": one}),
        st.dictionaries(st.sampled_from("ab"), inner).map(lambda one: {"type": "object", "properties": one}),
        st.lists(inner, max_size=2).map(lambda one: {"anyOf": one}),
        st.just({"$ref": "#"}),
    ),
    max_leaves=5,
)


def marked(value: object) -> object:
    """A value in which Python's own equality is that of JSON."""
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, list):
        return [marked(item) for item in value]
    return {key: marked(item) for key, item in value.items()} if isinstance(value, dict) else value


@given(values, values)
@example([True], [1])
def test_values_are_equal_as_json_says(a: object, b: object) -> None:
    """Equality agrees with Python's where booleans are told apart from numbers."""
    assert equal(a, b) == (marked(a) == marked(b))
    assert equal(a, a)


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        ("5", {"type": "integer"}, 5),
        ("-5", {"type": "integer"}, -5),
        ("5.5", {"type": "integer"}, "5.5"),
        ("05", {"type": "integer"}, "05"),
        ("2.50", {"type": "number"}, 2.5),
        ("1e3", {"type": "number"}, 1000.0),
        ("true", {"type": "boolean"}, True),
        ("True", {"type": "boolean"}, "True"),
        ("yes", {"type": "boolean"}, "yes"),
        (1, {"type": "boolean"}, 1),
        (True, {"type": "integer"}, True),
        (5, {"type": "string"}, "5"),
        (5.0, {"type": "string"}, "5"),
        (2.5, {"type": "string"}, "2.5"),
        (True, {"type": "string"}, True),
        ("5", {"type": ["integer", "string"]}, "5"),
        ("5", {"type": ["integer", "null"]}, 5),
        ("5", {"anyOf": [{"type": "integer"}, {"type": "null"}]}, 5),
        ("null", {"type": ["integer", "null"]}, "null"),
        ("NaN", {"type": "number"}, "NaN"),
        ("9" * 50, {"type": "integer"}, "9" * 50),
        ("5", {}, "5"),
        (["5", "x"], {"type": "array", "items": {"type": "integer"}}, [5, "x"]),
        ({"k": "5", "l": "5"}, {"type": "object", "properties": {"k": {"type": "integer"}}}, {"k": 5, "l": "5"}),
        ("[5]", {"type": "array", "items": {"type": "integer"}}, "[5]"),
    ],
)
def test_literals_take_the_declared_type(value: object, schema: object, expected: object) -> None:
    """A literal of the declared type is read as that type, and nothing else changes."""
    assert marked(expected) == marked(coerce(value, schema))


def test_local_references_are_followed() -> None:
    """A reference into the document gives its type, also where references run in a circle."""
    root = {"$defs": {"n": {"type": "integer"}, "loop": {"$ref": "#/$defs/loop"}}}

    assert coerce("5", {"$ref": "#/$defs/n"}, root=root) == 5
    assert coerce("5", {"$ref": "#/$defs/loop"}, root=root) == "5"
    assert coerce("5", {"$ref": "http://x.y/n"}, root=root) == "5"


@given(values, schemas)
def test_coercion_is_idempotent(value: object, schema: object) -> None:
    """A coerced value coerces to itself, whatever the schema says."""
    once = coerce(value, schema)

    assert equal(once, coerce(once, schema))


def test_branches_that_refer_to_each_other_end() -> None:
    """Thirty-two branches that each lead back to all of them are looked at a bounded number of times."""
    loops = {"anyOf": [{"anyOf": [{"$ref": "#"}] * 32}] * 32}

    assert coerce("5", loops) == "5"


@given(st.text(alphabet='{}[]":,truefalsn0 1e\\', max_size=20))
def test_any_text_can_stand_for_arguments(text: str) -> None:
    """Text from a model gives an object or None, as a plain decoder does, and never an exception."""
    try:
        expected = json.loads(text)
    except ValueError:
        expected = None

    assert arguments_of(JsonText(text)) == (expected if isinstance(expected, dict) else None)


@pytest.mark.parametrize(("levels", "expected"), [(0, 5), (31, 5), (32, "5"), (40, "5")])
def test_values_are_coerced_down_to_32_levels(levels: int, expected: Json) -> None:
    """What lies deeper stays as it is."""
    schema: Json = {"type": "integer"}
    value: Json = "5"
    for _ in range(levels):
        schema, value, expected = {"type": "array", "items": schema}, [value], [expected]

    assert coerce(value, schema) == expected


def test_deep_arguments_are_refused_and_not_followed() -> None:
    """Arguments nested ten thousand levels deep are no object, found without recursion."""
    assert arguments_of(JsonText('{"a":' * 10_000 + "1" + "}" * 10_000)) is None
