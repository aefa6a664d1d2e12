"""The assistant's side of a dialogue that models play: nothing it is sent depends on the gold call."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.author.online_voice import OnlineVoice
from callwright.engine.context import Context
from callwright.errors import BadRecord
from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.conversation import encode_request
from callwright.papers.diaforge.agent_rollout import play
from callwright.papers.diaforge.assistant_agent import AssistantStep, read_step, reply_schema, step_faults
from callwright.papers.registry import read_prompts
from callwright.recipe import Made
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from diaforge_builders import kept, tools_of
from room_talks import CALL, CATALOG, CLEAN, SETTLED, VALUES, planned, step, workshop


class Player:
    """Says its lines; keeps what it was asked, as it goes out."""

    name = "openai/x"

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = list(lines)
        self.asked: list[bytes] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        self.asked.append(encode_request("x", request, calling="native", level="json_schema"))
        return ChatReply(content=self.lines.pop(0))


class SameWords(Player):
    """A user who says the same again when a message is refused."""

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        return ChatReply(content=self.lines[request.messages[1].content.count("\nYou: ")])


IMPATIENT = step("I am booking it.", **SETTLED, call=("book_room", {"room": "Blue"}))
TALK = [
    step("Get one, or give one up?", thought=""),
    CLEAN["assistant"][0],
    CLEAN["assistant"][1],
    IMPATIENT,
    step("I need your cost_code.", **SETTLED),
    *CLEAN["assistant"][2:],
]
"""Three of its replies are refused."""


def sent(gold: str, values: dict[str, Any]) -> tuple[list[bytes], Made]:
    """What the assistant is sent where this tool and these values are right, all words being the same."""
    scenario = planned()
    assert isinstance(scenario.annotation, DiaforgePlan)
    plan = msgspec.structs.replace(scenario.annotation, gold_tool=CATALOG.by_name[gold].key)
    assistant = Player([*TALK, *[CALL] * 2])
    author = Player([f"do something {gold.partition('_')[0]}", json.dumps({"reply": values})])
    models = {"author": author, "user": SameWords(CLEAN["user"]), "assistant": assistant}
    prompts = read_prompts()
    ctx = Context.detached("item", models=models, voice=OnlineVoice("author", prompts=prompts))
    made = asyncio.run(play(msgspec.structs.replace(scenario, annotation=plan), ctx, workshop(), prompts))
    return assistant.asked, made


@pytest.mark.parametrize(
    ("gold", "values", "least"),
    [
        ("release_room", {"room": "Blue"}, 3),
        ("clean_room", {"room": "Red"}, 3),
        ("book_room", VALUES | {"cost_code": "CC-8888"}, 6),
        ("book_room", VALUES | {"room": "Red", "people": 3}, 6),
    ],
)
def test_another_gold_call_changes_nothing_that_the_assistant_is_sent(
    gold: str, values: dict[str, Any], least: int
) -> None:
    """Byte by byte, retries included, as long as its dialogue lasts."""
    whole, made = sent("book_room", VALUES)
    assert made.issues == ()
    assert len(whole) == len(TALK)
    other, rejected = sent(gold, values)
    assert rejected.issues
    assert len(other) >= least
    assert other[: len(whole)] == whole[: len(other)]


def test_keys_keep_their_order_on_the_wire() -> None:
    """The thought comes first: a model writes them as they come."""
    whole, _ = sent("book_room", VALUES)
    schema = json.loads(whole[0])["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["thought", "settled_on", "say", "call"] == schema["required"]
    assert "thought" not in reply_schema(["a"], thoughts=False)


def test_rules_find_no_fault_in_what_the_offline_assistant_says() -> None:
    """In hundreds of turns over the bundled catalogue: what rejects must not reject plain questions."""
    turns = 0
    for dialogue in kept()[:150]:
        pool = [tool for name, tool in tools_of(dialogue).items() if name in {one.name for one in dialogue.tools}]
        for position in range(1, len(dialogue.turns), 2):
            turn = dialogue.turns[position]
            until = msgspec.structs.replace(dialogue, turns=dialogue.turns[: position + 1])
            taken = AssistantStep(turn.thought, "", turn.text)
            found = [fault for fault in step_faults(taken, until, pool, thoughts=True) if fault.rejects]
            assert found == [], turn.text
            turns += 1
    assert turns > 300


@given(st.text(max_size=60) | st.sampled_from(["null", "[]", '{"call": {}}', '{"say": 1}', "{" * 5_000]))
def test_any_reply_is_read_or_refused(text: str) -> None:
    """Never another error."""
    try:
        found = read_step(ChatReply(content=text))
    except BadRecord:
        return
    assert isinstance(found, AssistantStep)


def test_a_reasoning_is_no_thought() -> None:
    """It stays in the journal."""
    assert read_step(ChatReply(content='{"say": "Hello"}', thought="Let me see.")).thought == ""
