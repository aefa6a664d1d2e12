"""Merges the parts of an `allOf` into one schema. Of contradicting parts the later one is used, with a note."""

from __future__ import annotations

from callwright.formats.keywords import Note, Schema
from callwright.records.jsontext import Json

_LOWER_BOUNDS = {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"}
_UPPER_BOUNDS = {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"}
_SAID_LATER = {"title", "description", "default", "example", "examples", "deprecated", "readOnly", "writeOnly"}


def merge(first: Schema, second: Schema, note: Note) -> Schema:
    """Return the schema that requires both; texts, defaults and examples come from the later one.

    >>> merge({"type": "integer", "minimum": 1}, {"type": "number", "minimum": 3}, print)
    {'type': 'integer', 'minimum': 3}
    """
    first, second = _opened(first, second), _opened(second, first)
    out = dict(first)
    for key, value in second.items():
        if key in out:
            _join(out, key, value, note)
        else:
            out[key] = value
    return out


def allow_null(schema: Schema) -> Schema:
    """Return `schema` that accepts null as well.

    >>> allow_null({"type": "string"})
    {'type': ['string', 'null']}
    """
    kind = schema.get("type")
    if isinstance(kind, str):
        return schema if kind == "null" else {**schema, "type": [kind, "null"]}
    if isinstance(kind, list):
        return schema if "null" in kind else {**schema, "type": [*kind, "null"]}
    branches = schema.get("anyOf")
    if isinstance(branches, list) and {"type": "null"} not in branches:
        return {**schema, "anyOf": [*branches, {"type": "null"}]}
    return schema


def _join(out: Schema, key: str, value: Json, note: Note) -> None:
    old = out[key]
    if old == value and type(old) is type(value):
        return
    if key == "properties":
        out[key] = {**old, **{name: merge(old.get(name, {}), new, note) for name, new in value.items()}}
    elif key == "required":
        out[key] = list(dict.fromkeys([*old, *value]))
    elif key in _LOWER_BOUNDS:
        out[key] = max(old, value)
    elif key in _UPPER_BOUNDS:
        out[key] = min(old, value)
    elif key == "anyOf":
        out["allOf"] = [*out.get("allOf", []), {"anyOf": value}]
    elif key == "allOf":
        out[key] = [*old, *value]
    elif key == "items" and isinstance(old, dict) and isinstance(value, dict):
        out[key] = merge(old, value, note)
    else:
        _choose(out, key, value, note)


def _choose(out: Schema, key: str, value: Json, note: Note) -> None:
    old = out[key]
    if key in ("type", "enum"):
        shared = _shared_types(old, value) if key == "type" else [item for item in value if item in old]
        if shared:
            out[key] = shared[0] if key == "type" and len(shared) == 1 else shared
            return
    out[key] = value
    if key not in _SAID_LATER:
        note(f"parts of `allOf` disagree on `{key}`, the later one was taken")


def _shared_types(old: Json, new: Json) -> list[str]:
    olds, news = ([kind] if isinstance(kind, str) else kind for kind in (old, new))
    shared = [kind for kind in olds if kind in news or (kind == "integer" and "number" in news)]
    return shared + [kind for kind in news if kind == "integer" and "number" in olds and kind not in shared]


def _opened(schema: Schema, other: Schema) -> Schema:
    """Drop `additionalProperties: false` if the other part has further properties, which it would forbid."""
    names = other.get("properties", {}).keys() - schema.get("properties", {}).keys()
    if schema.get("additionalProperties") is False and names:
        return {key: value for key, value in schema.items() if key != "additionalProperties"}
    return schema
