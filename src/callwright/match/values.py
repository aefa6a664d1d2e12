"""Equality of argument values and of calls: exact JSON after coercion to the parameter's schema, nothing looser.

Numbers are equal by value (`1` and `1.0`), a boolean is never a number, objects have no order, arrays have.
What a model writes as text for another type is read as that type first (`"5"` for an integer); see `coerce`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from callwright.errors import BadDocument
from callwright.match.issue import CallIssue, IssueCode
from callwright.records.dialogue import Call, GoldArgument, GoldCall
from callwright.records.jsontext import Json, JsonText, decode, encode, parse
from callwright.records.tool import Tool

MAX_LITERAL: Final = 40
"""Longest text, in characters, that is read as a number."""

MAX_SCHEMA_DEPTH: Final = 32
"""Deepest level of a schema that coercion follows; deeper values stay as they are."""

_NO_SCHEMA: Final[dict[str, Json]] = {}


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
    """Return `value` in the type that `schema` declares, where its JSON literal is one of that type.

    A text becomes the integer, number or boolean whose JSON literal it is; a number becomes its literal where a text is
    declared; arrays and objects are coerced inside. All else, and a value that has a declared type already, stays.
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
    alternatives = tuple(_alternatives(schema, root, depth))
    fitting = [one for one in alternatives if not _types(one) or _has_type(value, _types(one))]
    if isinstance(value, list):
        items = next((one["items"] for one in fitting if "items" in one), None)
        return value if items is None else [_coerce(item, items, root, depth - 1) for item in value]
    if isinstance(value, dict):
        inner = next((one["properties"] for one in fitting if isinstance(one.get("properties"), dict)), _NO_SCHEMA)
        return {key: _coerce(item, inner.get(key), root, depth - 1) for key, item in value.items()}
    if fitting or value is None or isinstance(value, bool):
        return value
    declared = {name for one in alternatives for name in _types(one)}
    return _read_literal(value, declared) if isinstance(value, str) else _write_literal(value, declared)


def _alternatives(schema: Json, root: Json, depth: int) -> Iterator[dict[str, Json]]:
    """The schemas a value may follow: the schema itself, or the branches it names, references followed."""
    if not isinstance(schema, dict) or depth == 0:
        return
    if isinstance(reference := schema.get("$ref"), str):
        yield from _alternatives(_follow(reference, root), root, depth - 1)
        return
    branches = [branch for word in ("anyOf", "oneOf", "allOf") for branch in _as_list(schema.get(word))]
    if "type" in schema or not branches:
        yield schema
    for branch in branches[:MAX_SCHEMA_DEPTH]:
        yield from _alternatives(branch, root, depth - 1)


def _as_list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _follow(reference: str, root: Json) -> Json:
    """The schema at a local reference; None for any other reference."""
    if not reference.startswith("#"):
        return None
    found = root
    for part in reference[1:].split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _types(schema: dict[str, Json]) -> tuple[str, ...]:
    declared = schema.get("type")
    names = declared if isinstance(declared, list) else [declared]
    return tuple(name for name in names if isinstance(name, str))


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


def _read_literal(text: str, declared: Collection[str]) -> Json:
    """The number or boolean whose JSON literal `text` is, when its type is declared; else the text."""
    if len(text) > MAX_LITERAL:
        return text
    try:
        value = parse(text)
    except BadDocument:
        return text
    if isinstance(value, str | list | dict) or value is None:
        return text
    return value if _has_type(value, declared) else text


def _write_literal(number: float, declared: Collection[str]) -> Json:
    """The literal of `number` when a text is declared; else the number."""
    if "string" not in declared:
        return number
    return encode(int(number)) if isinstance(number, float) and number.is_integer() else encode(number)


def arguments_of(arguments: JsonText) -> dict[str, Json] | None:
    """Return the argument object of a call as it was made; None when it is no JSON object, or no JSON."""
    try:
        value = parse(arguments, where="arguments")
    except BadDocument:
        return None
    return value if isinstance(value, dict) else None


def arguments_equal(predicted: JsonText, gold: GoldCall, tool: Tool) -> bool:
    """Return whether the arguments are exactly the gold map: nothing missing, superfluous or different."""
    return next(_argument_issues(predicted, gold, tool), None) is None


def call_issues(call: Call, gold: GoldCall, tool: Tool, *, known: Collection[str]) -> tuple[CallIssue, ...]:
    """Return all that keeps `call` from being the gold call; empty when it is.

    `tool` is the gold tool's document, `known` the names of the tools shown. Another tool's arguments are not compared.
    """
    if call.tool != gold.tool:
        code: IssueCode = "wrong_tool" if call.tool in known else "unknown_tool"
        return (CallIssue(code, "", f"called {call.tool!r}; the gold tool is {gold.tool!r}"),)
    return tuple(_argument_issues(call.arguments, gold, tool))


def _argument_issues(predicted: JsonText, gold: GoldCall, tool: Tool) -> Iterator[CallIssue]:
    arguments = arguments_of(predicted)
    if arguments is None:
        yield CallIssue("not_an_object", "", f"the arguments are no JSON object: {predicted[:80]!r}")
        return
    wanted = {argument.name: argument for argument in gold.arguments}
    for name in sorted(arguments.keys() - wanted.keys()):
        yield CallIssue("unexpected", name, f"{name!r} was not asked for")
    for name, argument in wanted.items():
        if name in arguments:
            yield from _value_issues(arguments[name], argument, tool)
        elif not argument.optional:
            yield CallIssue("missing", name, f"{name!r} is missing")


def _value_issues(value: Json, argument: GoldArgument, tool: Tool) -> Iterator[CallIssue]:
    accepted = [decode(one) for one in argument.accepted]
    if any(equal(value, one) for one in accepted):  # equal as they stand: still equal when coerced
        return
    schema = tool.properties.get(argument.name, _NO_SCHEMA)
    found = coerce(value, schema, root=tool.schema)
    if not any(equal(found, coerce(one, schema, root=tool.schema)) for one in accepted):
        wanted = " or ".join(argument.accepted)
        yield CallIssue("wrong_value", argument.name, f"{encode(value)[:80]} is not {wanted[:200]}")
