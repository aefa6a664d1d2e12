"""`builtin/author`: answers the bundled prompts by rules, for dry runs with a served author.

It sees only the prompt, and follows its lines with set phrases; values come from the offline grammar, votes are random.
To other prompts it replies with random values if a schema is given, otherwise with one fixed sentence.
"""

from __future__ import annotations

import re
from datetime import date
from random import Random
from typing import Final

from callwright.author.prompts import fields
from callwright.author.telling_apart import telling_apart
from callwright.author.value_drawing import draw_values
from callwright.errors import BadDocument
from callwright.graph.scripted_texts import scripted_texts
from callwright.lang.english import join_with, sentence_case
from callwright.lang.kinds import kind_of_value
from callwright.lang.surface import say
from callwright.models.chat import ChatModel, ChatReply, ChatRequest
from callwright.papers.registry import calling_authors, scripted_authors
from callwright.records.jsontext import EMPTY_OBJECT, Json, JsonText, canonical_text, encode, parse
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
    for paper in scripted_authors():
        if said := paper.write_text(asked, rng):
            return said
    told = fields(asked)
    if "Style" in told:
        return _user_turn(asked, told, rng)
    return _question(asked)


_VALUE: Final = re.compile(r"^Say this value: (.+?) = (.+?)( \(say a wrong one first .{0,1000}\))?$", re.MULTILINE)
_OPEN: Final = "This is the first message. Ask for this and be no more precise"
_FULL: Final = "Say the whole wish again in other words"
_PICK: Final = re.compile(r"Say which thing is meant: (.+)$", re.MULTILINE)
_TOPIC: Final = "something about "


def _user_turn(asked: str, told: dict[str, str], rng: Random) -> str:
    is_terse = told["Style"] == "terse"
    parts: list[str] = []
    if wish := told.get(_OPEN):
        topic = wish.startswith(_TOPIC)
        full = f"I need {wish.removeprefix(_TOPIC)}." if topic else f"I would like to {wish}."
        parts.append(f"{sentence_case(wish.removeprefix(_TOPIC))}." if is_terse else f"Hello. {full}")
    if wish := told.get(_FULL):
        parts.append(f"{sentence_case(wish)}." if is_terse else f"I want to {wish}.")
    if about := re.search(r'^Ask what is meant by "(.+)";', asked, re.MULTILINE):
        parts.append(f"What is meant by {about[1]}?")
    if "the assistant should go ahead" in asked:
        parts.append("That is all, go ahead.")
    if "say goodbye" in asked:
        parts.append("All right, then not. Goodbye.")
    if "None of the things offered is meant." in asked:
        parts.append("None of these.")
    if pick := _PICK.search(asked):
        parts.append(f"{sentence_case(pick[1])}." if is_terse else f"I mean {pick[1]}.")
    parts += [_told(noun, text, is_terse=is_terse) for noun, text, _ in _VALUE.findall(asked)]
    return " ".join(parts) or _NOTHING


def _told(noun: str, text: str, *, is_terse: bool) -> str:
    try:
        value = parse(text, where="value")
    except BadDocument:
        value = text
    if isinstance(value, bool):
        said = "yes" if value else "no"
    else:
        said = say(value, kind_of_value(value), rng=Random(0), today=None)
    return f"{sentence_case(noun)}: {said}." if is_terse else f"The {noun} is {said}."


def _question(asked: str) -> str:
    nouns = [f"the {line[2:].partition(' (')[0]}" for line in asked.splitlines() if line.startswith("- ")]
    return f"What is {join_with(nouns)}?" if re.search(r"^Ask for:", asked, re.MULTILINE) else _NOTHING
