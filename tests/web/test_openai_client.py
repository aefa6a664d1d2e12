"""The official `openai` client talks to the server as to any other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import openai
import pytest
from web_requests import CALLS, TOOL

from callwright.web.call_tally import CallTally
from callwright.web.delivery import Rate
from callwright.web.serve import Serving, started

Given = TypeVar("Given")
RETRIEVER = Serving(model="builtin/retriever")


def with_client(use: Callable[[Any], Awaitable[Given]], what: Serving = RETRIEVER, *, max_retries: int = 0) -> Given:
    """What `use` returns, given a client of a server."""

    async def run() -> Given:
        async with (
            started(what, CallTally()) as url,
            openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=max_retries) as client,
        ):
            return await use(client)

    return asyncio.run(run())


async def chat(client: Any, *messages: dict[str, Any], **fields: Any) -> Any:
    """The reply to a conversation."""
    return await client.chat.completions.create(model="any", messages=list(messages or [CALLS]), **fields)


def test_chat() -> None:
    """Text, finish reason and usage come out typed."""
    reply = with_client(chat)

    assert reply.choices[0].message.content == "I have no tool to call."
    assert reply.choices[0].finish_reason == "stop"
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens


def test_tools_and_their_results() -> None:
    """A call can be answered, and the client's own form of the message is taken back."""

    async def use(client: Any) -> tuple[Any, Any]:
        first = (await chat(client, tools=[TOOL])).choices[0].message
        result = {"role": "tool", "tool_call_id": first.tool_calls[0].id, "content": "done"}
        return first, await chat(client, CALLS, first.model_dump(), result, tools=[TOOL])

    first, second = with_client(use)

    assert first.tool_calls[0].function.name == "delete_file"
    assert first.tool_calls[0].function.arguments == '{"file_id":77}'
    assert second.choices[0].message.role == "assistant"


def test_streaming() -> None:
    """The client's own reader puts a stream together, usage at its end."""

    async def use(client: Any) -> Any:
        options = {"include_usage": True}
        async with client.chat.completions.stream(
            model="any", messages=[CALLS], tools=[TOOL], stream_options=options
        ) as events:
            return await events.get_final_completion()

    reply = with_client(use)

    assert reply.choices[0].message.tool_calls[0].function.arguments == '{"file_id":77}'
    assert reply.choices[0].finish_reason == "tool_calls"
    assert reply.usage.total_tokens > 0


def test_models() -> None:
    """The list has one model."""

    async def use(client: Any) -> list[str]:
        return [model.id async for model in client.models.list()]

    assert with_client(use) == ["builtin/retriever"]


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("rate-limit", "RateLimitError"),
        ("error-500", "InternalServerError"),
        ("error-503", "InternalServerError"),
        ("bad-key", "AuthenticationError"),
        ("wrong-model", "NotFoundError"),
        ("too-long", "BadRequestError"),
        ("no-reply", "APIConnectionError"),
        ("cut-before", "APIConnectionError"),
    ],
)
def test_faults_raise_the_clients_own_errors(fault: str, kind: str) -> None:
    """Each is what the client takes it for in a real server."""
    with pytest.raises(getattr(openai, kind)):
        with_client(chat, Serving(model="builtin/abstain", faults=(Rate(fault, 1.0),)))


def test_the_client_gets_over_faults_by_asking_again() -> None:
    """Half of the requests fail, and its retries get a reply."""
    bad = Serving(model="builtin/abstain", faults=(Rate("error-500", 0.5),))

    assert with_client(chat, bad, max_retries=8).choices[0].message.content


def test_json_is_refused() -> None:
    """The error names the parameter, so that a client can do without."""
    with pytest.raises(openai.BadRequestError) as refused:
        with_client(lambda client: chat(client, response_format={"type": "json_object"}))

    assert refused.value.param == "response_format"
