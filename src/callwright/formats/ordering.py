"""Reading order for the keys of a schema, because canonical text sorts them.

Only `required` keeps the order of a document's parameters. So the required ones come first, in that
order, and the others after them by name; of a schema's keywords the short ones come before its parts.
"""

from __future__ import annotations

from callwright.formats.keywords import Schema
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

_FIRST = ("type", "title", "description", "enum", "const", "format", "pattern", "default", "example", "examples")
_LAST = ("properties", "required", "additionalProperties", "items", "prefixItems", "anyOf", "oneOf", "allOf", "not")
_LISTS = ("prefixItems", "anyOf", "oneOf", "allOf")
_SINGLE = ("items", "additionalProperties", "not")


def argument_schema(tool: Tool) -> Schema:
    """Return the schema of a tool's arguments in reading order, with the type and properties that providers ask for."""
    schema: Schema = in_order({"type": "object", "properties": {}, **tool.schema})
    return schema


def in_order(schema: Json) -> Json:
    """Return an equal schema whose keys stand in reading order.

    >>> list(in_order({"properties": {"a": {}, "b": {}}, "required": ["b"], "type": "object"})["properties"])
    ['b', 'a']
    """
    if not isinstance(schema, dict):
        return schema
    middle = sorted(schema.keys() - {*_FIRST, *_LAST})
    return {key: _value(schema, key) for key in (*_FIRST, *middle, *_LAST) if key in schema}


def _value(schema: Schema, key: str) -> Json:
    value = schema[key]
    if key == "properties" and isinstance(value, dict):
        required = schema.get("required")
        listed = (
            [one for one in required if isinstance(one, str) and one in value] if isinstance(required, list) else []
        )
        return {name: in_order(value[name]) for name in dict.fromkeys([*listed, *sorted(value)])}
    if key in _LISTS and isinstance(value, list):
        return [in_order(part) for part in value]
    return in_order(value) if key in _SINGLE else value
