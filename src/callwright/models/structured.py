"""Requests for JSON replies in three forms, and the fallback from stricter to looser ones.

json_schema   `response_format` with the schema: the server enforces it
json_object   `response_format` for any object; the schema is in the prompt
prompt        the schema is only in the prompt
"""

from __future__ import annotations

import re
from typing import Final, Literal

from callwright.errors import BadDocument
from callwright.lang.literal_reading import read_literal
from callwright.match.schema import fits_schema
from callwright.models.brackets import TooMuch
from callwright.models.chat import ChatReply
from callwright.models.tool_calls import json_object
from callwright.records.jsontext import Json, JsonText, decode, parse

Level = Literal["json_schema", "json_object", "prompt"]

LEVELS: Final[tuple[Level, ...]] = ("json_schema", "json_object", "prompt")

MOST_REPLY: Final = 100_000
"""Characters of a reply that a value is read from."""

FENCED: Final = "a fence around the JSON object"
"""The format error that does not affect the content."""

_FENCE: Final = re.compile(r"```(?:json|JSON)?+\s*+(\{.*\})\s*+```", re.DOTALL)

_REFUSES: Final = frozenset({400, 415, 422})
_IGNORES: Final = 200

_TRIES_OF_AN_ERROR = 2
"""A 500 may be a coincidence, or a server that fails on the form each time."""


def next_level(level: Level, status: int, *, tried: int) -> Level | None:
    """Return the level to try after `tried` answers with `status` (200: form ignored); None to keep this one."""
    may_be_form = status in _REFUSES or status == _IGNORES or (status == 500 and tried >= _TRIES_OF_AN_ERROR)
    if not may_be_form or level == LEVELS[-1]:
        return None
    return LEVELS[LEVELS.index(level) + 1]


def response_format(schema: JsonText, level: Level) -> dict[str, Json] | None:
    """Return the field of the request; None if the level has none."""
    if level == "prompt":
        return None
    if level == "json_object":
        return {"type": "json_object"}
    document = decode(schema)
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": document, "strict": is_strict(document)}}


def instruction(schema: JsonText, level: Level) -> str:
    """Return the prompt's instruction about the reply's form; empty if the server enforces it."""
    if level == "json_schema":
        return ""
    return f"Reply with one JSON object and nothing else. It must fit this JSON Schema:\n{schema}"


def read_object(content: str) -> tuple[str, tuple[str, ...]]:
    """Return the JSON object of a reply, without surrounding fences and text, and the format errors."""
    text = content.strip()
    try:
        found = json_object(text)
    except TooMuch as error:
        return content, (f"the reply is not read as a JSON object: {error}",)
    if found is None:
        return content, ("the reply is no JSON object",)
    if found == text:
        return found, ()
    fence = _FENCE.fullmatch(text)
    return found, (FENCED if fence and fence[1] == found else "text around the JSON object",)


def keeps_to(reply: ChatReply, schema: JsonText) -> bool:
    """Return whether the whole reply is one object that fits the schema."""
    if reply.format_errors:
        return False
    try:
        value: Json = parse(reply.content)
    except BadDocument:
        return False
    return isinstance(value, dict) and fits_schema(value, schema)


def is_strict(schema: Json) -> bool:
    """Return whether OpenAI's strict mode accepts the schema: objects require all their keys and allow no others."""
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object":
        named = schema.get("properties")
        required = schema.get("required")
        if not isinstance(named, dict) or not isinstance(required, list) or schema.get("additionalProperties", 1):
            return False
        if {*named} != {name for name in required if isinstance(name, str)}:
            return False
    return all(map(is_strict, schema.values()))


class Learned:
    """Facts that all models of one run have learned about their servers, so that each is found out only once."""

    def __init__(self) -> None:
        self.proven: set[tuple[str, Level]] = set()
        """Models, by full name, and forms in which a reply ever fitted its schema."""
        self.answered: set[str] = set()
        """Servers that ever answered."""
        self._levels: dict[str, Level] = {}

    def level(self, model: str) -> Level:
        """Return the strictest form of JSON replies that may work with the model of this full name."""
        return self._levels.get(model, LEVELS[0])

    def keep_level(self, model: str, level: Level) -> None:
        """Remember a form that worked, so that stricter ones are not tried again."""
        self._levels[model] = max(self.level(model), level, key=LEVELS.index)


def read_mapping(reply: str) -> dict[str, Json] | None:
    """Return the object in a reply, written as JSON or as a Python literal; None where there is none."""
    if len(reply) > MOST_REPLY:
        return None
    outer = reply[reply.find("{") : reply.rfind("}") + 1]
    for text, read in ((outer, parse), (outer, read_literal), (read_object(reply)[0], parse)):
        try:
            value = read(text, where="reply")
        except BadDocument:
            continue
        return value if isinstance(value, dict) else None
    return None
