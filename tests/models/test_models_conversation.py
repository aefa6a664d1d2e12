"""Requests in the words of the protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest

from callwright.models.chat import ChatRequest, Message
from callwright.models.conversation import Calling, encode_request
from callwright.models.tool_calls import find_calls
from callwright.records.dialogue import Call
from callwright.records.jsontext import JsonText, encode
from callwright.records.tool import Tool

TOOL = Tool(name="f", description="Does f.", parameters=encode({"type": "object", "properties": {"a": {}}}))
TALK = (
    Message("system", "Help."),
    Message("user", "Do f twice."),
    Message("assistant", "", (Call("f", JsonText('{"a":1}')), Call("f", JsonText('{"a":2}'), "mine"))),
    Message("tool", "one"),
    Message("tool", "two", call_id="mine"),
)


def written(request: ChatRequest, *, calling: Calling = "native") -> dict[str, Any]:
    value: dict[str, Any] = json.loads(encode_request("m", request, calling=calling, level="json_object"))
    return value


def test_native_requests_give_every_call_an_id() -> None:
    """A call without an id gets one, and results without one answer the calls in their order."""
    body = written(ChatRequest(TALK, (TOOL, Tool(name="g"))))
    calls = body["messages"][2]["tool_calls"]
    assert [call["id"] for call in calls] == [body["messages"][3]["tool_call_id"], "mine"]
    assert calls[0]["function"] == {"name": "f", "arguments": '{"a":1}'}
    assert body["messages"][2]["content"] is None
    assert body["messages"][4]["tool_call_id"] == "mine"
    assert [tool["function"]["name"] for tool in body["tools"]] == ["f", "g"]
    assert body["tools"][1]["function"]["parameters"] == {"type": "object", "properties": {}}


def test_prompted_requests_need_no_tools_of_the_server() -> None:
    """Tools, calls and results are words; calls are written as they are asked for, so they are read as themselves."""
    body = written(ChatRequest(TALK, (TOOL,)), calling="prompted")
    assert {*body} == {"model", "messages"}
    assert body["messages"][0]["content"].startswith("Help.\n\n")
    assert '"name":"f"' in body["messages"][0]["content"]
    assert [call.arguments for call in find_calls(body["messages"][2]["content"]).calls] == ['{"a":1}', '{"a":2}']
    results = "<tool_response>\none\n</tool_response>\n<tool_response>\ntwo\n</tool_response>"
    assert body["messages"][3:] == [{"role": "user", "content": f"What the tools returned:\n{results}"}]
    assert "response" not in body["messages"][0]["content"]  # told of results, small models invent some


def test_a_schema_is_told_to_models_that_are_not_held_to_it() -> None:
    """With JSON mode the prompt holds the schema, also where there was no system message."""
    body = written(ChatRequest((Message("user", "Go."),), reply_schema=JsonText('{"type":"object"}')))
    assert body["response_format"] == {"type": "json_object"}
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert '{"type":"object"}' in body["messages"][0]["content"]


@pytest.mark.parametrize("calling", ["native", "prompted"])
@pytest.mark.parametrize("name", ["ann", "Ann_B-2", "Ann Bell", "Zoé", "ann\n"])
def test_each_speaker_stands_once_before_the_words(calling: Calling, name: str) -> None:
    """Most chat templates ignore a field `name`, so the words hold it, on one line; each speaker keeps a message."""
    talk = (Message("user", "Go.", speaker="u1", name=name), Message("user", "No.", speaker="ben"))
    one = " ".join(name.split())
    assert written(ChatRequest(talk), calling=calling)["messages"] == [
        {"role": "user", "content": f"{one}: Go."},
        {"role": "user", "content": "ben: No."},
    ]


@pytest.mark.parametrize("calling", ["native", "prompted"])
def test_messages_without_a_speaker_have_the_same_bytes(calling: Calling) -> None:
    """A request between two people is what it was before messages had speakers."""
    body = encode_request("m", ChatRequest(TALK[:2]), calling=calling, level="json_object")
    expected = b'{"role":"system","content":"Help."},{"role":"user","content":"Do f twice."}'
    assert body == b'{"model":"m","messages":[' + expected + b"]}"
