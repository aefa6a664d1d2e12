"""Identifiers in addresses that show what bare fields of their names look like in results.

`/pianos/{tag}` has the example `P-204`; a list of pianos tells a `tag` of which its document says no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from callwright.lang.schemas import example_values, name_words
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

Examples = Mapping[str, tuple[str, ...]]
"""The examples of identifiers, by name."""


def path_examples(tools: Iterable[Tool]) -> Mapping[str, Examples]:
    """Return the examples of identifiers in addresses by domain; of names that say of what they are."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for tool in tools:
        for name in _IN_PATH.findall(tool.source):
            values = tuple(one for one in example_values(tool.properties.get(name, {})) if isinstance(one, str))
            if values and not _SAY_LITTLE.issuperset(name_words(name)):
                found.setdefault(tool.domain, {}).setdefault(name, values)
    return found


def with_codes(tool: Tool, known: Examples) -> Tool:
    """Return the tool, with these examples beside the bare texts of their names in its result.

    >>> listed = '{"items":{"properties":{"tag":{"type":"string"}},"type":"object"},"type":"array"}'
    >>> with_codes(Tool(name="list_pianos", returns=listed), {"tag": ("P-204",)}).returns
    '{"items":{"properties":{"tag":{"examples":["P-204"],"type":"string"}},"type":"object"},"type":"array"}'
    """
    if tool.returns is None or not known:
        return tool
    told = encode(_shown(decode(tool.returns), known, 0))
    return tool if told == tool.returns else msgspec.structs.replace(tool, returns=told)


def _shown(schema: Json, known: Examples, depth: int) -> Json:
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return schema
    shown = dict(schema)
    if "items" in schema:
        shown["items"] = _shown(schema["items"], known, depth + 1)
    if isinstance(properties := schema.get("properties"), dict):
        shown["properties"] = {
            name: _with(one, known[name]) if name in known else _shown(one, known, depth + 1)
            for name, one in properties.items()
        }
    return shown


def _with(schema: Json, values: tuple[str, ...]) -> Json:
    is_bare = isinstance(schema, dict) and schema.get("type") == "string" and _TELLING.isdisjoint(schema)
    return {**schema, "examples": list(values)} if is_bare and isinstance(schema, dict) else schema


_IN_PATH: Final = re.compile(r"\{(\w+)\}")
_SAY_LITTLE: Final = frozenset("id ids name key code slug type kind number value".split())
"""Words of names that things of other kinds share."""
_TELLING: Final = frozenset("example examples enum const format pattern default".split())
_DEEPEST: Final = 8
