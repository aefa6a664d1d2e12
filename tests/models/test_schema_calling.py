"""Calls asked for by JSON schema: the request, the object that comes back, and the run of both over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.match.schema import fits_schema
from callwright.models.chat import EMPTY_REPLY, ChatReply, ChatRequest, Message
from callwright.models.conversation import encode_request
from callwright.models.schema_calling import called_by_schema, calls_by_schema, reply_schema
from callwright.records.dialogue import Call
from callwright.records.jsontext import JsonText, encode
from callwright.records.tool import Tool
from fake_server import ask, completion, refuses, says

NESTED = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^A-[0-9]{3}$"},
        "note": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["id"],
}
TOOL = Tool(name="keep", description="Keeps it.", parameters=encode(NESTED))
REQUEST = ChatRequest((Message("system", "Help."), Message("user", "Keep A-118.")), (TOOL, Tool(name="stop")))
REPLY = {"say": "Kept.", "calls": [{"name": "keep", "arguments": {"id": "A-118"}}]}


def written(request: ChatRequest) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(encode_request("m", request, calling="schema", level="json_schema"))
    return value


def test_the_request_holds_tools_as_text_and_the_schema_of_the_reply() -> None:
    """The server needs no tools of its own; a reply that calls or says fits the schema, and no other tool does."""
    body = written(REQUEST)
    schema = encode(body["response_format"]["json_schema"]["schema"])
    assert "tools" not in body
    assert '"name":"keep"' in body["messages"][0]["content"]
    assert fits_schema(REPLY, schema)
    assert fits_schema({"say": "Which one?", "calls": []}, schema)
    assert not fits_schema({"say": "", "calls": [{"name": "other", "arguments": {}}]}, schema)
    assert not fits_schema({"say": "", "calls": [{"name": "keep", "arguments": {}}]}, schema)


def test_strings_without_a_bound_get_one() -> None:
    """A grammar lets a string without bounds run on; a pattern is a bound of its own."""
    (keep, _) = json.loads(reply_schema(REQUEST.tools))["properties"]["calls"]["items"]["anyOf"]
    arguments = keep["properties"]["arguments"]["properties"]
    assert arguments["note"]["maxLength"] == arguments["tags"]["items"]["maxLength"] > 0
    assert "maxLength" not in arguments["id"]


def test_earlier_replies_have_the_form_that_is_asked_for() -> None:
    """The model sees its own calls as it wrote them, and results in the user's next message."""
    talk = (Message("assistant", "Kept.", (Call("keep", JsonText('{"id":"A-118"}')),)), Message("tool", "done"))
    body = written(ChatRequest((*REQUEST.messages, *talk), REQUEST.tools))
    assert json.loads(body["messages"][2]["content"]) == REPLY
    assert body["messages"][3]["role"] == "user"
    assert "done" in body["messages"][3]["content"]


def test_requests_without_tools_or_for_another_form_stay_as_they_are() -> None:
    """A judge's or an agent's request has a schema of its own."""
    plain = ChatRequest(REQUEST.messages)
    formed = ChatRequest(REQUEST.messages, REQUEST.tools, JsonText('{"type":"object"}'))
    assert (calls_by_schema(plain), calls_by_schema(formed)) == (plain, formed)


@given(st.text(max_size=20), st.lists(st.tuples(st.text(min_size=1, max_size=8), st.integers()), max_size=3))
def test_what_is_said_and_called_is_read_back(said: str, made: list[tuple[str, int]]) -> None:
    """Any words and any calls in the form that was asked for."""
    calls = [{"name": name, "arguments": {"n": number}} for name, number in made]
    read = called_by_schema(ChatReply(encode({"say": said, "calls": calls})))
    assert read.content == said.strip()
    assert [(call.tool, json.loads(call.arguments)) for call in read.calls] == [(name, {"n": n}) for name, n in made]
    assert read.format_errors == (() if made or said.strip() else (EMPTY_REPLY,))


@pytest.mark.parametrize("text", ["Which one?", "[]", "null"])
def test_a_reply_in_another_form_is_what_was_said(text: str) -> None:
    """Cut, plain or other JSON: nothing is called."""
    assert called_by_schema(ChatReply(text, format_errors=("why",))) == ChatReply(text, format_errors=("why",))


@pytest.mark.parametrize(
    ("text", "said"),
    [('{"say": "1.0.0.0', "1.0.0.0"), (' {"say":"a \\"b\\" c', 'a "b" c'), ('{"say": "x\\u00', "x\\u00")],
)
def test_of_a_reply_that_was_cut_what_it_says_is_kept(text: str, said: str) -> None:
    """Small models repeat themselves up to the limit; the object would be quoted within objects from then on."""
    assert called_by_schema(ChatReply(text, format_errors=("cut",))) == ChatReply(said, format_errors=("cut",))


def test_the_rules_hold_no_question_to_copy() -> None:
    """Small models repeat an example question word by word, whatever was asked."""
    assert "?" not in written(REQUEST)["messages"][0]["content"]


def test_a_server_that_keeps_schemas_is_asked_by_schema() -> None:
    """The reply's object becomes words and calls."""
    (reply,), server = ask(says(completion(content=json.dumps(REPLY))), request=REQUEST, calling="schema")
    assert (reply.content, [call.tool for call in reply.calls]) == ("Kept.", ["keep"])
    assert reply.format_errors == ()
    assert server.asked[0]["response_format"]["type"] == "json_schema"


def test_a_server_without_schemas_gets_the_schema_in_the_prompt() -> None:
    """Both forms are refused; then the prompt alone asks for the object, which is found in a fence."""
    fenced = says(completion(content=f"```json\n{json.dumps(REPLY)}\n```"))
    (reply,), server = ask(refuses(400), refuses(400), fenced, request=REQUEST, calling="schema")
    assert [call.tool for call in reply.calls] == ["keep"]
    assert [body.get("response_format", {}).get("type") for body in server.asked] == [
        "json_schema",
        "json_object",
        None,
    ]
