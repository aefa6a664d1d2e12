"""Answers of servers read into replies."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.completion import BadReply, Usage, error_of, read_completion
from callwright.models.conversation import Calling
from callwright.records.jsontext import JsonText
from callwright.records.tool import Tool
from fake_server import HELLO, completion

WITH_TOOLS = ChatRequest(HELLO.messages, (Tool(name="f"),))
WRITTEN = 'Sure. <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'

keys = st.sampled_from("choices message content tool_calls function name arguments usage prompt_tokens id".split())
bodies = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def read(body: Any, request: ChatRequest = WITH_TOOLS, *, calling: Calling = "native") -> ChatReply:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return read_completion(content, request, calling=calling, strike=lambda text: text.replace("SECRET", "-"))


def test_a_native_call_is_read() -> None:
    """Name, arguments, id and tokens are taken; nothing is malformed."""
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"b": 1, "a": 2}'}}
    reply = read(completion(content=None, tool_calls=[call]))
    assert [(made.tool, made.arguments, made.id) for made in reply.calls] == [("f", '{"a":2,"b":1}', "c")]
    assert (reply.content, reply.format_errors, reply.tokens_in, reply.tokens_out) == ("", (), 11, 7)


def test_a_call_in_the_old_field_is_read_and_told() -> None:
    """Before there were lists of calls a message held one; beside a list, it is passed over."""
    old = {"name": "f", "arguments": '{"a": 1}'}
    body = completion(content=None, function_call=old)
    del body["choices"][0]["message"]["content"]
    reply = read(body)
    assert [(made.tool, made.arguments) for made in reply.calls] == [("f", '{"a":1}')]
    assert reply.format_errors == ("the call came in the old field `function_call`",)
    both = read(completion(content=None, function_call=old, tool_calls=[{"function": old | {"name": "g"}}]))
    assert ([made.tool for made in both.calls], both.format_errors) == (["g"], ())
    assert read(completion(content="Hi.", function_call=None)).format_errors == ()


def test_a_call_written_as_text_counts_and_is_told_where_native_ones_were_due() -> None:
    """Prompted, the same text is as it should be; without tools it is just text."""
    native, prompted = read(completion(content=WRITTEN)), read(completion(content=WRITTEN), calling="prompted")
    assert native.calls == prompted.calls != ()
    assert (native.content, prompted.content) == ("Sure.", "Sure.")
    assert (native.format_errors, prompted.format_errors) == (("the call was written as text",), ())
    assert read(completion(content=WRITTEN), HELLO).content == WRITTEN


def test_thoughts_are_no_content() -> None:
    """Thoughts come in a field of their own or between tags; calls within them are none."""
    assert read(completion(content=f"<think>{WRITTEN}</think>Which?")).content == "Which?"
    assert read(completion(content=f"<think>{WRITTEN}</think>Which?")).calls == ()
    assert read(completion(content="Which?", reasoning_content="Hm.")).thought == "Hm."


@pytest.mark.parametrize("content", [{"text": 1}, 5, True, ["a"]])
def test_content_that_is_no_text_makes_no_reply(content: object) -> None:
    """It is the server's slip and asked for again, not a model that says nothing."""
    with pytest.raises(BadReply, match="no chat completion"):
        read(completion(content=content))


def test_a_message_of_nothing_makes_no_reply() -> None:
    """One whose content is null is an empty reply."""
    body = completion(content=None)
    assert read(body).format_errors == ("the reply is empty",)
    body["choices"][0]["message"] = {"role": "assistant"}
    with pytest.raises(BadReply, match="no chat completion"):
        read(body)


