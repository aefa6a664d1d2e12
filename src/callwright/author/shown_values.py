"""What a whole document shows of the values of a name: other tools show other crops than one tool does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from callwright.author.value_codes import usable_examples
from callwright.catalog.slots import Slot, slots
from callwright.lang.kinds import Kind, kind_of
from callwright.lang.schemas import name_words, plain_schema, singular
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Tool

Shown = Mapping[tuple[str, ...], tuple[str, ...]]
"""Words of a name to the values that a document shows for it."""

_KINDS: Final[frozenset[Kind]] = frozenset(("title", "other"))
_TELL_LITTLE: Final = frozenset("name title label value text query q search key display full new".split())
"""Words of names that things of all sorts have."""
_DEEPEST: Final = 4


@lru_cache(maxsize=16)
def shown_by_name(tools: tuple[Tool, ...]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the texts that the documents of these tools show, in parameters and in results, by words of their names.

    Names that things of all sorts have are left out, and so are codes and free texts. Do not change it.
    """
    found: dict[tuple[str, ...], dict[str, None]] = {}
    for tool in tools:
        for name, schema in _named(tool):
            words = tuple(map(singular, name_words(name)))
            if kind_of(name, schema) in _KINDS and not _TELL_LITTLE.issuperset(words):
                found.setdefault(words, {}).update(dict.fromkeys(usable_examples(schema)))
    return {words: tuple(values) for words, values in found.items() if len(values) > 1}


def others_shown(slot: Slot, shown: Shown) -> tuple[str, ...]:
    """Return what a document shows elsewhere for a parameter of this name."""
    return shown.get(tuple(map(singular, name_words(slot.label))), ()) if slot.kind in _KINDS else ()


@lru_cache(maxsize=65536)
def _named(tool: Tool) -> tuple[tuple[str, dict[str, Json]], ...]:
    asked = [(slot.label, plain_schema(decode(slot.schema))) for slot in slots(tool).values()]
    return (*asked, *_fields(decode(tool.returns) if tool.returns else {}, _DEEPEST))


def _fields(schema: Json, depth: int) -> Iterator[tuple[str, dict[str, Json]]]:
    plain = plain_schema(schema)
    properties = plain.get("properties")
    for name, child in properties.items() if isinstance(properties, dict) else ():
        yield name, plain_schema(child)
        if depth:
            yield from _fields(child, depth - 1)
    if depth and "items" in plain:
        yield from _fields(plain["items"], depth - 1)
