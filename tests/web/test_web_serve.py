"""The server as its clients see it, over real connections."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, TypeVar

import aiohttp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from web_requests import body, deltas, encoded, in_words, joined, raw

from callwright.baselines.retriever import RetrieverBaseline
from callwright.engine.randomness import stream
from callwright.errors import BadInput, UnknownName
from callwright.formats import functions
from callwright.formats.layouts import read_source
from callwright.models.chat import ChatRequest, Message
from callwright.models.tool_calls import find_calls
from callwright.web.call_tally import CallTally, Summary
from callwright.web.delivery import Rate, Timing, read_rates
from callwright.web.openai_wire import MAX_BYTES
from callwright.web.serve import Serving, digest_of, started

Session = aiohttp.ClientSession
Given = TypeVar("Given")
RETRIEVER = Serving(model="builtin/retriever")


def with_server(
    use: Callable[[Session, str], Awaitable[Given]], what: Serving = RETRIEVER, *, tally: CallTally | None = None
) -> Given:
    """What `use` returns, given a session and the base URL of a server."""

    async def run() -> Given:
        async with started(what, tally or CallTally()) as url, Session() as session:
            return await use(session, url)

    return asyncio.run(run())


async def post(session: Session, url: str, content: bytes) -> tuple[int, bytes]:
    """Status and body of the reply to one request."""
    async with session.post(f"{url}/chat/completions", data=content) as response:
        return response.status, await response.read()


async def get(session: Session, url: str, path: str) -> Any:
    """The JSON of a page, by its path from the root."""
    async with session.get(url.removesuffix("/v1") + path) as response:
        assert response.status == 200
        return await response.json()


def test_a_call_is_answered_with_a_call() -> None:
    """The reply has the layout of a chat completion, its usage counted and its model named."""
    _, reply = with_server(lambda session, url: post(session, url, encoded()))
    value = json.loads(reply)

    assert value["object"] == "chat.completion"
    assert value["model"] == "builtin/retriever"
    assert value["choices"][0]["finish_reason"] == "tool_calls"
    assert value["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] == '{"file_id":77}'
    usage = value["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 10


def test_a_stream_says_the_same_as_a_body() -> None:
    """The call is the same; only words may differ, as the two are different requests."""

    async def both(session: Session, url: str) -> list[bytes]:
        return [(await post(session, url, encoded(stream=stream)))[1] for stream in (False, True)]

    whole, streamed = with_server(both)
    (call,) = joined(deltas(streamed))["calls"]

    assert call["arguments"] == json.loads(whole)["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]


def test_a_call_asked_for_in_words_is_answered_in_words() -> None:
    """The reply has no calls but in its text, as a body and as a stream."""

    async def both(session: Session, url: str) -> list[bytes]:
        return [(await post(session, url, in_words(stream=stream)))[1] for stream in (False, True)]

    whole, streamed = with_server(both)
    (choice,) = json.loads(whole)["choices"]

    for said in (choice["message"]["content"], joined(deltas(streamed))["content"]):
        assert [(call.tool, call.arguments) for call in find_calls(said).calls] == [("delete_file", '{"file_id":77}')]
    assert (choice["finish_reason"], "tool_calls" in choice["message"]) == ("stop", False)
    assert joined(deltas(streamed))["calls"] == []


@pytest.mark.parametrize(
    ("fault", "written"),
    [
        ("bad-arguments", r'"arguments":\{[^}]*\}\n</tool_call>$'),
        ("double-arguments", r'"arguments":"\{\\"file_id\\":77\}"\}\n<'),
    ],
)
def test_calls_in_words_meet_the_faults_of_calls(fault: str, written: str) -> None:
    """What is cut, or text within JSON, is so between the tags."""
    what = Serving(model="builtin/retriever", faults=(Rate(fault, 1.0),))
    _, reply = with_server(lambda session, url: post(session, url, in_words()), what)

    assert re.search(written, json.loads(reply)["choices"][0]["message"]["content"])


def test_the_same_request_gets_the_same_bytes() -> None:
    """Of one server or of two, at once or one after the other."""

    async def thrice(session: Session, url: str) -> list[bytes]:
        return [reply for _, reply in await asyncio.gather(*(post(session, url, encoded()) for _ in range(3)))]

    assert len({*with_server(thrice), *with_server(thrice)}) == 1


def test_another_seed_words_it_differently() -> None:
    """What is done stays, how it is said may change."""
    said = set()
    for seed in range(6):
        what = Serving(model="builtin/retriever", seed=seed)
        _, reply = with_server(lambda session, url: post(session, url, encoded()), what)
        message = json.loads(reply)["choices"][0]["message"]
        said.add(message["content"])
        assert message["tool_calls"][0]["function"]["arguments"] == '{"file_id":77}'

    assert len(said) > 1


def test_a_served_model_replies_as_it_does_in_process() -> None:
    """The protocol takes nothing from what the model sees: same question, same words, among look-alikes."""
    tools = read_source("builtin/enterprise").tools[:10]
    said = ("You help. Today is 2026-03-02.", "I want to change something about an order.")
    content = json.dumps(
        {
            "model": "any",
            "messages": [{"role": role, "content": text} for role, text in zip(("system", "user"), said, strict=True)],
            "tools": functions.write_openai(read_source("builtin/enterprise").tools[:10]),
        }
    ).encode()
    request = ChatRequest((Message("system", said[0]), Message("user", said[1])), tools)
    expected = asyncio.run(RetrieverBaseline().reply(request, stream(0, digest_of(content), "reply")))
    _, reply = with_server(lambda session, url: post(session, url, content))

    assert json.loads(reply)["choices"][0]["message"]["content"] == expected.content


def test_a_model_of_any_name_is_this_one() -> None:
    """Clients insist on a name; but another builtin model's would be a lie."""

    async def ask(session: Session, url: str) -> list[tuple[int, bytes]]:
        return [await post(session, url, encoded(model=name)) for name in ("gpt", "builtin/retriever", "builtin/eager")]

    statuses, replies = zip(*with_server(ask), strict=True)

    assert statuses == (200, 200, 404)
    assert json.loads(replies[2])["error"]["code"] == "model_not_found"


