"""`builtin/author`: what it makes of the bundled prompts, and of any other."""

from __future__ import annotations

import asyncio
import json
from random import Random

import msgspec
import pytest

from callwright.author.online_voice import repair
from callwright.author.step import AuthoredStep
from callwright.author.telling_apart import telling_apart
from callwright.errors import BadDocument, RolloutFailed
from callwright.models.chat import ChatRequest, Message
from callwright.papers.diaforge.assistant_native import PROMPT, native_request
from callwright.papers.diaforge.gold_writing import gold_values
from callwright.papers.diaforge.user_agent import UserView
from callwright.papers.diaforge.wording_election import vote
from callwright.papers.registry import read_prompts
from callwright.records.dialogue import Participant
from callwright.records.jsontext import encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool
from callwright.web.builtin_author import Writer
from diaforge_builders import kept, tools_of

ANN = Persona(id="p", name="Ann Lee", job="clerk", city="Oslo", country="Norway", text="Plans ahead.")


def write(step: AuthoredStep[..., object], *args: object, seed: int = 0) -> str:
    request = step.render(read_prompts().source(step.name), *args)
    return asyncio.run(Writer().reply(request, Random(seed))).content


def test_values_fit_the_schema_in_the_prompt() -> None:
    """Every one that is wanted, and no other."""
    properties = {"day": {"type": "string", "format": "date"}, "seats": {"type": "integer"}, "note": {"type": "string"}}
    tool = Tool(
        name="book",
        description="Book a trip.",
        parameters=encode({"type": "object", "properties": properties, "required": ["day", "seats"]}),
    )
    written = json.loads(write(gold_values, tool, ("day", "seats"), ANN, "2026-03-02"))["reply"]

    assert gold_values.faults(written, tool, ("day", "seats"), ANN, "2026-03-02") == ()


def test_votes_are_for_a_wording_that_is_there() -> None:
    """Each is drawn some time."""
    tool = Tool(name="book", description="Book a trip.")
    ann = Participant("user", "user", name="Ann Lee", persona="Plans ahead.")
    view = UserView(ann, "plain", "verbose", "2026-03-02", "book a trip", tool, (), (), (), settled=False)
    drawn = {json.loads(write(vote, view, ("a", "b", "c"), seed=seed))["reply"] for seed in range(40)}

    assert drawn == {1, 2, 3}


def test_any_other_schema_is_filled() -> None:
    """A judge's form, for one: what is said means nothing, and fits."""
    properties = {"analysis": {"type": "string"}, "grade": {"enum": ["yes", "no"]}}
    schema = encode({"type": "object", "properties": properties, "required": ["analysis", "grade"]})
    asked = ChatRequest((Message("user", "Is it good?"),), reply_schema=schema)
    filled = json.loads(asyncio.run(Writer().reply(asked, Random(0))).content)

    assert filled["grade"] in ("yes", "no")
    assert isinstance(filled["analysis"], str)


def test_other_questions_get_a_sentence_that_says_who_it_is() -> None:
    """It is no chat model and does not look like one."""
    reply = asyncio.run(Writer().reply(ChatRequest((Message("user", "Hello?"),)), Random(0)))

    assert "builtin/author" in reply.content


@pytest.mark.parametrize("schema", ["{", "[]", '{"type": "object", "properties": {"x": false}, "required": ["x"]}'])
def test_a_schema_that_nothing_fits_is_an_error(schema: str) -> None:
    """Not a reply that does not fit."""
    asked = f"Person: A, b.\nToday: never\nTool: Do it.\nSchema of the arguments: {schema}\nWanted arguments: x"
    request = ChatRequest((Message("user", asked),), reply_schema=encode({"type": "object"}))

    with pytest.raises((BadDocument, RolloutFailed)):
        asyncio.run(Writer().reply(request, Random(0)))


def test_a_tool_is_reworded_as_the_rules_do() -> None:
    """From the two documents in the prompt, also where one has no description."""
    pair = (
        Tool(name="list_paid_orders", description="Lists all orders.", parameters=encode({})),
        Tool(name="list_open_orders", description="Lists all orders.\nThose that are open.", parameters=encode({})),
    )
    for one, other in (pair, pair[::-1]):
        assert json.loads(write(telling_apart, one, other))["reply"] == telling_apart.offline(Random(0), one, other)


def test_the_assistant_of_diaforge_is_played_with_native_calls() -> None:
    """With a reasoning and words; why an earlier reply was refused changes nothing, and no other prompt is answered."""
    dialogue = kept()[0]
    tools = [*tools_of(dialogue).values()]
    begun = msgspec.structs.replace(dialogue, turns=dialogue.turns[:-1])
    asked = native_request(read_prompts().source(PROMPT), begun, tools, settled_on="", thoughts=True)
    first = asyncio.run(Writer().reply(asked, Random(0)))
    again = asyncio.run(Writer().reply(repair(asked, first, "it is too short"), Random(0)))
    other = msgspec.structs.replace(asked, messages=asked.messages[1:])

    assert first.thought
    assert first.content
    assert again == first
    assert "builtin/author" in asyncio.run(Writer().reply(other, Random(0))).content
