"""The model under test is sent nothing that depends on the gold call: other gold, same words, equal bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
import pytest

from callwright.author.online_voice import OnlineVoice
from callwright.engine.context import Context
from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.conversation import encode_request
from callwright.papers.diaforge.diaforge_options import DynamicOptions, StaticOptions
from callwright.papers.diaforge.dynamic_protocol import rollout
from callwright.papers.diaforge.static_protocol import rollout as static_rollout
from callwright.papers.registry import read_prompts
from callwright.protocol.live_user import LivePlay
from callwright.records.annotations.diaforge_notes import DiaforgeNotes, DiaforgePlan
from callwright.records.dialogue import Call, Dialogue, GoldArgument, GoldCall
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from strong_author import catalogue, planned, play_talk, talks

TALK = next(talk for talk in talks() if talk.name == "text for later")


class _User:
    """Says the talk's words, whatever is asked; a refused message again."""

    name = "openai/user"

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        turn = request.messages[1].content.partition("\nThe conversation:\n")[2].count("You: ")
        return ChatReply(TALK.user[min(turn, len(TALK.user) - 1)])


class _Tested:
    """Asks what the talk's assistant asks, and calls in the end; keeps what it is sent, as it goes out."""

    name = "openai/model"

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        self.sent.append(encode_request("m", request, calling="native", level="json_schema"))
        says = [one["say"] for one in TALK.assistant]
        if len(self.sent) < len(says):
            return ChatReply(says[len(self.sent) - 1])
        return ChatReply(says[-1], calls=(Call(TALK.tool, encode(TALK.gold)),))


def with_gold(dialogue: Dialogue, tool: str, values: Mapping[str, Any]) -> Dialogue:
    """The dialogue whose user wants something else."""
    arguments = tuple(GoldArgument(name, (encode(value),)) for name, value in values.items())
    task = msgspec.structs.replace(dialogue.tasks[0], goal=f"do {tool}", gold=(GoldCall(tool, arguments),))
    scenario, notes = dialogue.scenario, dialogue.annotation
    assert scenario is not None
    assert isinstance(scenario.annotation, DiaforgePlan)
    assert isinstance(notes, DiaforgeNotes)
    plan = msgspec.structs.replace(scenario.annotation, gold_tool=catalogue(TALK.catalogue).by_name[tool].key)
    return msgspec.structs.replace(
        dialogue,
        tasks=(task,),
        scenario=msgspec.structs.replace(scenario, tasks=(task,), annotation=plan),
        annotation=msgspec.structs.replace(notes, gold_tool=tool),
    )


def pool() -> tuple[Tool, ...]:
    return tuple(catalogue(TALK.catalogue).by_name[shown.name] for shown in planned(TALK).tools)


def sent(dialogue: Dialogue, *, live: bool) -> list[bytes]:
    """What the model under test is sent."""
    tested = _Tested()
    voice = OnlineVoice("user", prompts=read_prompts())
    ctx = Context.detached("item", models={"model": tested, "user": _User()}, voice=voice)
    if live:
        asyncio.run(rollout(dialogue, pool(), ctx, DynamicOptions(), play=LivePlay(hears=True)))
    else:
        asyncio.run(static_rollout(dialogue, pool(), ctx, StaticOptions()))
    return tested.sent


OTHER: list[tuple[str, dict[str, Any]]] = [
    ("send_message", {"to": "+447700900999", "text": "Nothing."}),
    ("schedule_message", {"to": "+447700900111", "text": "Nothing.", "send_on": "2027-12-24"}),
    ("block_number", {"number": "+447700900318"}),
]


@pytest.mark.parametrize("live", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize(("tool", "values"), OTHER)
def test_another_gold_call_changes_no_byte(tool: str, values: dict[str, Any], *, live: bool) -> None:
    """Same pool, order and words; the user's messages that its guard refuses are not sent on."""
    dialogue = play_talk(TALK).dialogue
    own, other = sent(dialogue, live=live), sent(with_gold(dialogue, tool, values), live=live)
    assert len(own) >= 3
    assert own == other
