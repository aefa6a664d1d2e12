"""Parameters whose examples show what bare fields of their names look like in results.

`/pianos/{tag}` has the example `P-204`; a list of pianos tells a `tag` of which its document says no more. What is no
identifier in an address must have two examples: those of a `crop` that totals are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from callwright.environment.returns import with_tools
from callwright.lang.kinds import kind_of
from callwright.lang.schemas import example_values, name_words
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Catalog, Tool

Examples = Mapping[str, tuple[str, ...]]
"""The examples of parameters, by name."""


def with_shared_examples(catalog: Catalog) -> Catalog:
    """Return the catalogue with the examples of its parameters beside bare texts of their names in results."""
    known = told_examples(catalog.tools)
    return with_tools(catalog, {one.key: with_examples(one, known.get(one.service, {})) for one in catalog.tools})


def told_examples(tools: Iterable[Tool]) -> Mapping[str, Examples]:
    """Return the examples of parameters by service; of names that say of what they are."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for tool in tools:
        in_path = _IN_PATH.findall(tool.source)
        for name, schema in tool.properties.items():
            values = tuple(one for one in example_values(schema) if isinstance(one, str))
            is_shown = len(values) > (name not in in_path) and "enum" not in schema
            if is_shown and not _SAY_LITTLE.issuperset(name_words(name)):
                found.setdefault(tool.service, {}).setdefault(name, values)
    return found


def with_examples(tool: Tool, known: Examples) -> Tool:
    """Return the tool, with these examples beside the bare texts of their names in its result.

    >>> listed = '{"items":{"properties":{"tag":{"type":"string"}},"type":"object"},"type":"array"}'
    >>> with_examples(Tool(name="list_pianos", returns=listed), {"tag": ("P-204",)}).returns
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
            name: _with(name, one, known[name]) if name in known else _shown(one, known, depth + 1)
            for name, one in properties.items()
        }
    return shown


def _with(name: str, schema: Json, values: tuple[str, ...]) -> Json:
    """Return a text of which no more is known with these examples; what a city or an email looks like is known."""
    if not isinstance(schema, dict) or schema.get("type") != "string" or not _TELLING.isdisjoint(schema):
        return schema
    return {**schema, "examples": list(values)} if kind_of(name, schema) in ("code", "other") else schema


_IN_PATH: Final = re.compile(r"\{(\w+)\}")
_SAY_LITTLE: Final = frozenset(
    "id ids name key code slug type kind number value title status state description text note notes comment message "
    "body reason query q search term filter sort order fields include".split()
)
"""Words of names that things of other kinds share."""
_TELLING: Final = frozenset("example examples enum const format pattern default".split())
_DEEPEST: Final = 8