def test_pages() -> None:
    """The list of models and the sign of life."""

    async def ask(session: Session, url: str) -> tuple[Any, Any]:
        return await get(session, url, "/v1/models"), await get(session, url, "/healthz")

    models, health = with_server(ask)

    assert [model["id"] for model in models["data"]] == ["builtin/retriever"]
    assert health["status"] == "ok"


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    [
        ("POST", "/chat/completions", b"{", 400),
        ("POST", "/chat/completions", encoded(response_format={"type": "json_object"}), 400),
        ("POST", "/chat/completions", b" " * (MAX_BYTES + 1), 413),
        ("GET", "/chat/completions", b"", 405),
        ("GET", "/nowhere", b"", 404),
    ],
)
def test_wrong_requests_get_an_error_in_the_protocols_shape(
    method: str, path: str, content: bytes, status: int
) -> None:
    """Message, type, parameter and code stand under `error`."""

    async def ask(session: Session, url: str) -> tuple[int, Any]:
        async with session.request(method, url + path, data=io.BytesIO(content)) as response:
            return response.status, await response.json()

    got, value = with_server(ask)

    assert got == status
    assert set(value["error"]) == {"message", "type", "param", "code"}


def test_wrong_requests_are_counted_apart() -> None:
    """They are requests, refused, and meet no fault."""

    async def ask(session: Session, url: str) -> Any:
        await post(session, url, b"{")
        return await get(session, url, "/stats")

    counted = with_server(ask, Serving(model="builtin/abstain", faults=(Rate("error-500", 1.0),)))

    assert (counted["requests"], counted["refused"], counted["replies"], counted["faults"]) == (1, 1, 0, {})


def test_headers_are_bounded() -> None:
    """A header of 100 kB is refused before anything is read."""
    reply = with_server(lambda session, url: raw(url, encoded(), headers=f"X-Long: {'x' * 100_000}\r\n"))

    assert int(reply.split()[1]) == 400


async def ask_all(session: Session, url: str, contents: list[bytes]) -> dict[str, list[int | str]]:
    """What happened to each request, by digest, in the order of asking."""
    happened: dict[str, list[int | str]] = {}
    for content in contents:
        try:
            status, reply = await post(session, url, content)
            seen: int | str = f"{status} {reply[:200]!r}"
        except aiohttp.ClientError as error:
            seen = type(error).__name__
        happened.setdefault(digest_of(content), []).append(seen)
    return happened


