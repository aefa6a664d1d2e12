"""A served model against a server on loopback that misbehaves on demand."""

from __future__ import annotations

import _socket
import asyncio
import json
import socket
from random import Random
from typing import Any

import pytest
from aiohttp import web

from callwright.errors import RolloutFailed
from callwright.models.attempts import Attempt, ObservableModel
from callwright.models.chat import ChatRequest, Message
from callwright.models.endpoint import Endpoint
from callwright.models.keys import ApiKey
from callwright.models.openai import ServedModel
from callwright.models.retries import Patience
from callwright.models.structured import Learned
from callwright.models.transport import MAX_REPLY_BYTES, close_connections
from callwright.records.jsontext import JsonText
from fake_server import HELLO, OK, QUICK, Answer, FakeServer, ask, completion, refuses, says

KEY = "sk-planted-0123456789"
AS_JSON = ChatRequest(HELLO.messages, reply_schema=JsonText('{"type":"object"}'))
OBJECT = says(completion(content='{"a": 1}'))


class Watch:
    """Remembers attempts."""

    def __init__(self) -> None:
        self.seen: list[Attempt] = []

    def on_attempt(self, outcome: Attempt) -> None:
        self.seen.append(outcome)


async def cut_before(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def cut_during(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    assert request.transport is not None
    request.transport.close()
    return response


async def stall(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b"{")
    await asyncio.sleep(30)
    return response


async def trickle(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    for _ in range(1_000):
        await response.write(b" ")
        await asyncio.sleep(0.01)
    return response


async def huge(request: web.Request) -> web.StreamResponse:
    """50 MB, not announced."""
    response = web.StreamResponse()
    await response.prepare(request)
    for _ in range(50):
        await response.write(b" " * 2**20)
    return response


async def announced_huge(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": str(MAX_REPLY_BYTES + 1)})
    await response.prepare(request)
    await asyncio.sleep(30)  # who waits for the body fails by the clock
    return response


def failure(*answers: Answer, **options: Any) -> RolloutFailed:
    with pytest.raises(RolloutFailed) as caught:
        ask(*answers, **options)
    return caught.value


@pytest.mark.parametrize(
    "fault",
    [
        refuses(429),
        refuses(429, headers={"Retry-After": "0.01"}),
        refuses(500),
        refuses(503),
        cut_before,
        cut_during,
        says("<html>"),
        says("{}"),
        says(""),
    ],
)
def test_what_may_pass_is_tried_again(fault: Answer) -> None:
    """After a fault that may pass, the next attempt brings the reply."""
    (reply,), server = ask(fault, OK)
    assert (reply.content, len(server.asked)) == ("Hi.", 2)


@pytest.mark.parametrize(
    ("fault", "kind", "words", "asked"),
    [
        (refuses(401, "bad key"), "auth", "OPENAI_API_KEY", 1),
        (refuses(403, "no"), "auth", "OPENAI_API_KEY", 1),
        (refuses(429, "slow down"), "rate_limited", "429: slow down, 4 times", 4),
        (refuses(429, headers={"Retry-After": "3600"}), "rate_limited", "asks to wait 3,600 s", 1),
        (refuses(429, code="insufficient_quota"), "no_credit", "Add credit", 1),
        (refuses(404, "The model `any` does not exist"), "no_such_model", "/models", 1),
        (refuses(404), "no_such_route", "ends in /v1", 1),
        (refuses(400, code="context_length_exceeded"), "context_too_long", "longer context", 1),
        (refuses(400, "unknown field"), "bad_request", "unknown field", 1),
        (refuses(500), "server_error", "500", 4),
        (says("{}"), "bad_reply", "no chat completion", 3),
        (cut_during, "bad_reply", "cut off", 3),
        (cut_before, "unreachable", "cut the connection", 4),
        (huge, "bad_reply", "larger than 16 MiB", 3),
        (announced_huge, "bad_reply", "larger than 16 MiB", 3),
        (says("x", headers={"Content-Encoding": "gzip"}), "bad_reply", "compressed", 3),
        (refuses(307, headers={"Location": "http://192.0.2.1/"}), "no_such_route", "307", 1),
    ],
)
def test_each_failure_has_one_clear_message(fault: Answer, kind: str, words: str, asked: int) -> None:
    """Kind, role and words say what it was and what helps; nothing pointless is repeated."""
    watch = Watch()
    error = failure(fault, role="voter", observers=(watch,))
    assert (error.kind, error.role, len(watch.seen)) == (kind, "voter", asked)
    assert words in str(error)
    assert str(error).startswith("openai/any@http://127.0.0.1:")


def unreached(host: str, watch: Watch, *, match: str) -> RolloutFailed:
    """How asking a server that is not there fails."""

    async def work() -> None:
        model = ServedModel(Endpoint("any", f"http://{host}/v1"), key=ApiKey(""), patience=QUICK, observers=(watch,))
        try:
            await model.reply(HELLO, Random(0))
        finally:
            await close_connections()

    with pytest.raises(RolloutFailed, match=match) as caught:
        asyncio.run(work())
    return caught.value


def test_an_unreachable_server_is_given_up_soon() -> None:
    """Nobody listens: two attempts, and the message asks for the URL."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    watch = Watch()
    assert unreached(f"127.0.0.1:{port}", watch, match="Is the server running").kind == "unreachable"
    assert [attempt.will_retry for attempt in watch.seen] == [True, False]


@pytest.mark.parametrize(
    ("fault", "patience"),
    [
        (stall, Patience(idle_s=0.05, first_pause_s=0.001)),
        (trickle, Patience(idle_s=5, total_s=0.1, first_pause_s=0.001)),
    ],
)
def test_silence_and_slowness_time_out(fault: Answer, patience: Patience) -> None:
    """Silence between bytes ends at the idle time-out, a trickle at the total one; both are tried twice."""
    watch = Watch()
    error = failure(fault, patience=patience, observers=(watch,))
    assert (error.kind, len(watch.seen)) == ("timeout", 2)
    assert "--timeout" in str(error)


def test_observers_see_every_attempt() -> None:
    """Each 429 is told with what the server asked for, and whether another attempt follows."""
    watch, other = Watch(), Watch()
    server = FakeServer(refuses(429, headers={"Retry-After": "0.01"}), says("{}"), OK)

    async def work() -> None:
        async with server.running():
            model = ServedModel(Endpoint("any", server.url), key=ApiKey(""), patience=QUICK, observers=(watch,))
            assert isinstance(model, ObservableModel)
            await model.observed_by(other).reply(HELLO, Random(0))
            await close_connections()

    asyncio.run(work())
    assert watch.seen == other.seen
    told = [(one.failure, one.retry_after_s, one.will_retry, one.tokens_in) for one in watch.seen]
    assert told == [("rate_limited", 0.01, True, None), ("bad_reply", None, True, None), (None, None, False, 11)]


def test_json_replies_fall_back_and_the_level_is_remembered() -> None:
    """A server without schemas is asked for JSON mode, and the next time at once for that."""
    _, server = ask(refuses(400, "response_format: json_schema is not supported"), OBJECT, request=AS_JSON, times=2)
    asked = [body.get("response_format", {}).get("type") for body in server.asked]
    assert asked == ["json_schema", "json_object", "json_object"]


def test_json_replies_fall_back_to_the_prompt() -> None:
    """A server that knows no `response_format` gets the schema in words."""
    (reply,), server = ask(refuses(422), refuses(400), OBJECT, request=AS_JSON)
    assert reply.content == '{"a": 1}'
    assert "response_format" not in server.asked[-1]
    assert '{"type":"object"}' in server.asked[-1]["messages"][0]["content"]


def test_a_request_that_no_level_mends_fails_with_its_reason() -> None:
    """A server that refuses in any form refuses the request; nothing is remembered of the levels."""
    assert failure(refuses(400, "unknown field"), request=AS_JSON).kind == "bad_request"


def test_a_chance_error_does_not_lower_the_level() -> None:
    """One 500 is tried again as it was."""
    _, server = ask(refuses(500), OBJECT, request=AS_JSON)
    assert {body["response_format"]["type"] for body in server.asked} == {"json_schema"}


CITY = JsonText('{"properties":{"city":{"type":"string"}},"required":["city"],"type":"object"}')
A_CITY = ChatRequest(HELLO.messages, reply_schema=CITY)
FITTING = says(completion(content='{"city": "Lisbon"}'))
PROSE = says(completion(content="It is Lisbon."))
ANOTHER = says(completion(content='{"town": "Lisbon"}'))


def ended(reason: str) -> Answer:
    body = completion(content="It is")
    body["choices"][0]["finish_reason"] = reason
    return says(body)


def forms(server: FakeServer) -> list[str]:
    """The forms in which a server was asked, one after another."""
    return [body.get("response_format", {}).get("type", "prompt") for body in server.asked]


@pytest.mark.parametrize("unfit", [PROSE, ANOTHER])
def test_a_server_that_ignores_the_form_is_asked_in_words(unfit: Answer) -> None:
    """What it never saw as a field it is shown in the prompt, and what it said before counts as used."""

    async def answer(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        shown = "response_format" not in body and CITY in body["messages"][0]["content"]
        return await (FITTING if shown else unfit)(request)

    watch = Watch()
    replies, server = ask(answer, request=A_CITY, times=2, observers=(watch,))
    assert {reply.content for reply in replies} == {'{"city": "Lisbon"}'}
    assert forms(server) == ["json_schema", "json_object", "prompt", "prompt"]
    assert [one.failure for one in watch.seen] == ["bad_reply", "bad_reply", None, None]
    assert [one.will_retry for one in watch.seen] == [True, True, False, False]
    assert {(one.tokens_in, one.tokens_out) for one in watch.seen} == {(11, 7)}


def test_a_form_that_was_kept_to_once_stays() -> None:
    """Later replies that do not fit are the model's slips, and returned as they are."""
    replies, server = ask(FITTING, PROSE, ANOTHER, request=A_CITY, times=3)
    assert [reply.content for reply in replies] == ['{"city": "Lisbon"}', "It is Lisbon.", '{"town": "Lisbon"}']
    assert {*forms(server)} == {"json_schema"}


def test_a_model_that_fits_in_no_form_is_heard_all_the_same() -> None:
    """The reply to the prompt is returned, and the next request begins there."""
    replies, server = ask(PROSE, request=A_CITY, times=2)
    assert {reply.content for reply in replies} == {"It is Lisbon."}
    assert forms(server) == ["json_schema", "json_object", "prompt", "prompt"]


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_a_reply_that_was_not_let_end_says_nothing_of_the_form(reason: str) -> None:
    """Cut off or withheld, it is returned, and the form stays to be proven."""
    replies, server = ask(ended(reason), FITTING, request=A_CITY, times=2)
    assert [reply.content for reply in replies] == ["It is", '{"city": "Lisbon"}']
    assert {*forms(server)} == {"json_schema"}


def test_a_slip_at_the_start_does_not_lower_a_form_that_others_prove() -> None:
    """Who left the form while another's reply fitted gets a reply, and nobody else leaves it."""
    proven, learned = asyncio.Event(), Learned()

    async def waiting(request: web.Request) -> web.StreamResponse:
        await proven.wait()
        return await FITTING(request)

    server = FakeServer(PROSE, waiting, FITTING)

    async def work() -> None:
        async with server.running():
            model = ServedModel(Endpoint("any", server.url), key=ApiKey(""), patience=QUICK, learned=learned)
            slipped = asyncio.create_task(model.reply(A_CITY, Random(0)))
            while len(server.asked) < 2:
                await asyncio.sleep(0)
            learned.proven.add((model.name, "json_schema"))
            proven.set()
            await slipped
            await model.reply(A_CITY, Random(0))
            await close_connections()

    asyncio.run(work())
    assert forms(server) == ["json_schema", "json_object", "json_schema"]


@pytest.mark.parametrize("status", [200, 201, 203])
def test_any_success_is_an_answer(status: int) -> None:
    """Some servers create completions."""
    assert ask(says(completion(content="Hi."), status=status))[0][0].content == "Hi."


def test_a_success_without_a_body_is_no_reply() -> None:
    """The server took the request, and said nothing."""
    assert failure(says("", status=204)).kind == "bad_reply"


def test_a_host_name_that_no_resolver_takes_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    """A label of more than 63 characters; the message says what is wrong."""
    monkeypatch.setattr(socket, "getaddrinfo", _socket.getaddrinfo)  # not the guarded one; it looks nothing up
    words = "the host name in the base URL is not valid, 2 times"
    assert unreached(f"{'a' * 64}.example", Watch(), match=words).kind == "unreachable"


def test_the_key_travels_in_one_header() -> None:
    """With a key each request carries it; without one there is no such header."""
    assert ask(OK, key=KEY)[1].headers[0]["Authorization"] == f"Bearer {KEY}"
    assert "Authorization" not in ask(OK)[1].headers[0]


async def echo_everywhere(request: web.Request) -> web.StreamResponse:
    """A hostile server: the key in the reason, in headers and, escaped, in the body, where a message would be cut."""
    key = request.headers["Authorization"].removeprefix("Bearer ")
    escaped = "".join(f"\\u{ord(char):04x}" for char in key)
    body = '{"error": {"message": "' + "x" * 290 + f" {escaped} {key[::-1]}" + '", "code": "' + key + '"}}'
    headers = {"Location": f"http://192.0.2.1/?key={key}", "Retry-After": key, "X-Key": key}
    return web.Response(status=400, reason=f"bad {key}", text=body, headers=headers)


@pytest.mark.parametrize("request_", [HELLO, AS_JSON])
def test_no_message_holds_the_key(request_: ChatRequest) -> None:
    """However a server throws the key back, not even a part of it is in the error."""
    message = str(failure(echo_everywhere, key=KEY, request=request_))
    assert KEY[:6] not in message
    assert KEY[::-1][:6] not in message


def test_no_reply_holds_the_key() -> None:
    """A server that puts the key into content, thought and arguments finds it struck."""
    call = {"id": KEY, "function": {"name": KEY, "arguments": json.dumps({"k": KEY})}}
    body = completion(content=f"It is {KEY}.", reasoning=KEY, tool_calls=[call])
    (reply,), _ = ask(says(body), key=KEY)
    assert KEY not in repr(reply)
    assert reply.content == "It is [key]."


def test_many_replies_at_once_share_one_session() -> None:
    """A hundred lanes ask at once; every reply comes, and nothing is left open."""
    server = FakeServer(OK)

    async def work() -> int:
        async with server.running():
            model = ServedModel(Endpoint("any", server.url), key=ApiKey(""), patience=QUICK)
            replies = await asyncio.gather(*(model.reply(HELLO, Random(n)) for n in range(100)))
            await close_connections()
            return len(replies)

    assert asyncio.run(work()) == len(server.asked) == 100


def test_a_large_request_is_sent() -> None:
    """A conversation of more than a megabyte goes out without a warning."""
    _, server = ask(OK, request=ChatRequest((Message("user", "x" * 2_000_000),)))
    assert len(server.asked[0]["messages"][0]["content"]) == 2_000_000
