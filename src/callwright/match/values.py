"""Equality of argument values, and their coercion to a parameter's schema; `arguments` builds on both.

Numbers are equal by value (`1` and `1.0`), a boolean is never a number, objects have no order, arrays have. Text for a
value of another type is first read as that type (`"5"` for an integer).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from callwright.errors import BadDocument
from callwright.records.jsontext import Json, JsonText, encode, parse
from callwright.records.pointer import resolve

MAX_SCHEMAS: Final = 256

Schema = dict[str, Json]


def alternatives(schema: Json, root: Json) -> tuple[Schema, ...]:
    """Return the schemas a value may follow: the schema itself, or the branches it names; at most `MAX_SCHEMAS`.

    `root` is the document that local references (`#/...`) point into; other references are ignored.
    """
    found: list[Schema] = []
    waiting = [schema]
    followed: set[str] = set()
    for _ in range(MAX_SCHEMAS):
        if not waiting:
            break
        one = waiting.pop()
        if not isinstance(one, dict):
            continue
        if isinstance(reference := one.get("$ref"), str):
            if reference.startswith("#") and reference not in followed:
                waiting.append(resolve(root, reference[1:]))
            followed.add(reference)
            continue
        groups = [one.get(word) for word in ("anyOf", "oneOf", "allOf")]
        branches = [branch for group in groups if isinstance(group, list) for branch in group]
        if "type" in one or not branches:
            found.append(one)
        waiting += reversed(branches)
    return tuple(found)


def item_schema(among: tuple[Schema, ...]) -> Json:
    """Return the schema of an array's items, from the first alternative that has one; None if none has."""
    return next((one["items"] for one in among if "items" in one), None)


def property_schemas(among: tuple[Schema, ...]) -> Schema:
    """Return property to schema, from the first alternative that has properties; empty if none has."""
    return next((one["properties"] for one in among if isinstance(one.get("properties"), dict)), {})


def declared_types(schema: Schema) -> tuple[str, ...]:
    """Return the names of the types a schema declares."""
    declared = schema.get("type")
    names = declared if isinstance(declared, list) else [declared]
    return tuple(name for name in names if isinstance(name, str))


MAX_LITERAL: Final = 40
"""Longest text, in characters, that is read as a number."""

MAX_SCHEMA_DEPTH: Final = 32
"""Deepest level of a schema that coercion follows; deeper values stay as they are."""


def equal(a: Json, b: Json) -> bool:
    """Return whether two decoded JSON values are the same value.

    >>> equal({"a": 1, "b": [True]}, {"b": [True], "a": 1.0}), equal(1, True), equal("1", 1)
    (True, False, False)
    """
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a == b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(value, b[key]) for key, value in a.items())
    return type(a) is type(b) and bool(a == b)


def coerce(value: Json, schema: Json, *, root: Json = None) -> Json:
    """Return `value` in the type that `schema` declares, if its JSON literal has that type.

    A text becomes the integer, number or boolean whose JSON literal it is; a number becomes its literal if a string is
    declared; arrays and objects are coerced inside. Everything else, and values of a declared type, stay unchanged.
    `root` is the document that local references (`#/...`) point into; `schema` itself by default.

    >>> coerce("5", {"type": "integer"}), coerce("2.50", {"type": "number"}), coerce(7, {"type": "string"})
    (5, 2.5, '7')
    >>> coerce("five", {"type": "integer"}), coerce("True", {"type": "boolean"})
    ('five', 'True')
    """
    return _coerce(value, schema, schema if root is None else root, MAX_SCHEMA_DEPTH)


def _coerce(value: Json, schema: Json, root: Json, depth: int) -> Json:
    if depth == 0:
        return value
    among = alternatives(schema, root)
    fitting = tuple(one for one in among if not declared_types(one) or _has_type(value, declared_types(one)))
    if isinstance(value, list):
        items = item_schema(fitting)
        return value if items is None else [_coerce(item, items, root, depth - 1) for item in value]
    if isinstance(value, dict):
        inner = property_schemas(fitting)
        return {key: _coerce(item, inner.get(key), root, depth - 1) for key, item in value.items()}
    if fitting or value is None or isinstance(value, bool):
        return value
    declared = {name for one in among for name in declared_types(one)}
    return _read_literal(value, declared, value) if isinstance(value, str) else _write_literal(value, declared)


def _has_type(value: Json, declared: Collection[str]) -> bool:
    return any(name in declared for name in _names_of(value))


def _names_of(value: Json) -> tuple[str, ...]:
    if value is None:
        return ("null",)
    if isinstance(value, bool):
        return ("boolean",)
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return ("integer", "number")
    if isinstance(value, float):
        return ("number",)
    if isinstance(value, str):
        return ("string",)
    return ("array",) if isinstance(value, list) else ("object",)


def _read_literal(text: str, declared: Collection[str], otherwise: str) -> Json:
    """Return the number or boolean whose JSON literal is `text`, if its type is declared; else `otherwise`."""
    if len(text) > MAX_LITERAL:
        return otherwise
    try:
        value = parse(text)
    except BadDocument:
        return otherwise
    if isinstance(value, str | list | dict) or value is None:
        return otherwise
    return value if _has_type(value, declared) else otherwise


def _write_literal(number: float, declared: Collection[str]) -> Json:
    """Return the literal of `number` if a string is declared; else the number."""
    if "string" not in declared:
        return number
    return encode(int(number)) if isinstance(number, float) and number.is_integer() else encode(number)


def arguments_of(arguments: JsonText) -> dict[str, Json] | None:
    """Return the argument object of a call; None if it is not a JSON object."""
    try:
        value = parse(arguments, where="arguments")
    except BadDocument:
        return None
    return value if isinstance(value, dict) else None


def untyped(value: Json) -> Json:
    """Return the number or boolean that a text spells, in any letter case and for any declared type; else the value.

    >>> untyped("2020"), untyped("True"), untyped("v2")
    (2020, True, 'v2')
    """
    if not isinstance(value, str):
        return value
    return _read_literal(value.strip().lower(), ("number", "boolean"), value)
