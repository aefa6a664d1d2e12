"""A reply says the same as one body and as a stream."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from web_requests import deltas, joined

from callwright.models.chat import ChatReply
from callwright.records.dialogue import Call
from callwright.records.jsontext import encode
from callwright.web.reply_document import Completion, completion, to_body, to_events


def reply(content: str, *calls: Call, thought: str = "") -> Completion:
    """A reply to some request."""
    return completion(ChatReply(content, thought, calls), digest="0123456789abcdef", model="builtin/x", tokens_in=7)


texts = st.text(st.characters(), max_size=60)  # lone surrogates are among them
calls = st.builds(
    lambda name, arguments: Call(name, encode(arguments)),
    st.from_regex("[a-z_]{1,20}", fullmatch=True),
    st.dictionaries(st.text(max_size=9), st.integers() | st.text(max_size=30), max_size=4),
)


@given(texts, texts, st.lists(calls, max_size=3), st.booleans())
def test_the_stream_adds_up_to_the_body(content: str, thought: str, made: list[Call], include_usage: bool) -> None:
    """Text, reasoning, calls and finish reason are the same, whatever is said."""
    whole = reply(content, *made, thought=thought)
    choice = json.loads(to_body(whole))["choices"][0]
    streamed = joined(deltas(b"".join(to_events(whole, include_usage=include_usage))))

    message = choice["message"]
    assert streamed["content"] == (message["content"] or "")
    assert streamed["reasoning"] == message.get("reasoning_content", "")
    assert streamed["finish_reason"] == choice["finish_reason"]
    assert streamed["calls"] == [{"id": one["id"], **one["function"]} for one in message.get("tool_calls", ())]


def test_a_call_is_the_reason_to_finish() -> None:
    """`tool_calls` where there is one, `stop` where there is none."""
    assert reply("", Call("f", encode({}))).finish_reason == "tool_calls"
    assert reply("Hello.").finish_reason == "stop"


def test_ids_of_calls_differ_within_a_reply() -> None:
    """Results can name the call they answer."""
    two = reply("", Call("f", encode({})), Call("f", encode({})))

    assert len({call.id for call in two.calls}) == 2


def test_usage_is_the_last_chunk_where_it_is_asked_for() -> None:
    """That chunk has no choice, and the others say that usage is not known yet."""
    chunks = deltas(b"".join(to_events(reply("One two three."), include_usage=True)))

    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"] == {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    assert all(chunk["usage"] is None for chunk in chunks[:-1])


def test_usage_is_absent_where_it_is_not_asked_for() -> None:
    """No chunk has it, and each has a choice."""
    chunks = deltas(b"".join(to_events(reply("One."), include_usage=False)))

    assert chunks
    assert all("usage" not in chunk and chunk["choices"] for chunk in chunks)


def test_long_replies_come_in_several_chunks() -> None:
    """A client that reads a stream has something to put together."""
    events = to_events(reply("word " * 40, Call("f", encode({"a": "x" * 100}))), include_usage=False)

    assert len(events) > 15