def test_text_in_parts_is_joined() -> None:
    """Content may be a list of parts."""
    assert read(completion(content=[{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])).content == "ab"


def test_a_cut_or_empty_reply_is_told() -> None:
    """The reason why a reply ended is an error of form where it is one, and so is saying nothing."""
    body = completion(content="And then")
    body["choices"][0]["finish_reason"] = "length"
    assert read(body).format_errors == ("cut off at the limit of tokens",)
    assert read(completion(content="")).format_errors == ("the reply is empty",)


def test_malformed_calls_still_count_their_tokens() -> None:
    """Usage is kept whatever the reply is worth."""
    reply = read(completion(content=None, tool_calls=[{"function": {"name": "f", "arguments": '{"a"'}}]))
    assert (reply.tokens_in, reply.tokens_out) == (11, 7)
    assert (reply.calls[0].arguments, reply.format_errors) == ('"{\\"a\\""', ("arguments: not an object",))


def test_json_replies_are_freed_of_words() -> None:
    """Where a schema is asked for, the content is the object alone."""
    request = ChatRequest(HELLO.messages, reply_schema=JsonText("{}"))
    reply = read(completion(content='Here: {"a": 1}'), request)
    assert (reply.content, reply.format_errors) == ('{"a": 1}', ("text around the JSON object",))


def test_secrets_and_halves_of_characters_are_kept_nowhere() -> None:
    """Every text of a reply is struck; a lone surrogate, which no file can hold, is replaced."""
    call = {"id": "SECRET", "function": {"name": "SECRET", "arguments": json.dumps({"SECRET": ["\\ SECRET", {}]})}}
    body = completion(content="SECRET \ud800", reasoning="SECRET", tool_calls=[call])
    reply = read(json.dumps(body).replace("SECRET", "\\u0053ECRET").encode())
    assert "SECRET" not in repr(reply)
    assert reply.content == "- ?"
    assert reply.calls[0].values == {"-": ["\\ -", {}]}


@pytest.mark.parametrize("body", [b"", b"{", b"<html>", b'{"choices": []}', b"[]", b"null", b'{"a": NaN}', b"\xff"])
def test_what_is_no_reply_is_refused(body: bytes) -> None:
    """No JSON, or JSON of another shape, is no reply."""
    with pytest.raises(BadReply, match="the reply is no"):
        read(body)


def test_a_refused_reply_tells_its_usage() -> None:
    """What was paid for counts, whatever came."""
    with pytest.raises(BadReply) as caught:
        read({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": True}})
    assert caught.value.usage == Usage(5, None)


@pytest.mark.parametrize(
    ("written", "count"),
    [
        *((10, 10), (10.0, 10), ("10", 10), (0, 0), ("0", 0)),
        *((10.5, None), (-1, None), (-1.0, None), ("-1", None), ("10.0", None), (" 10", None), ("", None), ("٣", None)),
        *((True, None), (None, None), ([10], None), (2**53, None), (1e300, None), ("9" * 5_000, None)),
    ],
)
def test_counts_are_read_as_servers_write_them(written: Any, count: int | None) -> None:
    """As integers, integral floats or digits; nothing else is guessed at."""
    assert read(completion(content="Hi.") | {"usage": {"prompt_tokens": written}}).tokens_in == count


def test_a_count_that_is_no_number_makes_no_reply() -> None:
    """Nor does anything else that JSON knows not."""
    with pytest.raises(BadReply, match="no JSON"):
        read(json.dumps(completion(content="Hi.") | {"usage": {"prompt_tokens": float("nan")}}).encode())


@given(bodies, st.sampled_from([HELLO, WITH_TOOLS]))
def test_any_json_is_a_reply_or_refused(value: Any, request: ChatRequest) -> None:
    """No JSON of any shape raises anything else."""
    for body in (value, {"choices": [{"message": value}]}, {"choices": [value], "usage": value}):
        with contextlib.suppress(BadReply):
            read(body, request)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"error": {"message": "no", "code": "c"}}', ("no", "c")),
        (b'{"error": {"message": "no", "type": "t", "code": null}}', ("no", "t")),
        (b'{"error": "no"}', ("no", "")),
        (b'{"detail": "no"}', ("no", "")),
        (b'{"message": "no", "code": 400}', ("no", "400")),
        (b"<html>no</html>", ("<html>no</html>", "")),
        (b"\xff", ("\ufffd", "")),
        (b"[1]", ("[1]", "")),
        (b'{"detail": [{"loc": ["body", 0], "msg": "no"}]}', ('[{"loc":["body",0],"msg":"no"}]', "")),
        (b'{"error": {"reason": null, "ok": false}}', ('{"ok":false,"reason":null}', "")),
    ],
)
def test_errors_are_read_in_all_usual_shapes(body: bytes, said: tuple[str, str]) -> None:
    """The words and the code of an error are found, or the body is its own words."""
    assert error_of(body) == said


@given(bodies)
@example({"message": "Too many requests.", "code": 429})
def test_any_json_has_words_for_an_error(value: Any) -> None:
    """No document of any shape raises anything."""
    for body in (value, {"error": value}, {"detail": value, "code": value}):
        assert all(isinstance(said, str) for said in error_of(json.dumps(body).encode()))
