"""`builtin/author` as the assistant of a session that calls natively: the rules of `scripted_session_author`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from callwright.author.native_turn import before_refusal
from callwright.author.role_forms import one_line
from callwright.environment.returns import with_returns
from callwright.environment.scripted_tools import CALLS, RETURNED
from callwright.errors import BadDocument
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.papers.wild.scripted_session_author import next_move
from callwright.records.dialogue import Call
from callwright.records.jsontext import canonical_text, encode
from callwright.records.tool import Catalog

_BEGINS: Final = "You are an assistant that works with tools."
"""The first words of the prompt, as bundled."""


class _Called(msgspec.Struct, frozen=True):
    name: str
    arguments: dict[str, Any]


class _Move(msgspec.Struct, frozen=True):
    """As the scripted assistant makes it."""

    thought: str
    say: str
    calls: list[_Called]


def native_reply(request: ChatRequest) -> ChatReply | None:
    """Return the next reply of the assistant; None where the system message is not its own.

    Why an earlier reply was refused is not heard: the reply is the same again.
    """
    system, *talk = request.messages
    if system.role != "system" or not system.content.startswith(_BEGINS):
        return None
    tools = with_returns(Catalog(tools=request.tools)).tools
    move = msgspec.convert(next_move(tools, [*_lines(before_refusal(talk))]), _Move)
    calls = (Call(one.name, encode(one.arguments)) for one in move.calls)
    return ChatReply(move.say, move.thought, tuple(calls))


def _lines(talk: Sequence[Message]) -> Iterator[str]:
    """The lines of a conversation as prompts show them."""
    made = {call.id: call.tool for message in talk for call in message.calls}
    for message in talk:
        if message.role == "tool":
            yield f"{made.get(message.call_id, '')}{RETURNED}{_returned(message.content)}"
        elif message.content:
            yield f"{'Person' if message.role == 'user' else 'Assistant'}: {one_line(message.content)}"
        yield from (f"{CALLS}{call.tool} {call.arguments}" for call in message.calls)


def _returned(content: str) -> str:
    """A result as JSON: a text stands as it is in a message."""
    try:
        return canonical_text(content, where="the result")
    except BadDocument:
        return encode(content)
