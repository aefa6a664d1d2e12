"""Repair of one schema's own keywords: types that JSON Schema does not know, numbers in quotes, unusable patterns.

Changes that keep the meaning (draft 4's boolean `exclusiveMinimum`, letter case, `$schema`) are made without a note.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from callwright.match.schema import compiled
from callwright.records.jsontext import Json, encode

Schema = dict[str, Json]
Note = Callable[[str], None]

LONGEST_VALUE = 4_000
"""Longest default or example, in characters of canonical text."""

TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")

_OTHER_NAMES = {
    "boolean": "bool",
    "object": "dict dictionary hashmap map",
    "number": "double float",
    "integer": "int long",
    "array": "list set tuple",
    "null": "none",
    "string": "str text",
}
_OTHER_TYPES: dict[str, Schema] = {
    **{name: {"type": kind} for kind, names in _OTHER_NAMES.items() for name in names.split()},
    "any": {},
    "date": {"type": "string", "format": "date"},
    "date-time": {"type": "string", "format": "date-time"},
    "datetime": {"type": "string", "format": "date-time"},
    "file": {"type": "string", "format": "binary"},
    "uuid": {"type": "string", "format": "uuid"},
}

_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_TEXTS = ("title", "description", "format", "contentEncoding", "contentMediaType")
_FLAGS = ("uniqueItems", "deprecated", "readOnly", "writeOnly")
_VALUES = ("default", "example", "const")

_SILENT = {
    *("xml", "externalDocs", "discriminator", "collectionFormat", "allowEmptyValue", "$schema", "$id", "id", "$anchor"),
    *("$comment", "$defs", "definitions", "$vocabulary", "$dynamicAnchor", "$recursiveAnchor"),
}
_UNSUPPORTED = {
    *("if", "then", "else", "dependencies", "dependentRequired", "dependentSchemas", "propertyNames", "contains"),
    *("minContains", "maxContains", "unevaluatedItems", "unevaluatedProperties", "$dynamicRef", "$recursiveRef"),
    "contentSchema",
}


def repair(node: Schema, note: Note) -> Schema:
    """Return the keywords of `node` that hold no schemas, each valid JSON Schema (draft 2020-12)."""
    out: Schema = {}
    for key, value in node.items():
        if key in _UNSUPPORTED:
            note(f"`{key}` is not supported and was dropped")
        elif key in _SILENT or key.startswith("x-"):
            continue
        elif key == "type":
            out |= {k: v for k, v in _type(value, note).items() if k == "type" or k not in node}
        else:
            out |= _keyword(key, value, note)
    _exclusive(out)
    return _without_idle_type(out, note)


def _keyword(key: str, value: Json, note: Note) -> Schema:
    kept: Json = value
    if key in _COUNTS:
        kept = _number(value, whole=True)
    elif key in _NUMBERS:
        kept = value if isinstance(value, bool) and key.startswith("exclusive") else _number(value, whole=False)
        if key == "multipleOf" and kept is not None and kept <= 0:
            kept = None
    elif key in _TEXTS:
        kept = value if isinstance(value, str) else None
    elif key in _FLAGS:
        kept = value if isinstance(value, bool) else None
    elif key in ("enum", "examples"):
        kept = _listed(value)
    elif key == "pattern":
        kept = value if isinstance(value, str) and is_linear(value) else None
    if kept is None and key not in _VALUES:
        if value is not None:
            note(f"`{key}: {_shown(value)}` cannot be used and was dropped")
        return {}
    if key == "enum" and isinstance(value, list) and len(kept) < len(value):
        note("values that stand twice in `enum` were dropped")
    return _bounded(key, kept, note)


def _bounded(key: str, value: Json, note: Note) -> Schema:
    if key in ("default", "example", "examples") and len(encode(value)) > LONGEST_VALUE:
        note(f"`{key}` is over {LONGEST_VALUE:,} characters long and was dropped")
        return {}
    return {key: value}


def _type(value: Json, note: Note) -> Schema:
    """Return `type` (and the `format` that an unusual type stands for), or nothing if any type is allowed."""
    if isinstance(value, list):
        return _type_list(value, note)
    if value is None:
        return {}
    if not isinstance(value, str):
        note(f"`type: {_shown(value)}` is no type and was dropped")
        return {}
    if value in TYPES:
        return {"type": value}
    if value.lower() in TYPES:
        note(f"type `{value}` read as `{value.lower()}`")
        return {"type": value.lower()}
    read_as = _OTHER_TYPES.get(value.lower())
    if read_as is None:
        note(f"type `{value[:80]}` is unknown and was dropped")
        return {}
    note(f"type `{value}` read as `{read_as.get('type', 'any type')}`")
    return read_as


def _type_list(values: list[Json], note: Note) -> Schema:
    found: list[str] = []
    for value in values:
        kind = _type("null" if value is None else value, note).get("type")
        if kind is None:
            return {}
        if kind not in found:
            found.append(kind)
    if not found:
        return {}
    return {"type": found[0] if len(found) == 1 else found}


def _number(value: Json, *, whole: bool) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and re.fullmatch(r"[-+]?[0-9]{1,18}(\.[0-9]{1,18})?", value):
        value = float(value) if "." in value else int(value)
    if not isinstance(value, int | float):
        return None
    if whole:
        return int(value) if value >= 0 and value == int(value) else None
    return value


def _listed(value: Json) -> list[Json] | None:
    """Return the distinct values of a list, or of a map of OpenAPI examples; None if there are none."""
    if isinstance(value, dict):
        value = [item["value"] for item in value.values() if isinstance(item, dict) and "value" in item]
    if not isinstance(value, list):
        return None
    return list({encode(item): item for item in value}.values()) or None


def _exclusive(out: Schema) -> None:
    """Translate draft 4's boolean `exclusiveMinimum` and `exclusiveMaximum` in place."""
    for key, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(out.get(key), bool) and out.pop(key) and bound in out:
            out[key] = out.pop(bound)


def _without_idle_type(out: Schema, note: Note) -> Schema:
    """Drop a `type` that none of the listed values has: the values are more reliable."""
    values, kind = out.get("enum"), out.get("type")
    if isinstance(values, list) and kind is not None:
        kinds = [kind] if isinstance(kind, str) else kind
        if not any(has_type(value, kind) for value in values for kind in kinds):
            note(f"type `{_shown(kind)}` fits no value of `enum` and was dropped")
            return {key: value for key, value in out.items() if key != "type"}
    return out


def has_type(value: Json, kind: str) -> bool:
    """True when a JSON value is of the JSON Schema type `kind`."""
    if isinstance(value, bool) or value is None:
        return kind == ("null" if value is None else "boolean")
    if isinstance(value, int | float):
        return kind == "number" or (kind == "integer" and value == int(value))
    return kind == ("string" if isinstance(value, str) else "array" if isinstance(value, list) else "object")


def _shown(value: Json) -> str:
    text = encode(value)
    return text if len(text) <= 60 else text[:60] + "…"


@lru_cache(maxsize=4_096)
def is_linear(pattern: str) -> bool:
    """True when a regular expression works in the linear-time engine (no look-around, no back-references)."""
    return compiles({"pattern": pattern})


def compiles(schema: Schema) -> bool:
    """True when a validator can be made of `schema` without fetching anything."""
    return not isinstance(compiled(schema), str)
