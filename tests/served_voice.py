"""A server that answers prompts as the offline voice would: what it says is recorded first, then asked for."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, cast

import msgspec
from aiohttp import web

from callwright.author.step import AuthoredStep
from callwright.engine.context import Context, WritingStep
from callwright.models.chat import ChatRequest, Message, MessageRole
from callwright.records.jsontext import encode
from callwright.web.builtin_author import Writer

Prompt = tuple[tuple[str, str], ...]
"""Roles and contents of the messages asked with."""

Answer = Callable[[Prompt], str | Awaitable[str]]


class Recorder:
    """The offline voice, keeping each prompt with what was said to it, in order."""

    def __init__(self) -> None:
        self.said: defaultdict[Prompt, deque[str]] = defaultdict(deque)
        self.steps: set[str] = set()

    async def write(self, step: WritingStep[Any], ctx: Context, args: tuple[object, ...]) -> Any:
        assert isinstance(step, AuthoredStep)
        written = step.offline(ctx.rng(), *args)
        assert step.faults(written, *args) == ()  # both voices pass the same checks
        request = step.prompt(*args)
        text = written if isinstance(written, str) else msgspec.json.encode({"reply": written}).decode()
        assert step.parse(text) == written
        self.said[tuple((one.role, one.content) for one in request.messages)].append(text)
        self.steps.add(step.name)
        return written

    def answer(self, prompt: Prompt) -> str:
        """What was said to this prompt, the next time it was."""
        return self.said[prompt].popleft()


async def builtin_author(prompt: Prompt) -> str:
    """What `builtin/author` says to a prompt: the same each time."""
    messages = tuple(Message(cast(MessageRole, role), content) for role, content in prompt)
    schema = encode({"type": "object"}) if "JSON object" in prompt[0][1] else None
    reply = await Writer().reply(ChatRequest(messages, reply_schema=schema), Random(str(prompt)))
    return reply.content


class Server:
    """What a test sees of the server."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[Prompt] = []
        self.bodies: list[dict[str, Any]] = []


@contextmanager
def serving(answer: Answer, port: int = 0) -> Iterator[Server]:
    """Serve chat completions on loopback: `answer` gives the text of each reply."""
    seen, ready, stop = Server(), threading.Event(), threading.Event()

    async def reply(request: web.Request) -> web.Response:
        sent = await request.read()
        body = json.loads(sent)
        prompt = tuple((one["role"], one["content"]) for one in body["messages"])
        seen.asked.append(prompt)
        seen.bodies.append(body)
        text = answer(prompt)
        if not isinstance(text, str):
            text = await text
        message = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": len(sent) // 5, "completion_tokens": len(text) // 5}
        return web.json_response({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage})

    async def serve() -> None:
        application = web.Application()
        application.router.add_post("/v1/chat/completions", reply)
        runner = web.AppRunner(application)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port, reuse_address=True)
        await site.start()
        seen.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        ready.set()
        while not stop.is_set():
            await asyncio.sleep(0.01)
        await runner.cleanup()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield seen
    finally:
        stop.set()
        thread.join(10)
