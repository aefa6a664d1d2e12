"""Plain JSON Schema: an object schema is a tool called by its title, its properties are the parameters.

It reads one schema, an array, or the `$defs` (or `definitions`) of another document. Without a title, the name is the
last part of `$id`, or that among the definitions.
"""

from __future__ import annotations

from collections.abc import Iterator

from callwright.formats.described import Described, collect
from callwright.formats.keywords import Schema
from callwright.formats.schema_completion import BrokenReference, resolve
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog, LeftOut

LAYOUT = "JSON Schema (an object schema with `title`, an array of them, or `$defs`)"

_DEFINITIONS = ("$defs", "definitions")
_OF_THE_TOOL = {"title", "description", "$schema", "$id", *_DEFINITIONS}


def fits(document: Json) -> bool:
    """True for an object schema, a document of definitions, or an array with a titled object schema."""
    if isinstance(document, list):
        return any(_is_object_schema(entry) and "title" in entry and "name" not in entry for entry in document)
    return isinstance(document, dict) and (
        _is_object_schema(document) or _definitions(document) is not None or "$schema" in document
    )


def read(document: Json, *, source: str) -> Catalog:
    """Return the tools of a schema, or of several. Raises BadDocument when there is no usable one."""
    if isinstance(document, list):
        entries = (_described(one, one, f"schema {i}", "") for i, one in enumerate(document, 1))
        return collect(entries, source=source)
    return collect(_entries(document), source=source)


def _entries(document: dict[str, Json]) -> Iterator[Described | LeftOut]:
    """Yield the document itself if it is an object schema, otherwise each of its definitions."""
    named = _definitions(document)
    if _is_object_schema(document) or "$ref" in document or named is None:
        yield _described(document, document, "the schema", _last_part(document.get("$ref")))
        return
    key, definitions = named
    for name, node in definitions.items():
        yield _described(node, document, f"{key}/{name[:80]}", name)


def _described(node: Json, root: Json, where: str, name: str) -> Described | LeftOut:
    schema = _target(node, root)
    if not _is_object_schema(schema):
        return LeftOut(where, "no tool: it is no object schema")
    called = schema.get("title") or _last_part(schema.get("$id")) or name
    if not isinstance(called, str) or not called:
        return LeftOut(where, "no tool: it has no `title`")
    return Described(
        name=called,
        description=schema.get("description"),
        parameters={key: value for key, value in schema.items() if key not in _OF_THE_TOOL},
        source=where,
        raw=node,
        root=root,
    )


def _target(node: Json, root: Json) -> Json:
    """Return what a schema that is only a reference refers to; the schema itself if the reference is broken."""
    for _ in range(8):
        if not isinstance(node, dict) or "properties" in node or not isinstance(node.get("$ref"), str):
            break
        try:
            node = resolve(root, node["$ref"])
        except BrokenReference:
            break
    return node


def _is_object_schema(node: Json) -> bool:
    return isinstance(node, dict) and (
        isinstance(node.get("properties"), dict) or (node.get("type") == "object" and "title" in node)
    )


def _definitions(document: dict[str, Json]) -> tuple[str, Schema] | None:
    return next(((key, document[key]) for key in _DEFINITIONS if isinstance(document.get(key), dict)), None)


def _last_part(reference: Json) -> str:
    """Return the name at the end of an id or a reference, without a file's suffix."""
    if not isinstance(reference, str):
        return ""
    return reference.rstrip("/#").rsplit("/", 1)[-1].rsplit("#", 1)[-1].removesuffix(".json").removesuffix(".schema")
