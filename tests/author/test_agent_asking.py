"""One turn of a model in a role: how often it is asked for, and what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

import pytest

from callwright.author.agent_asking import AskedTurn, TurnFault, ask_turn
from callwright.engine.context import Context
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.records.dialogue import Call
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

LACK = TurnFault("no_words", "it has no text", is_lack=True)
FAULTS = {
    "": (LACK,),
    "rude": (TurnFault("tone", "it is rude", rejects=False),),
    "wrong": (TurnFault("value", "nobody has said it"),),
    "good": (),
}


class Player:
    """Says its lines, and keeps what it was asked."""

    name = "openai/x"

    def __init__(self, replies: Sequence[ChatReply]) -> None:
        self.left = list(replies)
        self.asked: list[ChatRequest] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        self.asked.append(request)
        return self.left.pop(0)


def taken(player: Player, *tools: Tool) -> AskedTurn[str]:
    """The turn that is taken of a player's replies."""
    ctx = Context.detached("item", models={"assistant": player})
    request = ChatRequest((Message("user", "Hello"),), tools)
    return asyncio.run(
        ask_turn("assistant", request, ctx, read=lambda reply: reply.content, check=lambda text: FAULTS[text])
    )


@pytest.mark.parametrize(
    ("lines", "value", "rejecting", "asks"),
    [
        (["", "good"], "good", None, 2),
        (["", "", "good"], "", "no_words", 2),
        (["wrong", "", "good"], "good", None, 3),
        (["", "wrong", "good"], "good", None, 3),
        (["wrong", "wrong", "good"], "good", None, 3),
        (["rude", "rude", "good"], "rude", None, 2),
    ],
)
def test_what_a_reply_lacks_is_asked_for_once_more(
    lines: Sequence[str], value: str, rejecting: str | None, asks: int
) -> None:
    """The second reply that lacks a part ends the turn; another fault is asked again at most twice."""
    player = Player([ChatReply(line) for line in lines])
    turn = taken(player)
    assert (turn.value, turn.rejecting and turn.rejecting.code, len(player.asked)) == (value, rejecting, asks)


def test_a_refused_call_is_told_in_words() -> None:
    """Beside the reason; no call stands in the conversation without a result."""
    call = Call("book", encode({"room": "Blue"}), id="call_1")
    player = Player([ChatReply("wrong", calls=(call,)), ChatReply("good")])
    taken(player, Tool(name="book"))
    said, told = player.asked[1].messages[1:]
    assert (said.role, said.content, said.calls) == ("assistant", "wrong", ())
    assert told.content.startswith('That cannot be used: nobody has said it. You called book {"room":"Blue"}. ')
