"""The fields that the result of a tool tells, and whether two values stand for the same sort of thing."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from callwright.catalog.slots import slots
from callwright.environment.returns import identity_of
from callwright.environment.told_fields import Spot, spot_of, told_fields
from callwright.environment.tool_target import own_field, target_of
from callwright.lang.kinds import ID_WORDS, Kind, kind_of
from callwright.lang.schemas import name_words, plain_schema, singular, type_of
from callwright.lang.tokens import identifier_words, stem, stem_set
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.tool import Tool


class Output(msgspec.Struct, frozen=True):
    """A field of a tool's result."""

    path: tuple[str, ...]
    """Keys from the top; keys inside list items come after `*`."""
    name: str
    kind: Kind
    schema: JsonText
    identity: tuple[frozenset[str], str]
    """The thing that it identifies (see `identity_of`); a plain `id` identifies the object that holds it."""
    item: str = ""
    """The noun for the items of the list that it is in, in the singular."""

    @property
    def is_listed(self) -> bool:
        """Whether it is a field of each item of a list."""
        return "*" in self.path

    def pointer(self, position: int = 0) -> str:
        """Return its JSON pointer (RFC 6901), in the item at `position` if it is in a list."""
        keys = (str(position) if key == "*" else key for key in self.path)
        return "".join(f"/{key.replace('~', '~0').replace('/', '~1')}" for key in keys)


@lru_cache(maxsize=65536)
def outputs(tool: Tool) -> tuple[Output, ...]:
    """Return the scalar fields that the tool's result tells: those at the top, and those of the items of its lists."""
    schema = plain_schema(decode(tool.returns)) if tool.returns is not None else {}
    target = target_of(tool)
    if type_of(schema) == "array":
        return tuple(_walk(schema.get("items"), ("*",), tool, Spot("item", target.noun, target)))
    return tuple(_walk(schema, (), tool, Spot("thing", target.noun, target)))


def _walk(document: Json, path: tuple[str, ...], tool: Tool, spot: Spot) -> list[Output]:
    schema = plain_schema(document)
    found = schema.get("properties")
    properties = found if isinstance(found, dict) else {}
    spot, held = spot_of(spot, properties)
    told: list[Output] = []
    for name in told_fields(schema, spot, held):
        field = plain_schema(properties.get(name))
        shape, inner = type_of(field), spot.inside(name, held, field)
        if shape == "array" and inner.role == "item":
            told += _walk(field.get("items"), (*path, name, "*"), tool, inner)
        elif shape == "object" and len(path) < 3:
            told += _walk(field, (*path, name), tool, inner)
        elif shape in ("string", "integer", "number", "boolean"):
            identity, item = _identity(tool, path, name), _item(tool, path)
            told.append(Output((*path, name), name, kind_of(name, field), encode(field), identity, item))
    return told


def _identity(tool: Tool, path: tuple[str, ...], name: str) -> tuple[frozenset[str], str]:
    words = name_words(name)
    if not words or not ID_WORDS.issuperset(words):
        return identity_of(tool, name)
    target = target_of(tool)
    holder = next((key for key in reversed(path) if key != "*"), "")
    if holder and not target.is_about(holder):
        return frozenset(map(stem, (*name_words(holder)[:-1], singular(name_words(holder)[-1])))), "id"
    if target.own:
        return identity_of(tool, target.own)[0], "id"
    return frozenset(stem(singular(word)) for word in target.named), "id"


def _item(tool: Tool, path: tuple[str, ...]) -> str:
    if "*" not in path:
        return ""
    target, holder = target_of(tool), ("data", *path)[path.index("*")]
    return " ".join(target.named) if target.is_about(holder) else singular(" ".join(name_words(holder)))


def is_own(tool: Tool, output: Output) -> bool:
    """Return whether a field identifies what the tool creates or reads, or an item of the list that it returns.

    A field that the same object has beside its own identifier identifies something else: the batch of a payment.
    """
    noun = output.item.split()[-1] if output.item else target_of(tool).noun
    held = output.path[output.path.index("*") + 1 :] if output.is_listed else output.path
    is_top = all(target_of(tool).is_about(key) for key in held[:-1])
    beside = [one for one in outputs(tool) if one.path[:-1] == output.path[:-1]]
    known = [one.name for one in beside if not _is_of_another(one, noun)]
    return is_top and (own_field(known, noun) or own_field([one.name for one in beside], noun)) == output.name


def _is_of_another(output: Output, noun: str) -> bool:
    """Whether a plain `id` is described as that of another thing: of the message that begins a conversation."""
    described = decode(output.schema).get("description") if ID_WORDS.issuperset(name_words(output.name)) else None
    found = _OF_THING.search(described[:_LONGEST]) if isinstance(described, str) else None
    return found is not None and stem(found[1].lower()) not in {stem(noun), *_ANY_THING}


_LONGEST = 200
_OF_THING = re.compile(r"\b(?:of|for|representing|identifying|identifies) (?:the|a|an|this|that) (\w{1,40})")
_ANY_THING = stem_set("new newly created object resource record item entity unique given specific same")


def takes_same(one: Tool, parameter: str, other: Tool, theirs: str) -> bool:
    """Return whether two parameters take the same kind of object: a city or country, or one owner's identifier."""
    slot, identity = slots(one)[parameter], identity_of(one, parameter)
    return is_meant(slot.kind, parameter, identity, other, theirs)


def is_meant(kind: Kind, name: str, identity: tuple[frozenset[str], str], tool: Tool, parameter: str) -> bool:
    """Return whether a value of this kind, name and identity could fit the parameter."""
    slot = slots(tool)[parameter]
    if slot.kind in ("city", "country") and kind == slot.kind:
        return not _has_end(parameter) and not _has_end(name)
    return kind == slot.kind and is_same_thing(kind, identity, identity_of(tool, parameter))


def is_same_thing(kind: Kind, one: tuple[frozenset[str], str], other: tuple[frozenset[str], str]) -> bool:
    """Whether two values identify the same sort of thing: a code `channel` is the `id` of a channel."""
    return one[0] == other[0] and (one[1] == other[1] or (kind == "code" and {one[1], other[1]} == {"", "id"}))


_ENDS = frozenset("origin destination source target from to start end departure arrival".split())


def _has_end(name: str) -> bool:
    return not _ENDS.isdisjoint(identifier_words(name))
