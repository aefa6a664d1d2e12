"""The base types of a tool's parameters, normalised across the spellings of documents."""

from __future__ import annotations

from callwright.lang.schemas import type_of_value
from callwright.records.jsontext import Json
from callwright.records.tool import Tool


def required_types(tool: Tool) -> dict[str, str]:
    """Return the required parameters of a tool, each with its base type."""
    properties = tool.properties
    return {name: base_type(properties[name]) for name in tool.required}


_SAME_TYPE = {
    "float": "number", "double": "number", "decimal": "number", "int": "integer", "long": "integer",
    "bool": "boolean", "str": "string", "text": "string", "dict": "object", "map": "object",
    "list": "array", "tuple": "array", "datetime": "date",
}  # fmt: skip
_DATE_FORMATS = ("date", "date-time")
_DEEPEST = 8


def base_type(schema: Json, *, depth: int = 0) -> str:
    """Return the base type of a parameter's schema, alternatives sorted and joined by a bar.

    It is `string`, `integer`, `number`, `boolean`, `array`, `object`, `date` (also date-time) or `any`. null is
    ignored, other spellings (`float`, `dict`) are mapped, and a missing `type` is inferred from other keywords.
    """
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return "any"
    declared = schema.get("type")
    names = declared if isinstance(declared, list) else [declared]
    found = {_SAME_TYPE.get(name.lower(), name.lower()) for name in names if isinstance(name, str)}
    if not found - {"null"}:
        found = _implied_types(schema, depth)
    if "string" in found and str(schema.get("format")) in _DATE_FORMATS:
        found = found - {"string"} | {"date"}
    return "|".join(sorted(found - {"null", "any"})) or "any"


def _implied_types(schema: dict[str, Json], depth: int) -> set[str]:
    """Types of a schema that names none itself."""
    for key in ("anyOf", "oneOf", "allOf"):
        if isinstance(branches := schema.get(key), list) and branches:
            return {name for branch in branches for name in base_type(branch, depth=depth + 1).split("|")}
    if isinstance(values := schema.get("enum"), list):
        return {type_of_value(value) for value in values} - {"null"} or {"string"}
    if "const" in schema:
        return {type_of_value(schema["const"])}
    if "properties" in schema:
        return {"object"}
    return {"array"} if "items" in schema else set()
