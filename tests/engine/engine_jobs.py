"""Small jobs that the engine's tests roll out; importable by worker processes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from callwright.engine.context import Context
from callwright.errors import RolloutFailed
from callwright.models.chat import ChatModel, ChatReply, ChatRequest, Message


def request(text: str) -> ChatRequest:
    return ChatRequest(messages=(Message(role="user", content=text),))


class Greeting:
    """A writing step."""

    name = stream = "test/greeting"

    def offline(self, rng: Random, /, *args: object, **kwargs: object) -> str:
        return f"{args[0]} {rng.random()}"


GREETING = Greeting()


class EchoModel:
    """Counts how often it is asked; its replies depend on the request and on chance."""

    name = "test/echo"

    def __init__(self, wait_s: Callable[[], float] | None = None) -> None:
        self.asked: list[str] = []
        self._wait_s = wait_s

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        text = request.messages[-1].content
        self.asked.append(text)
        await asyncio.sleep(self._wait_s() if self._wait_s else 0)
        return ChatReply(content=f"{text}: {rng.random()}", tokens_in=3)


class FunctionJob:
    """A job from ids, a rollout function and models."""

    def __init__(self, ids: list[str], rollout, models: dict[str, ChatModel] | None = None) -> None:  # type: ignore[no-untyped-def]
        self.ids = ids
        self._rollout = rollout
        self._models = models or {}

    def models(self, index: int) -> dict[str, ChatModel]:
        return self._models

    async def run(self, index: int, ctx: Context) -> bytes:
        return await self._rollout(index, ctx)


def ids(count: int) -> list[str]:
    return [f"item-{at}" for at in range(count)]


async def draw(index: int, ctx: Context) -> bytes:
    """A rollout that only draws and writes."""
    drawn = [ctx.rng().random(), ctx.at("user/1").rng().random(), ctx.at("user/1", attempt=1).rng().random()]
    return json.dumps([index, ctx.trial, drawn, await ctx.write(GREETING, "hello")]).encode()


async def converse(index: int, ctx: Context) -> bytes:
    """A rollout that asks three times, twice at once."""
    first = await ctx.ask("model", request(f"{index} first"))
    votes = await asyncio.gather(*(ctx.at(f"vote/{n}").ask("model", request(first.content)) for n in range(2)))
    return "|".join([first.content, *(vote.content for vote in votes)]).encode()


def make_draws(payload: bytes) -> FunctionJob:
    """`payload`: how many items."""
    return FunctionJob(ids(int(payload)), draw)


def make_conversations(payload: bytes) -> FunctionJob:
    """`payload`: how many items."""
    return FunctionJob(ids(int(payload)), converse, {"model": EchoModel(lambda: 0.0)})


def make_failures(payload: bytes) -> FunctionJob:
    """Every third rollout fails, every third has a defect."""

    async def rollout(index: int, ctx: Context) -> bytes:
        if index % 3 == 1:
            raise RolloutFailed("no words", kind="author_silent", role="author")
        if index % 3 == 2:
            return str(1 // 0).encode()
        return b"fine"

    return FunctionJob(ids(int(payload)), rollout)


def make_murder(payload: bytes) -> FunctionJob:
    """Item 5 kills its worker process: always, or once when `payload` names a marker file."""

    async def rollout(index: int, ctx: Context) -> bytes:
        marker = Path(payload.decode()) if payload else None
        if index == 5 and not (marker and marker.exists()):
            if marker:
                marker.write_text("done")
            os.kill(os.getpid(), signal.SIGKILL)
        return str(index).encode()

    return FunctionJob(ids(12), rollout)


def make_sleepers(payload: bytes) -> FunctionJob:
    """Each rollout blocks its process for `payload` seconds."""

    async def rollout(index: int, ctx: Context) -> bytes:
        time.sleep(float(payload))
        return b"slept"

    return FunctionJob(ids(400), rollout)


def make_announced_sleepers(payload: bytes) -> FunctionJob:
    """The same; each rollout says `going` first, since it is long before one ends."""

    async def rollout(index: int, ctx: Context) -> bytes:
        print("going", flush=True)
        time.sleep(float(payload))
        return b"slept"

    return FunctionJob(ids(400), rollout)


def make_unbuildable_in_workers(payload: bytes) -> FunctionJob:
    """`payload`: id of the process in which the job can be built."""
    if os.getpid() != int(payload):
        raise ValueError("no such file")
    return FunctionJob(ids(4), draw)


def make_unprintable(payload: bytes) -> FunctionJob:
    """Each rollout fails with a message that UTF-8 cannot hold."""

    async def rollout(index: int, ctx: Context) -> bytes:
        raise RolloutFailed("bad \ud800", kind="odd", role="author")

    return FunctionJob(ids(3), rollout)