def test_the_same_seed_gives_the_same_faults_in_any_order() -> None:
    """What happens to a request the first time, and the second, does not depend on the others."""
    timing = Timing(stall_s=0.001, slow_s=0.001)
    rates = read_rates("rate-limit,error-500,no-reply,cut-before,cut-during,stall,bad-json,bad-shape,empty-reply", 0.6)
    bad = Serving(model="builtin/abstain", seed=5, faults=rates, timing=timing)
    contents = [encoded(user=str(at)) for at in range(40)] * 2
    shuffled = list(contents)
    Random(1).shuffle(shuffled)

    one = with_server(lambda session, url: ask_all(session, url, contents), bad)
    two = with_server(lambda session, url: ask_all(session, url, shuffled), bad)

    assert one == two
    assert len({str(seen) for seen in one.values()}) > 10


def test_another_seed_gives_other_faults() -> None:
    """The seed is the only chance there is."""
    contents = [encoded(user=str(at)) for at in range(30)]
    one, two = (
        with_server(
            lambda session, url: ask_all(session, url, contents),
            Serving(model="builtin/abstain", seed=seed, faults=(Rate("error-500", 0.5),)),
        )
        for seed in (1, 2)
    )

    assert one != two


def test_stats_tell_what_was_asked_and_given() -> None:
    """In all, and of each request; the digest is told with the reply."""

    async def ask(session: Session, url: str) -> tuple[str, Any, Any]:
        await post(session, url, encoded())
        async with session.post(f"{url}/chat/completions", data=encoded()) as response:
            digest = response.headers["x-request-id"]
        await post(session, url, encoded(user="b"))
        return digest, await get(session, url, "/stats"), await get(session, url, "/stats/requests")

    digest, counted, by_request = with_server(ask)

    assert digest == digest_of(encoded())
    assert (counted["requests"], counted["replies"], counted["different"]) == (3, 3, 2)
    assert (counted["asked_again"], counted["asked_after_reply"]) == (1, 1)
    assert by_request[digest] == {"asked": 2, "replied": 2}


def test_latency_delays_each_reply_and_not_the_others() -> None:
    """Twenty replies that wait together take no twentyfold time; the clock is the loop's own."""

    async def ask(session: Session, url: str) -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.gather(*(post(session, url, encoded(user=str(at))) for at in range(20)))
        return loop.time() - began

    assert with_server(ask, Serving(model="builtin/abstain", timing=Timing(latency_s=0.3))) >= 0.3


def test_a_client_that_leaves_is_counted_and_its_reply_dropped() -> None:
    """Nothing goes on for one who is not there."""
    tally = CallTally()

    async def ask(session: Session, url: str) -> Summary:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await post(session, url, encoded())
        while not tally.counts.gone:
            await asyncio.sleep(0.01)
        return tally.summary()

    counted = with_server(ask, Serving(model="builtin/abstain", timing=Timing(latency_s=3_600)), tally=tally)

    assert (counted.requests, counted.replies, counted.gone) == (1, 0, 1)


def test_the_oracle_is_not_served() -> None:
    """It needs what no request holds."""
    with pytest.raises(BadInput, match="ground truth"):
        with_server(lambda session, url: asyncio.sleep(0), Serving(model="builtin/oracle"))


def test_an_unknown_model_is_told_with_the_known() -> None:
    """The names are in the error."""
    with pytest.raises(UnknownName, match="builtin/retriever"):
        with_server(lambda session, url: asyncio.sleep(0), Serving(model="builtin/nothing"))


schemas = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["object", "string", "integer", "array", "number", "boolean", "date", "uri"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "properties", "required", "enum", "items", "anyOf", "format", "examples", "a", "ids"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@settings(max_examples=15)
@given(st.lists(st.tuples(schemas, st.text(max_size=60), st.text(max_size=60)), min_size=20, max_size=20))
def test_any_tools_and_words_get_a_reply_or_a_refusal(given: list[tuple[Any, str, str]]) -> None:
    """Strange schemas break neither the server nor its model: 200, or 400 with the reason."""

    async def ask(session: Session, url: str) -> list[int]:
        statuses = []
        for schema, description, text in given:
            tool = {"name": "update_thing", "description": description, "parameters": {"properties": {"x": schema}}}
            other = {"name": "delete_thing", "description": "Delete a thing.", "parameters": {"properties": schema}}
            tools = [{"type": "function", "function": one} for one in (tool, other)]
            content = json.dumps(body({"role": "user", "content": text}, tools=tools)).encode()
            statuses.append((await post(session, url, content))[0])
        return statuses

    assert set(with_server(ask)) <= {200, 400}
