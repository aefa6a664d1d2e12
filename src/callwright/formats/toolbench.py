"""ToolBench: RapidAPI endpoints, listed in the `api_list` of each query, or on their own.

A tool is called after `api_name`; where several services have that name, after both, as in ToolBench. Of a required
parameter the default is an example, since it is never left out. `template_response` was made from one answer, so
`returns` counts as inferred.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from callwright.errors import BadDocument
from callwright.formats.described import Described, collect, object_schema
from callwright.formats.keywords import TYPES, Schema, has_type
from callwright.records.jsontext import Json, encode, parse
from callwright.records.tool import Catalog, LeftOut

LAYOUT = "ToolBench (an array of queries with `api_list`, or of endpoints with `tool_name` and `api_name`)"

_TYPES: dict[str, Schema] = {
    "STRING": {"type": "string"},
    "NUMBER": {"type": "number"},
    "BOOLEAN": {"type": "boolean"},
    "ENUM": {"type": "string"},  # the values are not documented
    "OBJECT": {"type": "object"},
    "ARRAY": {"type": "array"},
    "DATE (YYYY-MM-DD)": {"type": "string", "format": "date"},
}
_TEMPLATE_TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "NoneType": "null",
    "dict": "object",
    "list": "array",
}
_LISTED = re.compile(r"list of (\w+) with length \d+")


def fits(document: Json) -> bool:
    """True for an array whose objects list endpoints, or are endpoints."""
    return isinstance(document, list) and any(
        isinstance(entry, dict) and ("api_list" in entry or {"tool_name", "api_name"} <= entry.keys())
        for entry in document
    )


def read(document: Json, *, source: str) -> Catalog:
    """Return the tools of all endpoints, equal ones merged. Raises BadDocument when there is no usable one."""
    return collect((_described(entry, where) for where, entry in _endpoints(document)), source=source)


def _endpoints(document: list[Json]) -> Iterator[tuple[str, Json]]:
    for number, entry in enumerate(document, 1):
        if not isinstance(entry, dict) or "api_list" not in entry:
            yield f"entry {number}", entry
        elif isinstance(entry["api_list"], list):
            for position, endpoint in enumerate(entry["api_list"], 1):
                yield f"query {number}, API {position}", endpoint
        else:
            yield f"query {number}", None


def _described(endpoint: Json, where: str) -> Described | LeftOut:
    if not isinstance(endpoint, dict) or not isinstance(endpoint.get("api_name"), str):
        return LeftOut(where, "no endpoint: it has no `api_name`")
    notes: list[str] = []
    parameters = _parameters(endpoint, notes)
    if parameters is None:
        return LeftOut(f"{where} ({endpoint['api_name'][:80]})", "its parameters are no lists of objects with `name`")
    returns = _returns(endpoint.get("template_response"), notes)
    return Described(
        name=endpoint["api_name"],
        owner=_text(endpoint, "tool_name"),
        description=_text(endpoint, "api_description"),
        parameters=parameters,
        returns=returns,
        returns_inferred=True,
        domain=_text(endpoint, "category_name"),
        source=where,
        raw=endpoint,
        notes=tuple(notes),
    )


def _parameters(endpoint: dict[str, Json], notes: list[str]) -> Schema | None:
    """Return the schema of both lists of parameters; None when they are laid out differently."""
    properties: Schema = {}
    required: list[str] = []
    for key in ("required_parameters", "optional_parameters"):
        listed = endpoint.get(key) or []
        if not isinstance(listed, list):
            return None
        for parameter in listed:
            name = parameter.get("name") if isinstance(parameter, dict) else None
            if not isinstance(name, str):
                return None
            if name in properties:
                notes.append(f"`{name[:200]}` is documented twice, the first was taken")
                continue
            properties[name] = _parameter(parameter, notes, is_required=key.startswith("required"))
            required += [name] if key.startswith("required") else []
    return object_schema(properties, required)


def _parameter(parameter: dict[str, Json], notes: list[str], *, is_required: bool) -> Schema:
    kind = parameter.get("type")
    schema = dict(_TYPES.get(kind.upper(), {"type": kind}) if isinstance(kind, str) else {"type": kind})
    if said := _text(parameter, "description"):
        schema["description"] = said
    default = parameter.get("default")
    if default is None or default == "":
        return schema
    value = _typed(default, schema.get("type"))
    if value is None:
        shown = str(default)[:60].replace(";", ",")
        notes.append(f"`{parameter['name'][:200]}`: default `{shown}` is no {schema['type']} and was dropped")
        return schema
    return {**schema, "examples": [value]} if is_required else {**schema, "default": value}


def _typed(value: Json, kind: Json) -> Json:
    """Return a default in its declared type (it is often written as text); None if it has another type."""
    if kind not in TYPES:
        return value
    if kind == "string":
        return value if isinstance(value, str) else encode(value)
    if isinstance(value, str):
        try:
            value = parse(value.lower() if kind == "boolean" else value)
        except BadDocument:
            return None
    return value if has_type(value, kind) else None


def _returns(template: Json, notes: list[str]) -> Schema | None:
    if isinstance(template, str):
        template = _parsed(template, notes)
    return _shape(template) if isinstance(template, dict | list) and template else None


def _parsed(template: str, notes: list[str]) -> Json:
    """Return the template in a text, as far as it is complete: long ones were cut off."""
    for text, note in ((template, ""), (closed(template), "read from a template that was cut short")):
        try:
            value = parse(text)
        except BadDocument:
            continue
        notes += [f"returns: {note}"] if note else []
        return value
    notes.append("returns: not known: `template_response` is a text that is no template")
    return None


def _shape(template: Json) -> Schema:
    if isinstance(template, dict):
        inner = {name: _shape(value) for name, value in template.items() if name != "_list_length"}
        return {"type": "object", "properties": inner}
    if isinstance(template, list):
        return {"type": "array", **({"items": _shape(template[0])} if template else {})}
    if template == "empty list":
        return {"type": "array"}
    listed = _LISTED.fullmatch(template) if isinstance(template, str) else None
    if listed:
        return {"type": "array", "items": _named(listed[1])}
    return _named(template) if isinstance(template, str) else {}


def _named(kind: str) -> Schema:
    return {"type": _TEMPLATE_TYPES[kind]} if kind in _TEMPLATE_TYPES else {}


def _text(node: dict[str, Json], key: str) -> str:
    value = node.get(key)
    return value.strip() if isinstance(value, str) else ""


_TOKEN = re.compile(
    r'\s*+(?:(?P<text>"[^"\\]*(?:\\.[^"\\]*)*")|(?P<mark>[\[\]{},:])|(?P<word>[^\s"\[\]{},:]+))', re.DOTALL
)
_CLOSING = {"{": "}", "[": "]"}


def closed(text: str) -> str:
    """Return the longest beginning of `text` that ends after a whole value, with its open brackets closed.

    Empty if no value begins. Complete JSON is unchanged; other text does not become JSON.

    >>> closed('{"a": [1, {"b": "x", "c": "y')
    '{"a": [1, {"b": "x"}]}'
    """
    open_: _Open | None = None
    end, open_at_end = 0, open_
    awaits_value = True
    for token in _tokens(text):
        mark, position = token["mark"], token.end()
        if mark in _CLOSING:
            open_ = _Open(_CLOSING[mark], open_)
        elif mark in ("}", "]"):
            if open_ is None:
                break
            open_ = open_.outer
        inside = open_.closer if open_ else ""
        is_key = token["text"] is not None and inside == "}" and not awaits_value
        may_go_on = token["word"] is not None and position == len(text)
        if mark not in (",", ":") and not is_key and not may_go_on:
            end, open_at_end = position, open_
        awaits_value = mark == ":" or (mark in ("[", ",") and inside == "]")
    closers = ""
    while open_at_end:
        closers += open_at_end.closer
        open_at_end = open_at_end.outer
    return text[:end] + closers


class _Open(NamedTuple):
    """An open bracket: what closes it, and the bracket around it."""

    closer: str
    outer: _Open | None


def _tokens(text: str) -> Iterator[re.Match[str]]:
    """Yield the tokens that `text` begins with, each at the end of the one before."""
    token = _TOKEN.match(text)
    while token:
        yield token
        token = _TOKEN.match(text, token.end())
