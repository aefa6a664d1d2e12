"""`builtin/eager` and `builtin/abstain`, which never ask for a value: `builtin/retriever` shows what asking is worth.

`builtin/eager` calls the best lexical match at once and fills only stated values. Where an object is asked for it gives
the same each time: the first choice wherever the schema has several. `builtin/abstain` never calls a tool:
it is the lower bound of every tool metric except FTR. Both see only messages and tools of the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from random import Random
from typing import Final

import msgspec

from callwright.author.required_values import required_paths
from callwright.catalog.retrieval import Retriever
from callwright.catalog.slots import assemble, slots
from callwright.lang.reading import Found, read
from callwright.models.chat import ChatReply, ChatRequest
from callwright.records.dialogue import Call
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

_TODAY: Final = re.compile(r"\b\d{4}-\d\d-\d\d\b")


class Eager:
    """Calls the tool whose document shares most words with the user's text."""

    name = "builtin/eager"

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return one call, or the object asked for; a sentence if there is no tool to call."""
        if request.reply_schema is not None:
            return ChatReply(content=encode(_first_choice(decode(request.reply_schema))))
        current = current_part(request)
        if current is None:
            return ChatReply(content="That is done.")
        said = "\n".join(message.content for message in current.messages if message.role == "user")
        best = Retriever(request.tools).search(said, 1)
        if not best:
            return ChatReply(content="I have no tool to call.")
        tool = request.tools[best[0][0]]
        arguments = assemble(tool, dict(_fill(tool, said, _today(request))))
        return ChatReply(calls=(Call(tool.name, encode(arguments)),))


def _first_choice(schema: Json) -> Json:
    """The value that takes the first choice everywhere, and as little as required."""
    if not isinstance(schema, dict):
        return ""
    match schema:
        case {"enum": [first, *_]}:
            return first
        case {"anyOf": [first, *_]}:
            return _first_choice(first)
    kind, named, required = (schema.get(name) for name in ("type", "properties", "required"))
    if kind == "object":
        known = named if isinstance(named, dict) else {}
        return {str(name): _first_choice(known.get(name)) for name in (required if isinstance(required, list) else ())}
    return {"array": [], "integer": 0, "number": 0, "boolean": False}.get(str(kind), "")


def _today(request: ChatRequest) -> date | None:
    told = " ".join(message.content for message in request.messages if message.role == "system")
    if (found := _TODAY.search(told)) is None:
        return None
    try:
        return date.fromisoformat(found.group())
    except ValueError:
        return None


def _fill(tool: Tool, said: str, today: date | None) -> Iterator[tuple[str, Json]]:
    """Yield each required value's path with the first valid value in the text; no words are used twice."""
    taken: list[Found] = []
    by_path = slots(tool)
    for path in required_paths(tool):
        for found in read(said, by_path[path].kind, decode(by_path[path].schema), today=today):
            if all(found.end <= other.start or other.end <= found.start for other in taken):
                taken.append(found)
                yield path, found.value
                break


_QUESTION: Final = "Could you tell me a little more about what you need?"


class Abstain:
    """Always asks the same neutral question."""

    name = "builtin/abstain"

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        return ChatReply(content=_QUESTION)


def current_part(request: ChatRequest) -> ChatRequest | None:
    """Return the conversation since the last report of a tool result; None if a result has just arrived."""
    messages = request.messages
    if messages and messages[-1].role == "tool":
        return None
    reported = [
        at
        for at, (before, message) in enumerate(pairwise(messages), 1)
        if before.role == "tool" and message.role == "assistant" and not message.calls
    ]
    if not reported:
        return request
    told = tuple(message for message in messages if message.role == "system")
    return msgspec.structs.replace(request, messages=(*told, *messages[reported[-1] + 1 :]))
