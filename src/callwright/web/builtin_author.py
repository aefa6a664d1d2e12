"""`builtin/author`: answers the bundled prompts by rules, for dry runs with a served author.

It sees only the prompt, and follows its lines with set phrases; values come from the offline grammar, votes are random.
To other prompts it replies with random values if a schema is given, otherwise with one fixed sentence.
"""

from __future__ import annotations

import re
from datetime import date
from random import Random
from typing import Final

from callwright.author.telling_apart import telling_apart
from callwright.author.value_drawing import draw_values
from callwright.errors import BadDocument
from callwright.graph.scripted_texts import scripted_texts
from callwright.models.chat import ChatModel, ChatReply, ChatRequest
from callwright.papers.registry import calling_authors, scripted_authors
from callwright.records.jsontext import EMPTY_OBJECT, Json, JsonText, canonical_text, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool

_NOTHING: Final = "I am builtin/author: I write what the prompts of callwright ask for, and nothing else."
_MOST_OF_A_PROMPT: Final = 4
"""Messages of a repair: system message, prompt, reply, and its faults."""
_SOMEONE: Final = Persona(id="", name="Kim Sato", job="clerk")
_SOME_DAY: Final = date(2025, 3, 3)


class Writer:
    """Follows prompts line by line."""

    name = "builtin/author"

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the answer to the first user message. Raises RolloutFailed, BadDocument for an unusable schema."""
        asked = next((message.content for message in request.messages if message.role == "user"), "")
        if request.reply_schema is not None:
            return ChatReply(content=encode(_reply_object(asked, request.reply_schema, rng)))
        if request.tools:
            replies = (paper.native_reply(request) for paper in calling_authors())
            return next((reply for reply in replies if reply is not None), ChatReply(content=_text(asked, rng)))
        return ChatReply(content=_text(asked, rng))


class WriterBeside:
    """Another model that passes the bundled prompts to the writer, for dry runs of every role."""

    def __init__(self, model: ChatModel) -> None:
        self.name = model.name
        self._model = model

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the writer's answer to a bundled prompt, and the model's reply to anything else."""
        if not request.tools and request.reply_schema is None and len(request.messages) <= _MOST_OF_A_PROMPT:
            written = _text(next((one.content for one in request.messages if one.role == "user"), ""), rng)
            if written != _NOTHING:
                return ChatReply(content=written)
        return await self._model.reply(request, rng)


# -- replies with a schema -------------------------------------------------------------------------------------------


def _reply_object(asked: str, schema: JsonText, rng: Random) -> dict[str, Json]:
    if len(tools := [_shown(found) for found in _SHOWN_TOOL.finditer(asked)]) == 2:
        return {"reply": dict(telling_apart.offline(rng, *tools))}
    if (texts := scripted_texts(asked)) is not None:
        return texts
    for paper in scripted_authors():
        if (written := paper.write_object(asked, rng)) is not None:
            return written
    return draw_values(rng, Tool(name="reply", parameters=schema), _SOMEONE, today=_SOME_DAY)


_SHOWN_TOOL: Final = re.compile(
    r"^The (?:tool to reword|other tool):\nname: ([^\n]+)\ndescription: (.{0,20000}?)\nparameters: ([^\n]+)$",
    re.MULTILINE | re.DOTALL,
)


def _shown(found: re.Match[str]) -> Tool:
    """Return a tool in the prompt that asks for another wording; cut-off parameters are dropped."""
    name, description, text = found.groups()
    try:
        parameters = canonical_text(text, where="parameters")
    except BadDocument:
        parameters = EMPTY_OBJECT
    return Tool(name=name, description="" if description == "(none)" else description, parameters=parameters)


# -- replies in words ------------------------------------------------------------------------------------------------


def _text(asked: str, rng: Random) -> str:
    return next((said for paper in scripted_authors() if (said := paper.write_text(asked, rng))), _NOTHING)
