"""The builtin models that need no retrieval."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from callwright.baselines import model_factory
from callwright.errors import UnknownName
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.records.dialogue import Call, Dialogue, GoldArgument, GoldCall, Provenance, Task
from callwright.records.jsontext import encode

REQUEST = ChatRequest((Message("user", "Please book a room."),))
GOLD = GoldCall("book", (GoldArgument("n", (encode(3), encode(4))), GoldArgument("at", (encode("noon"),))))


def talk(*gold: GoldCall) -> Dialogue:
    """Return a dialogue with these gold calls and no turns."""
    return Dialogue(
        id="d",
        recipe="diaforge.v1",
        participants=(),
        turns=(),
        tasks=(Task("single" if gold else "chat", gold=gold),),
        provenance=Provenance(author="offline", callwright="0.1.0"),
    )


def reply(name: str, dialogue: Dialogue) -> ChatReply:
    """Return the first reply of a builtin model."""
    return asyncio.run(model_factory(name)(dialogue, {}).reply(REQUEST, Random(0)))


def test_the_oracle_makes_the_gold_call_at_once() -> None:
    """The oracle calls the gold tool with the first accepted values."""
    assert reply("builtin/oracle", talk(GOLD)).calls == (Call("book", encode({"n": 3, "at": "noon"})),)


def test_the_oracle_says_so_when_nothing_fits() -> None:
    """Without a gold call the oracle calls nothing and says that no tool fits."""
    said = reply("builtin/oracle", talk())

    assert said.calls == ()
    assert "None of the tools" in said.content


def test_abstain_never_calls() -> None:
    """The abstaining model asks a question."""
    said = reply("builtin/abstain", talk(GOLD))

    assert (said.calls, said.content[-1]) == ((), "?")


def test_unknown_models_list_the_known() -> None:
    """A wrong name is answered with the right ones."""
    known = "builtin/abstain, builtin/eager, builtin/oracle, builtin/oracle-sequential, builtin/retriever"
    with pytest.raises(UnknownName, match=known):
        model_factory("builtin/oracel")


@pytest.mark.parametrize("name", ["builtin/abstain", "builtin/eager", "builtin/oracle", "builtin/oracle-sequential"])
def test_models_bear_the_name_they_are_made_by(name: str) -> None:
    """The name in a transcript is the one given on the command line."""
    assert model_factory(name)(talk(GOLD), {}).name == name
