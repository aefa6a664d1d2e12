"""A server on loopback that answers as it is told, in order; its last answer is repeated."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from random import Random
from typing import Any

from aiohttp import web

from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.models.endpoint import Endpoint
from callwright.models.keys import ApiKey
from callwright.models.openai import ServedModel
from callwright.models.retries import Patience
from callwright.models.transport import close_connections

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]

HELLO = ChatRequest((Message("user", "Hello?"),))
QUICK = Patience(connect_s=5, idle_s=5, total_s=10, tries=4, first_pause_s=0.001, longest_pause_s=0.004)


def completion(**message: Any) -> dict[str, Any]:
    """The body of a reply."""
    return {
        "choices": [{"message": {"role": "assistant", **message}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7},
    }


def says(body: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    """Answers with JSON, or with text as it is."""

    async def answer(request: web.Request) -> web.StreamResponse:
        text = body if isinstance(body, str) else json.dumps(body)
        return web.Response(text=text, status=status, headers=headers, content_type="application/json")

    return answer


def refuses(status: int, message: str = "no", *, code: str = "", headers: dict[str, str] | None = None) -> Answer:
    """Answers with an error in the protocol's shape."""
    return says({"error": {"message": message, "code": code}}, status=status, headers=headers)


OK = says(completion(content="Hi."))


class FakeServer:
    """What it will answer, and what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers) or [OK]
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer the next request."""
        self.asked.append(await request.json())
        self.headers.append(dict(request.headers))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return await answer(request)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[FakeServer]:
        """Inside, it listens at `url`."""
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/chat/completions", self.handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            host, port = runner.addresses[0][:2]
            self.url = f"http://{host}:{port}/v1"
            yield self
        finally:
            await runner.cleanup()

    @contextlib.contextmanager
    def in_thread(self) -> Iterator[FakeServer]:
        """Inside, it listens on a loop of its own, for commands that have theirs."""
        ready, done = threading.Event(), asyncio.Event()
        loop = asyncio.new_event_loop()

        async def serve() -> None:
            async with self.running():
                ready.set()
                await done.wait()

        def target() -> None:
            loop.run_until_complete(serve())
            loop.close()

        thread = threading.Thread(target=target)
        thread.start()
        ready.wait(10)
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(done.set)
            thread.join(10)


def ask(
    *answers: Answer,
    request: ChatRequest = HELLO,
    key: str = "",
    times: int = 1,
    patience: Patience = QUICK,
    **options: Any,
) -> tuple[list[ChatReply], FakeServer]:
    """Ask a server that answers so; return the replies, and the server."""
    server = FakeServer(*answers)

    async def work() -> list[ChatReply]:
        async with server.running():
            model = ServedModel(Endpoint("any", server.url), key=ApiKey(key), patience=patience, **options)
            try:
                return [await model.reply(request, Random(1)) for _ in range(times)]
            finally:
                await close_connections()

    return asyncio.run(work()), server
