"""What a request holds is understood, or refused in one sentence."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from web_requests import TOOL, body, encoded, in_words

from callwright.records.jsontext import encode
from callwright.web.openai_wire import MAX_DEPTH, Refused, WireRequest, read


def question(*messages: dict[str, Any], **fields: Any) -> WireRequest:
    """A request, read."""
    return read(json.dumps(body(*messages, **fields)).encode())


def test_a_conversation_with_calls_and_results_is_read() -> None:
    """Roles, calls with their ids, and the call that a result answers arrive at the model."""
    call = {"id": "c1", "type": "function", "function": {"name": "delete_file", "arguments": '{ "file_id": 7 }'}}
    request = question(
        {"role": "developer", "content": "Help."},
        {"role": "user", "content": [{"type": "text", "text": "Delete"}, {"type": "text", "text": "it."}]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "done"},
    ).request

    assert [message.role for message in request.messages] == ["system", "user", "assistant", "tool"]
    assert request.messages[1].content == "Delete\nit."
    assert request.messages[2].calls[0].values == {"file_id": 7}
    assert request.messages[2].calls[0].id == request.messages[3].call_id == "c1"


@pytest.mark.parametrize("arguments", ["{", '"{}"', "[1]", "NaN", ""])
def test_malformed_arguments_of_earlier_calls_are_kept(arguments: str) -> None:
    """A client may send back whatever a model wrote."""
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}

    assert question({"role": "assistant", "tool_calls": [call]}).request.messages[0].calls[0].values == {}


def test_tools_arrive_as_they_were_given() -> None:
    """Name, description and schema are what the client sent."""
    tool = question().request.tools[0]

    assert (tool.name, tool.description) == ("delete_file", "Delete a file.")
    assert tool.parameters == encode(TOOL["function"]["parameters"])  # type: ignore[index]


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        ("auto", ["delete_file", "copy_file"]),
        ("required", ["delete_file", "copy_file"]),
        ("none", []),
        ({"type": "function", "function": {"name": "copy_file"}}, ["copy_file"]),
    ],
)
def test_tool_choice_decides_which_tools_are_shown(choice: Any, shown: list[str]) -> None:
    """`none` shows no tool, and a named function is shown alone."""
    copy = {"type": "function", "function": {"name": "copy_file"}}

    assert [tool.name for tool in question(tools=[TOOL, copy], tool_choice=choice).request.tools] == shown


def test_sampling_settings_and_unknown_fields_are_taken() -> None:
    """What a client library adds of itself is no error."""
    fields = {"temperature": 0.7, "max_tokens": 9, "stop": ["x"], "parallel_tool_calls": True, "future": {"a": [1]}}

    assert question(**fields).request == question().request


def test_prompt_tokens_count_the_words_of_messages_and_tools() -> None:
    """The documented tokeniser counts: four words said, nine of the tool."""
    said = question({"role": "user", "content": "Please delete file 77."})

    assert said.tokens - question({"role": "user", "content": ""}).tokens == 4


def test_tools_in_words_are_tools() -> None:
    """The model sees what it would see of a client that gives them as tools, and not the words."""
    said, given_ = read(in_words()), question()

    assert (said.is_prompted, given_.is_prompted) == (True, False)
    assert said.request == given_.request
    assert said.tokens > given_.tokens  # the rules of calling count as well


def test_tools_beside_those_in_words_are_the_tools() -> None:
    """Words are read only where the request has no tools."""
    both = read(in_words(tools=[]))

    assert (both.is_prompted, both.request.tools) == (False, ())
    assert "delete_file" in both.request.messages[0].content


def test_tools_in_words_are_refused_as_others_are() -> None:
    """A schema that is none, or a name that no server takes."""
    with pytest.raises(Refused, match="valid name"):
        read(in_words().replace(b"delete_file", b"delete file"))
    with pytest.raises(Refused, match="no object"):
        read(in_words().replace(rb"\"type\":\"object\"", rb"\"type\":\"array\""))


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {}}}}, "response_format"),
        ({"n": 2}, "n is 2"),
        ({"logprobs": True}, "logprobs"),
        ({"functions": []}, "functions"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "robot", "content": ""}]}, "role"),
        ({"messages": [{"role": "user", "tool_calls": [{"function": {"name": "f", "arguments": ""}}]}]}, "assistant"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "tool_call_id"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "image_url"),
        ({"tools": {}}, "tools"),
        ({"tools": [{"type": "function", "function": {}}]}, "name"),
        ({"tools": [{"type": "function", "function": {"name": "a b"}}]}, "valid name"),
        ({"tools": [TOOL, {"type": "function", "function": {"name": "delete_file"}}]}, "delete_file"),
        ({"tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "array"}}}]}, "no object"),
        ({"tool_choice": {"type": "function", "function": {"name": "nope"}}}, "nope"),
        ({"model": 5}, "model"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(fields: dict[str, Any], named: str) -> None:
    """A request that is wrong, or asks for what rules cannot do, is status 400 and says what."""
    with pytest.raises(Refused, match=named) as refused:
        read(json.dumps(body() | fields).encode())

    assert refused.value.status == 400


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"model": "x", "messages": ' + b"[" * 100_000,
        b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b', "model": "x", "messages": []}',
        encoded(tools=[TOOL]).replace(b'"integer"', b'"integer", "x": ' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH),
        encoded().replace(b"77", b"\\ud800"),
    ],
)
def test_bodies_that_are_no_request_are_refused(content: bytes) -> None:
    """Neither broken text nor depth gets further than the reader."""
    with pytest.raises(Refused):
        read(content)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@given(
    field=st.sampled_from([*body(), "tool_choice", "n", "stream", "stream_options", "response_format", "functions"]),
    value=json_values,
)
@example(field="tools", value=[{"name": "f", "description": "\ud800"}])
def test_any_value_in_any_field_is_read_or_refused(field: str, value: Any) -> None:
    """Nothing but Refused is ever raised."""
    with contextlib.suppress(Refused):
        read(json.dumps(body() | {field: value}).encode())


@given(st.binary(max_size=40))
def test_any_bytes_are_refused(content: bytes) -> None:
    """No short run of bytes is a request."""
    with pytest.raises(Refused):
        read(content)


def test_questions_of_a_stream() -> None:
    """`stream` and its options are off where they are null or absent."""
    assert not question(stream=None, stream_options=None).is_stream
    assert question(stream=True, stream_options={"include_usage": True}).include_usage
    assert not question(stream=True, stream_options={"include_usage": None}).include_usage


def test_a_list_of_tools_seen_before_is_the_same() -> None:
    """The second of two equal requests reads as the first did."""
    first = question(user="a")

    assert msgspec.structs.astuple(question(user="a")) == msgspec.structs.astuple(first)


def test_a_schema_is_read_for_a_model_that_replies_by_it() -> None:
    """In the form of a tool's parameters; references within it are resolved."""
    schema = {"properties": {"x": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}, "type": "object"}
    wanted = {"type": "json_schema", "json_schema": {"name": "any", "schema": schema}}
    question = read(json.dumps(body() | {"response_format": wanted}).encode(), by_schema=True)

    assert question.request.reply_schema == encode({"type": "object", "properties": {"x": {"type": "integer"}}})


@pytest.mark.parametrize(
    "wanted",
    [{"type": "json_object"}, {"type": "json_schema"}, {"type": "json_schema", "json_schema": {"schema": [1]}}],
)
def test_a_schema_is_needed(wanted: object) -> None:
    """Without one, or with what is none, nothing can be filled in."""
    with pytest.raises(Refused):
        read(json.dumps(body() | {"response_format": wanted}).encode(), by_schema=True)
