"""An author behind a server: it says what the grammar said to the same prompt, and counts what it was asked."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import msgspec
from aiohttp import web

from callwright.author.step import AuthoredStep
from callwright.engine.context import Context, WritingStep
from callwright.web.call_tally import CallTally
from callwright.web.delivery import Timing, draw, read_rates, refusal
from callwright.web.serve import digest_of
from recipe_jobs import recipe_job
from served_voice import Prompt
from serving import in_thread


class _Memory:
    """The offline voice, which says the same to the same prompt each time."""

    def __init__(self) -> None:
        self.said: dict[Prompt, str] = {}

    async def write(self, step: WritingStep[Any], ctx: Context, args: tuple[object, ...]) -> Any:
        assert isinstance(step, AuthoredStep)
        prompt = tuple((one.role, one.content) for one in step.prompt(*args).messages)
        if prompt not in self.said:
            written = step.offline(ctx.rng(), *args)
            is_text = isinstance(written, str)
            self.said[prompt] = written if is_text else msgspec.json.encode({"reply": written}).decode()
        return step.parse(self.said[prompt])


def remembered(*, n: int, seed: int) -> dict[Prompt, str]:
    """What an author is asked for `n` dialogues over the bundled catalogue, and what it says."""
    memory = _Memory()
    job = recipe_job("diaforge", n=n, seed=seed)
    for index, item in enumerate(job.ids):
        asyncio.run(job.run(index, Context.detached(item, seed=seed, voice=memory)))
    return memory.said


def _as_prompted(content: str) -> str:
    """A message without what a client adds for servers that may not hold a model to a schema."""
    return content.partition("\n\nReply with one JSON object and nothing else.")[0]


@contextlib.contextmanager
def author_serving(
    said: Mapping[Prompt, str], *, faults: str | None = None, latency_s: float = 0.0, port: int = 0
) -> Iterator[tuple[str, CallTally]]:
    """The base URL of a server that says `said`, and what it counts; `faults` are refusals of `callwright serve`."""
    tally = CallTally()
    with in_thread(_started(said, tally, faults, latency_s, port)) as url:
        yield url, tally


@contextlib.asynccontextmanager
async def _started(
    said: Mapping[Prompt, str], tally: CallTally, faults: str | None, latency_s: float, port: int
) -> AsyncIterator[str]:
    rates = read_rates(faults, None)

    async def chat(request: web.Request) -> web.Response:
        body = await request.read()
        digest = digest_of(body)
        drawn = draw(rates, seed=1, digest=digest, asked_before=tally.ask(digest))
        refused = refusal(drawn.fault, Timing(), key="")
        if refused is not None:
            return refused
        await asyncio.sleep(latency_s)
        text = said[tuple((one["role"], _as_prompted(one["content"])) for one in json.loads(body)["messages"])]
        choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        tally.replied(digest)
        return web.json_response({"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}})

    application = web.Application()
    application.router.add_post("/v1/chat/completions", chat)
    runner = web.AppRunner(application, handler_cancellation=True, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()
