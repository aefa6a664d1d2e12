"""The parameters of a tool as used in conversations: noun, kind, schema."""

from __future__ import annotations

from functools import cached_property, lru_cache

import msgspec

from callwright.lang.kinds import Kind, kind_of
from callwright.lang.nouns import Noun, as_spelled, slot_noun
from callwright.lang.tokens import stem_set
from callwright.records.jsontext import JsonText, encode
from callwright.records.tool import Tool


class Slot(msgspec.Struct, frozen=True, dict=True):
    """One parameter, as people talk about it."""

    name: str
    noun: Noun
    kind: Kind
    schema: JsonText
    description: str

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words that a question about it would use."""
        return stem_set(self.noun.consequence or self.noun.text)


@lru_cache(maxsize=65536)
def slots(tool: Tool) -> dict[str, Slot]:
    """Return all documented parameters of a tool by name. Do not change it."""
    return {name: _slot(name, schema, tool.description) for name, schema in tool.properties.items()}


def _slot(name: str, schema: dict[str, object], about: str) -> Slot:
    description = schema.get("description")
    description = description if isinstance(description, str) else ""
    noun = slot_noun(name, description)
    noun = msgspec.structs.replace(noun, text=as_spelled(noun.text, about))
    return Slot(name, noun, kind_of(name, schema), encode(schema), description)
