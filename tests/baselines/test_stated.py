"""`builtin/stated` reads values from the last message."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from callwright.baselines.stated import Stated
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.records.dialogue import Call
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def tool(name: str, **properties: Json) -> Tool:
    return Tool(name=name, parameters=encode({"type": "object", "properties": properties}))


AREA = {"type": "string", "enum": ["north", "moderate", "dontcare"]}
PARKING = {"type": "string", "enum": ["yes", "no"]}
TIME = {"type": "string", "description": "time of day, such as 10:00, 11:30"}
PLACE = {"type": "string", "description": "a place"}
INN = tool("find_inn", area=AREA, parking=PARKING, bookpeople={"type": "string"}, food=PLACE)
RIDE = tool("book_ride", arrive_by=TIME, leave_at=TIME, departure=PLACE, destination=PLACE)


def reply(text: str, *tools: Tool, before: tuple[Message, ...] = ()) -> ChatReply:
    request = ChatRequest((*before, Message("user", text)), tools or (INN, RIDE))
    return asyncio.run(Stated().reply(request, Random(0)))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("An inn in the north.", {"area": "north"}),
        ("A moderately priced inn", {"area": "moderate"}),
        ("I want parking", {"parking": "yes"}),
        ("I do not need parking", {"parking": "no"}),
        ("for 6 people please", {"bookpeople": "6"}),
        ("some french food", {"food": "french"}),
        ("I don't care about the area", {"area": "dontcare"}),
        ("thank you", {}),
    ],
)
def test_what_a_message_states_is_called(text: str, values: dict[str, Json]) -> None:
    (call,) = reply(text, INN).calls
    assert call.values == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I leave after 9:15 and arrive by 10:30", {"leave_at": "9:15", "arrive_by": "10:30"}),
        ("from the old mill to king street .", {"departure": "old mill", "destination": "king street"}),
        ("I want to go", {}),
    ],
)
def test_times_and_places_follow_the_words_before_them(text: str, values: dict[str, Json]) -> None:
    (call,) = reply(text, RIDE).calls
    assert call.values == values


def test_the_tool_is_the_one_named_or_the_last_one_called() -> None:
    asked = Message("assistant", "", (Call("find_inn", "{}"),))
    assert [call.tool for call in reply("an inn in the north, and a ride leaving at 10:00").calls] == [
        "find_inn",
        "book_ride",
    ]
    assert [call.tool for call in reply("in the north", before=(asked,)).calls] == ["find_inn"]
    assert reply("in the north").calls == ()
