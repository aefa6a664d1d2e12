"""Each fault is seen at the socket as what its name says."""

from __future__ import annotations

import asyncio
import json

import pytest
from web_requests import deltas, encoded, joined, raw

from callwright.web.call_tally import CallTally, Summary
from callwright.web.delivery import HUGE_BYTES, Rate, Timing
from callwright.web.serve import Serving, started

STALL_S = 0.2
BOTH = pytest.mark.parametrize("is_stream", [False, True], ids=["body", "stream"])


def met(fault: str, *, is_stream: bool = False, headers: str = "", content: bytes = b"") -> tuple[bytes, Summary]:
    """All bytes of the reply to a request that meets the fault, and what the server counted; checks the count."""

    async def ask() -> bytes:
        async with started(serving, tally) as url:
            return await raw(url, content or encoded(stream=is_stream), headers=headers)

    timing = Timing(stall_s=STALL_S, slow_s=STALL_S, retry_after_s=3)
    serving, tally = Serving(model="builtin/retriever", faults=(Rate(fault, 1.0),), timing=timing), CallTally()
    reply = asyncio.run(ask())
    return reply, tally.summary()


def body_of(reply: bytes) -> bytes:
    """The body, its chunks joined."""
    head, _, rest = reply.partition(b"\r\n\r\n")
    if b"transfer-encoding: chunked" not in head.lower():
        assert int(head.lower().partition(b"content-length:")[2].split()[0]) == len(rest)
        return rest
    pieces, at = [], 0
    while (size := int(rest[at : (line := rest.index(b"\r\n", at))], 16)) > 0:
        pieces.append(rest[line + 2 : line + 2 + size])
        at = line + 2 + size + 2
    assert rest[at:] == b"0\r\n\r\n"
    return b"".join(pieces)


def status_of(reply: bytes) -> int:
    """The status code."""
    return int(reply.split()[1])


def good_reply(*, is_stream: bool) -> bytes:
    """The body without a fault."""

    async def ask() -> bytes:
        async with started(Serving(model="builtin/retriever"), CallTally()) as url:
            return await raw(url, encoded(stream=is_stream))

    return body_of(asyncio.run(ask()))


@BOTH
@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        ("rate-limit", 429, "rate_limit_exceeded"),
        ("retry-after", 429, "rate_limit_exceeded"),
        ("error-500", 500, None),
        ("wrong-model", 404, "model_not_found"),
        ("too-long", 400, "context_length_exceeded"),
        ("bad-key", 401, "invalid_api_key"),
    ],
)
def test_refusals_have_their_status_and_shape(fault: str, status: int, code: str | None, is_stream: bool) -> None:
    """The error is JSON in the protocol's shape, of a stream too, and counted by name."""
    reply, counted = met(fault, is_stream=is_stream)

    assert status_of(reply) == status
    assert json.loads(body_of(reply))["error"]["code"] == code
    assert (counted.faults, counted.replies) == ({fault: 1}, 0)


def test_retry_after_says_how_long() -> None:
    """Only one of the two sorts of 429 has the header."""
    assert b"\r\nRetry-After: 3\r\n" in met("retry-after")[0]
    assert b"retry-after" not in met("rate-limit")[0].lower()


def test_503_is_a_page() -> None:
    """It comes from something in between, which knows no JSON."""
    reply, _ = met("error-503")

    assert status_of(reply) == 503
    assert body_of(reply).startswith(b"<html>")


def test_a_wrong_key_is_repeated() -> None:
    """As real servers do: what a client writes of an error must not hold its key."""
    reply, _ = met("bad-key", headers="Authorization: Bearer sk-planted\r\n")

    assert b"sk-planted" in body_of(reply)


def test_no_reply_is_not_one_byte() -> None:
    """The connection closes as if the server had died."""
    assert met("no-reply")[0] == b""


@BOTH
def test_cut_before_the_body_leaves_headers(is_stream: bool) -> None:
    """They promise a body that does not come."""
    head, _, rest = met("cut-before", is_stream=is_stream)[0].partition(b"\r\n\r\n")

    assert head.startswith(b"HTTP/1.1 200 OK")
    assert rest.partition(b"\r\n")[2] == b""  # of a stream, the size of the chunk has come
    assert is_stream == (b"chunked" in head)


@BOTH
def test_cut_during_the_body_leaves_its_start(is_stream: bool) -> None:
    """Some of it has come, and not all."""
    rest = met("cut-during", is_stream=is_stream)[0].partition(b"\r\n\r\n")[2]
    start = rest.partition(b"\r\n")[2] if is_stream else rest
    whole = good_reply(is_stream=is_stream)

    assert whole.startswith(start)
    assert 0 < len(start) < len(whole)


@BOTH
@pytest.mark.parametrize("fault", ["stall", "stall-during", "slow"])
def test_late_replies_are_whole(fault: str, is_stream: bool) -> None:
    """A client that waits has the reply, and it counts as one."""
    reply, counted = met(fault, is_stream=is_stream)

    assert body_of(reply) == good_reply(is_stream=is_stream)
    assert counted.replies == 1


