"""What an evaluation costs beside bare HTTP: journal and scoring on, and a loop of aiohttp with the same bodies.

    python bench/served.py [DIALOGUES]

The server says the same to everyone, in a process of its own. Both clients ask it in turns, and the better of two
times counts for each. One line a case: calls in flight and latency, calls per second of the bare loop, of the
evaluation, and of the evaluation with its scores and intervals, and their ratios to the bare loop.
"""

from __future__ import annotations

import asyncio
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import perf_counter

import aiohttp
from aiohttp import web

import callwright
from callwright.app.datasets import Dataset, open_dataset
from callwright.app.evaluation import evaluate_model, score_runs
from callwright.evaluate.conversation import request, shown_tools
from callwright.models.conversation import encode_request

CASES = ((64, 0.0), (256, 0.0), (200, 0.2))
REPLY = (
    b'{"id":"c","object":"chat.completion","created":0,"model":"any","choices":[{"index":0,"message":{"role":'
    b'"assistant","content":"Which one do you mean, please?"},"finish_reason":"stop"}],'
    b'"usage":{"prompt_tokens":900,"completion_tokens":7,"total_tokens":907}}'
)


def serve(latency_s: float) -> None:
    async def chat(request: web.Request) -> web.Response:
        await request.read()
        if latency_s:
            await asyncio.sleep(latency_s)
        return web.Response(body=REPLY, content_type="application/json")

    async def run() -> None:
        application = web.Application()
        application.router.add_post("/v1/chat/completions", chat)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
        print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
        await asyncio.Event().wait()

    asyncio.run(run())


@contextmanager
def serving(latency_s: float) -> Iterator[str]:
    command = [sys.executable, __file__, "--serve", str(latency_s)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def bodies_of(data: Dataset) -> list[bytes]:
    """What a static evaluation asks, near enough: the recorded assistant in place of the server's reply."""
    bodies = []
    for dialogue in data.dialogues:
        tools = shown_tools(dialogue, data.catalog.by_key)
        for at, turn in enumerate(dialogue.turns):
            if dialogue.role(turn) == "user":
                asked = request(dialogue, tools, dialogue.turns[: at + 1])
                bodies.append(encode_request("any", asked, calling="native", level="prompt"))
    return bodies


async def bare(url: str, bodies: list[bytes], in_flight: int) -> None:
    left = iter(bodies)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def lane() -> None:
            for body in left:
                async with session.post(f"{url}/chat/completions", data=body) as response:
                    await response.read()

        await asyncio.gather(*(lane() for _ in range(in_flight)))


def measure(url: str, data: Dataset, bodies: list[bytes], in_flight: int, out: Path) -> tuple[float, float, float]:
    """Calls per second: bare, evaluated, evaluated and scored."""
    began = perf_counter()
    asyncio.run(bare(url, bodies, in_flight))
    ended = perf_counter()
    result = evaluate_model(data, "static", model="openai/any", base_url=url, out=out, concurrency=in_flight)
    evaluated = perf_counter()
    score_runs([out])
    scored = perf_counter()
    assert result.calls == len(bodies), (result.calls, len(bodies))
    calls = len(bodies)
    return calls / (ended - began), calls / (evaluated - ended), calls / (scored - ended)


def main() -> None:
    if sys.argv[1:2] == ["--serve"]:
        serve(float(sys.argv[2]))
        return
    dialogues = int(sys.argv[1]) if len(sys.argv) > 1 else 1_500
    with tempfile.TemporaryDirectory() as top:
        folder, names = Path(top), count()
        callwright.synthesize("diaforge", "builtin/enterprise", n=dialogues, seed=7, out=folder / "ds")
        data = open_dataset(folder / "ds")
        bodies = bodies_of(data)
        size = sum(map(len, bodies)) / len(bodies)
        print(f"{len(data.dialogues):,} dialogues, {len(bodies):,} calls of {size:,.0f} bytes")
        for in_flight, latency_s in CASES:
            with serving(latency_s) as url:
                times = [measure(url, data, bodies, in_flight, folder / str(next(names))) for _ in range(2)]
            alone, evaluated, scored = map(max, zip(*times, strict=True))
            print(
                f"{in_flight:4} in flight, {latency_s * 1000:3.0f} ms: bare {alone:7,.0f}/s, "
                f"eval {evaluated:7,.0f}/s ({evaluated / alone:4.0%}), scored {scored:7,.0f}/s ({scored / alone:4.0%})"
            )
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
