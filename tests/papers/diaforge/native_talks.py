"""The talks of `room_talks` with native replies of the assistant, played in this process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from callwright.author.online_voice import OnlineVoice
from callwright.engine.context import Context
from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.conversation import encode_request
from callwright.papers.diaforge.agent_rollout import play_native
from callwright.papers.registry import read_prompts
from callwright.recipe import Made
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from callwright.records.dialogue import Call
from callwright.records.jsontext import encode
from room_talks import CATALOG, CLEAN, VALUES, planned, workshop


def native(say: str, thought: str = "Several of the tools fit.", **arguments: Any) -> ChatReply:
    """A reply, with a call of `book_room` where there are arguments."""
    calls = (Call("book_room", encode(arguments), id="x9"),) if arguments else ()
    return ChatReply(say, thought, calls)


CALL = native("I am booking it now.", "It is book_room.", **VALUES)
TALK = [
    native("Do you want to get a room, or give one up?"),
    native("Which room would you like, and for how many people?", "It is book_room, I suppose."),
    native("And which cost code should it go to?", "It is book_room."),
    CALL,
]
"""A talk without a fault; the user's lines are those of the object's."""


class Lines:
    """Says its lines; keeps what it was asked, as it goes out."""

    name = "openai/x"

    def __init__(self, lines: Sequence[ChatReply]) -> None:
        self.left = list(lines)
        self.asked: list[bytes] = []
        self.requests: list[ChatRequest] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """The next line. What seeds a sampler belongs to the request."""
        self.requests.append(request)
        body = encode_request("x", request, calling="native", level="json_schema", settings={"seed": rng.random()})
        self.asked.append(body)
        return self.left.pop(0)


class SameWords(Lines):
    """A user who says the same again when a message is refused."""

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """The line of this turn."""
        self.requests.append(request)
        return self.left[request.messages[1].content.count("\nYou: ")]


class Played(msgspec.Struct, frozen=True):
    """A dialogue, with the models that played it."""

    made: Made
    assistant: Lines
    user: Lines


def played(
    replies: Sequence[ChatReply], gold: str = "book_room", values: dict[str, Any] = VALUES, **options: Any
) -> Played:
    """Play a dialogue where this tool and these values are right, all words being the same."""
    scenario = planned()
    assert isinstance(scenario.annotation, DiaforgePlan)
    plan = msgspec.structs.replace(scenario.annotation, gold_tool=CATALOG.by_name[gold].key)
    goal = ChatReply(f"do something {gold.partition('_')[0]}")
    author = Lines([goal, ChatReply(json.dumps({"reply": values}))])
    assistant, user = Lines(replies), SameWords([*map(ChatReply, CLEAN["user"])])
    prompts = read_prompts()
    models = {"author": author, "user": user, "assistant": assistant}
    ctx = Context.detached("item", models=models, voice=OnlineVoice("author", prompts=prompts))
    scenario = msgspec.structs.replace(scenario, annotation=plan)
    made = asyncio.run(play_native(scenario, ctx, workshop(**options), prompts))
    return Played(made, assistant, user)