async def bytes_within(url: str, seconds: float) -> bytes:
    """What has come of a reply after some time."""
    asked = asyncio.create_task(raw(url, encoded()))
    host, port = url.removeprefix("http://").removesuffix("/v1").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    content = encoded()
    head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\n"
    writer.write(head + b"Content-Length: %d\r\n\r\n" % len(content))
    writer.write(content)
    seen = b""
    try:
        async with asyncio.timeout(seconds):
            while piece := await reader.read(65_536):
                seen += piece
    except TimeoutError:
        pass
    writer.close()
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    return seen


@pytest.mark.parametrize(("fault", "begun"), [("stall", False), ("stall-during", True), ("slow", True)])
def test_late_replies_are_late(fault: str, begun: bool) -> None:
    """A stall gives nothing, a stall within the body a part, a slow body piece after piece; none ends in time."""

    async def ask() -> bytes:
        timing = Timing(stall_s=3_600, slow_s=3_600)
        serving = Serving(model="builtin/retriever", faults=(Rate(fault, 1.0),), timing=timing)
        async with started(serving, CallTally()) as url:
            return await bytes_within(url, 0.3)

    seen = asyncio.run(ask())

    assert bool(seen) == begun
    assert not seen.endswith(good_reply(is_stream=False)[-20:])


def test_empty_body() -> None:
    """Status 200 and nothing more."""
    reply, _ = met("empty-body")

    assert status_of(reply) == 200
    assert body_of(reply) == b""


def test_bad_json_does_not_parse() -> None:
    """The body arrives whole, as its length says, and is no JSON."""
    with pytest.raises(json.JSONDecodeError):
        json.loads(body_of(met("bad-json")[0]))


def test_bad_json_in_a_stream_is_one_event() -> None:
    """The events around it are as they should be, and the stream ends well."""
    events = body_of(met("bad-json", is_stream=True)[0]).split(b"\n\n")
    wrong = [event for event in events[:-2] if not _parses(event.removeprefix(b"data: "))]

    assert len(wrong) == 1
    assert events[-2:] == [b"data: [DONE]", b""]


def _parses(text: bytes) -> bool:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return False
    return True


@BOTH
def test_bad_shape_is_json_but_no_reply(is_stream: bool) -> None:
    """It parses, and holds no message and no reason to finish."""
    body = body_of(met("bad-shape", is_stream=is_stream)[0])
    value = deltas(body)[0] if is_stream else json.loads(body)
    choices = value.get("choices") if isinstance(value, dict) else None

    assert not choices or not isinstance((choices[0]["message"] or {}).get("content"), str)


@BOTH
def test_huge_is_over_50_mb(is_stream: bool) -> None:
    """It is a valid reply, if one has the room."""
    body = body_of(met("huge", is_stream=is_stream)[0])

    assert len(body) > HUGE_BYTES
    if is_stream:
        assert len(joined(deltas(body))["content"]) > HUGE_BYTES
    else:
        assert len(json.loads(body)["choices"][0]["message"]["content"]) > HUGE_BYTES


def message_of(reply: bytes, *, is_stream: bool) -> dict[str, object]:
    """Text, reasoning, calls and finish reason of a reply."""
    body = body_of(reply)
    if is_stream:
        return joined(deltas(body))
    choice = json.loads(body)["choices"][0]
    message = choice["message"]
    calls = [{"id": one["id"], **one["function"]} for one in message.get("tool_calls", ())]
    told = {"content": message["content"], "reasoning": message.get("reasoning_content", "")}
    return {**told, "calls": calls, "finish_reason": choice["finish_reason"]}


@BOTH
def test_an_empty_reply_has_neither_text_nor_calls(is_stream: bool) -> None:
    """It says that it stops, and nothing before."""
    reply = message_of(met("empty-reply", is_stream=is_stream)[0], is_stream=is_stream)

    assert reply == {"content": "", "reasoning": "", "calls": [], "finish_reason": "stop"}


@BOTH
def test_bad_arguments_do_not_parse(is_stream: bool) -> None:
    """The reply is well-formed, the arguments in it are cut short."""
    (call,) = message_of(met("bad-arguments", is_stream=is_stream)[0], is_stream=is_stream)["calls"]  # type: ignore[misc,attr-defined]

    assert '{"file_id":77}'.startswith(call["arguments"])
    assert not _parses(call["arguments"])


@BOTH
def test_double_arguments_are_text_in_text(is_stream: bool) -> None:
    """Decoding once gives a string."""
    (call,) = message_of(met("double-arguments", is_stream=is_stream)[0], is_stream=is_stream)["calls"]  # type: ignore[misc,attr-defined]

    assert json.loads(call["arguments"]) == '{"file_id":77}'


@pytest.mark.parametrize("fault", ["bad-arguments", "double-arguments"])
def test_a_reply_without_a_call_has_no_fault_of_calls(fault: str) -> None:
    """There is nothing to spoil: the reply is good, and no fault is counted."""
    reply, counted = met(fault, content=encoded(messages=[{"role": "user", "content": "Hello"}], tools=[]))

    assert message_of(reply, is_stream=False)["content"] == "I have no tool to call."
    assert (counted.faults, counted.replies) == ({}, 1)
