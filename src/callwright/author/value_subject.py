"""What a maker of values is built from: a parameter, its kind, and the words that tell what it is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from callwright.author.value_scene import Scene
from callwright.lang.kinds import Kind, kind_of
from callwright.lang.schemas import name_words, plain_schema
from callwright.records.jsontext import Json

Maker = Callable[[Scene], Json]
"""Draws one value in a scene."""


class Subject(NamedTuple):
    """What a maker is built from: a parameter, and the text of its tool."""

    name: str
    schema: dict[str, Json]
    kind: Kind
    words: tuple[str, ...]
    described: str
    about: str
    depth: int


def subject_of(name: str, schema: Json, *, about: str, depth: int = 0) -> Subject:
    """Return a parameter with its kind and the words that tell what it is about."""
    plain = plain_schema(schema)
    text = plain.get("description")
    described = text.lower() if isinstance(text, str) else ""
    return Subject(name, plain, kind_of(name, plain), name_words(name), described, about, depth)
