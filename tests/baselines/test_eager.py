"""The eager model: one call at once, filled from what was said."""

from __future__ import annotations

import asyncio
from random import Random

from callwright.baselines.eager import Eager
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.records.dialogue import Call
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


def tool(name: str, description: str, required: dict[str, object], **optional: object) -> Tool:
    """Return a tool with these parameters."""
    schema = {"type": "object", "properties": required | optional, "required": list(required)}
    return Tool(name=name, description=description, parameters=encode(schema))


BOOK = tool(
    "book_room",
    "Book a meeting room for a day.",
    {
        "day": {"type": "string", "format": "date"},
        "people": {"type": "integer", "description": "Number of people."},
        "size": {"type": "string", "enum": ["small", "large"]},
    },
    owner_email={"type": "string", "format": "email"},
)
CANCEL = tool("cancel_leave", "Cancel a request for leave.", {"leave_id": {"type": "string"}})


def ask(text: str, *tools: Tool) -> ChatReply:
    """Return the reply to one user turn on 4 March 2025."""
    messages = (Message("system", "Today is 2025-03-04."), Message("user", text))
    return asyncio.run(Eager().reply(ChatRequest(messages, tools), Random(0)))


def test_it_calls_the_best_match_with_what_was_said() -> None:
    """Date, number and choice are read from the words; the optional address is left out."""
    said = ask("Book a small meeting room tomorrow for 6 people, I am kim@example.com", CANCEL, BOOK)

    assert said.calls == (Call("book_room", encode({"day": "2025-03-05", "people": 6, "size": "small"})),)


def test_what_was_not_said_is_not_filled() -> None:
    """It calls at once even when values are missing, and invents none."""
    assert ask("I need a meeting room", CANCEL, BOOK).calls == (Call("book_room", encode({})),)


def test_without_tools_nothing_is_called() -> None:
    """An empty pool gives a sentence."""
    said = ask("I need a meeting room")

    assert (said.calls, said.content) == ((), "I have no tool to call.")


def test_an_object_asked_for_takes_the_first_choice() -> None:
    """It fits the schema, has what is required, and is the same whatever was said."""
    schema = {
        "type": "object",
        "properties": {
            "act": {"type": "string", "enum": ["ask", "call"]},
            "state": {"anyOf": [{"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}]},
            "sure": {"type": "boolean"},
            "why": {"type": "string"},
            "more": {"type": "array"},
            "note": {"type": "string"},
        },
        "required": ["act", "state", "sure", "why", "more"],
    }

    def reply(schema: object, said: str) -> ChatReply:
        request = ChatRequest((Message("user", said),), (BOOK,), reply_schema=encode(schema))
        return asyncio.run(Eager().reply(request, Random(0)))

    expected = {"act": "ask", "state": {"n": 0}, "sure": False, "why": "", "more": []}
    assert reply(schema, "a") == reply(schema, "b") == ChatReply(content=encode(expected))
    for odd in (True, {}, {"type": "object"}, {"enum": []}, {"anyOf": 3}, {"type": "object", "required": ["a"]}):
        assert reply(odd, "a").content in ('""', "{}", '{"a":""}')
