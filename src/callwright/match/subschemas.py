"""The subschemas of a JSON Schema: branches, local references, items and properties."""

from __future__ import annotations

from typing import Final

from callwright.records.jsontext import Json

MAX_SCHEMAS: Final = 256
"""Most schemas visited for one value."""

Schema = dict[str, Json]


def alternatives(schema: Json, root: Json) -> tuple[Schema, ...]:
    """Return the schemas a value may follow, in order: the schema itself, or the branches it names.

    `root` is the document that local references (`#/...`) point into; other references are ignored. At most
    `MAX_SCHEMAS` are visited, because branches that refer to each other would never end.
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
            waiting += [] if reference in followed else [_follow(reference, root)]
            followed.add(reference)
            continue
        branches = [branch for word in ("anyOf", "oneOf", "allOf") for branch in _as_list(one.get(word))]
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
