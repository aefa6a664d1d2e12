"""Which results feed which parameters: what one tool returns and another asks for."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from callwright.catalog.returns import identity_of
from callwright.catalog.slots import slots
from callwright.lang.kinds import Kind, kind_of
from callwright.lang.schemas import type_of
from callwright.lang.tokens import identifier_words, stem
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.tool import Tool


class Output(msgspec.Struct, frozen=True):
    """A field of a tool's result."""

    path: tuple[str, ...]
    """Keys from the top; those inside the items of a list come after `*`."""
    name: str
    kind: Kind
    schema: JsonText

    @property
    def is_listed(self) -> bool:
        """Whether it is a field of each item of a list."""
        return "*" in self.path

    def pointer(self, position: int = 0) -> str:
        """Return the JSON pointer (RFC 6901) to it, in the item at `position` where it is one of a list."""
        keys = (str(position) if key == "*" else key for key in self.path)
        return "".join(f"/{key.replace('~', '~0').replace('/', '~1')}" for key in keys)


class Feed(msgspec.Struct, frozen=True):
    """An output that is a value for a parameter."""

    output: Output
    parameter: str


_FED: frozenset[Kind] = frozenset(
    ("code", "url", "city", "country", "email", "person", "currency", "title", "phone", "language")
)
"""Kinds of values that say which thing is meant; measures and choices are no inputs of the next tool."""
_PLAIN_TITLES = frozenset(("name", "title", "text"))


@lru_cache(maxsize=65536)
def outputs(tool: Tool) -> tuple[Output, ...]:
    """Return the scalar fields of the tool's result: those at the top, and those of the items of its lists."""
    schema = decode(tool.returns) if tool.returns is not None else {}
    return tuple(_walk(schema, ())) if isinstance(schema, dict) else ()


def _walk(schema: dict[str, Json], path: tuple[str, ...]) -> list[Output]:
    properties = schema.get("properties")
    found: list[Output] = []
    for name, field in (properties.items() if isinstance(properties, dict) else ()):
        if not isinstance(field, dict):
            continue
        shape = type_of(field)
        if shape == "array" and "*" not in path and isinstance(field.get("items"), dict):
            found += _walk(field["items"], (*path, name, "*"))
        elif shape == "object" and len(path) < 3:
            found += _walk(field, (*path, name))
        elif shape in ("string", "integer", "number", "boolean"):
            found.append(Output((*path, name), name, kind_of(name, field), encode(field)))
    return found


@lru_cache(maxsize=262144)
def feeds(producer: Tool, consumer: Tool) -> tuple[Feed, ...]:
    """Return how `producer`'s result feeds `consumer`: for each required parameter the first output that fits it."""
    found = []
    own = {identity_of(producer, name) for name in producer.properties}
    for name in consumer.required:
        if identity_of(consumer, name) in own:
            continue  # the user has said it already
        fitting = next((output for output in outputs(producer) if _fits(producer, output, consumer, name)), None)
        if fitting is not None:
            found.append(Feed(fitting, name))
    return tuple(found)


def _fits(producer: Tool, output: Output, consumer: Tool, parameter: str) -> bool:
    slot = slots(consumer)[parameter]
    if slot.kind not in _FED or type_of(decode(output.schema)) != type_of(consumer.properties[parameter]):
        return False
    if output.name in _PLAIN_TITLES:
        return slot.kind in ("title", "person", "other") and _is_name_of(producer, output, consumer, parameter)
    if output.kind in ("city", "country") and slot.kind == output.kind:
        return not set(slot.noun.text.split()) & {"code", "from", "origin", "source"}
    return identity_of(producer, output.name) == identity_of(consumer, parameter)


def _is_name_of(producer: Tool, output: Output, consumer: Tool, parameter: str) -> bool:
    """`title` of each of the `songs` for a parameter that is the title or name of a song."""
    if not output.is_listed:
        return False
    item = {stem(word) for word in identifier_words(output.path[-3])}
    noun = {stem(word) for word in slots(consumer)[parameter].noun.text.lower().split()}
    return bool(item & noun) and bool(noun & {"name", "title"} or item == noun)
