"""What an evaluation costs beside bare HTTP, and beside `inspect_ai` on the same job.

    python bench/served.py [--dialogues 5000] [--repeats 5] [--inspect FOLDER]

The server says the same to everyone, in a process of its own. Three clients ask it for the same conversations:

    bare      a loop of aiohttp that sends the bodies of each conversation, encoded before, and parses the replies
    eval      `evaluate_model`: requests made, replies read, journalled and committed before they are used
    scored    the same and `score_runs`: every metric with its interval

Bare and eval run by turns, which of them first alternates, and each ratio is that of one pair; the median over the
repeats is printed, by time passed and by processor time of the client, which other work on the machine disturbs less.
The job must be long beside its start: 64 connections and the doubling of the limit take some hundred calls.
`--inspect` installs `inspect_ai` in a virtual environment in FOLDER, if it is not there, and gives it the first of the
conversations in each repeat: it takes about a hundred times as long for each.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

import aiohttp
from aiohttp import web

import callwright
from callwright.app.datasets import Dataset, open_dataset
from callwright.app.evaluation import evaluate_model
from callwright.app.rescoring import score_runs
from callwright.models.conversation import encode_request
from callwright.papers.diaforge.static_protocol import DUTIES
from callwright.protocol.shown_dialogue import request, shown_tools, system_message

CASES = ((64, 0.0), (256, 0.0), (200, 0.2))
REPLY = (
    b'{"id":"c","object":"chat.completion","created":0,"model":"any","choices":[{"index":0,"message":{"role":'
    b'"assistant","content":"Which one do you mean, please?"},"finish_reason":"stop"}],'
    b'"usage":{"prompt_tokens":900,"completion_tokens":7,"total_tokens":907}}'
)
FOR_INSPECT = 400
"""Conversations that inspect_ai is given."""
INSPECT_JOB = Path(__file__).parent / "beside" / "inspect_job.py"


class Cost(NamedTuple):
    """What a client took, in seconds."""

    passed: float
    processor: float

    def plus(self, other: Cost) -> Cost:
        return Cost(self.passed + other.passed, self.processor + other.processor)

    def ratio(self, other: Cost) -> Cost:
        return Cost(self.passed / other.passed, self.processor / other.processor)


def cost_of(work: Callable[[], object]) -> Cost:
    passed, processor = perf_counter(), process_time()
    work()
    return Cost(perf_counter() - passed, process_time() - processor)


def serve(latency_s: float) -> None:
    async def chat(request: web.Request) -> web.Response:
        await request.read()
        if latency_s:
            await asyncio.sleep(latency_s)
        return web.Response(body=REPLY, content_type="application/json")

    async def run() -> None:
        application = web.Application(client_max_size=2**26)
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


def bodies_of(data: Dataset) -> list[list[bytes]]:
    """What a static evaluation asks in each dialogue, near enough: the recorded assistant in place of the server's."""
    asked = []
    for dialogue in data.dialogues:
        tools = shown_tools(dialogue, data.catalog.by_key)
        turns = [at for at, turn in enumerate(dialogue.turns) if dialogue.role(turn) == "user"]
        system = system_message(DUTIES, dialogue)
        requests = [request(system, dialogue, tools, dialogue.turns[: at + 1]) for at in turns]
        asked.append([encode_request("any", one, calling="native", level="prompt") for one in requests])
    return asked


async def bare(url: str, conversations: list[list[bytes]], in_flight: int) -> None:
    """A lane takes one conversation after another, as in any client that needs a reply for its next request."""
    left = iter(conversations)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def lane() -> None:
            for bodies in left:
                for body in bodies:
                    async with session.post(f"{url}/chat/completions", data=body) as response:
                        json.loads(await response.read())

        await asyncio.gather(*(lane() for _ in range(in_flight)))


def inspect_python(folder: Path) -> Path:
    """The interpreter of an environment that has inspect_ai."""
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-qq", "inspect_ai", "openai"], check=True)
    return python


def inspected(python: Path, url: str, conversations: Path, in_flight: int, calls: int) -> Cost:
    """What as many calls would cost by inspect_ai, as its first ones do; its own start is not counted."""
    command = [python, INSPECT_JOB, url, conversations, str(in_flight)]
    said = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout
    asked, passed, processor = map(float, said.splitlines()[-1].split())
    return Cost(passed * calls / asked, processor * calls / asked)


class Pair(NamedTuple):
    """One repeat."""

    bare: Cost
    eval: Cost
    scored: Cost
    inspect: Cost | None


def one_pair(
    url: str,
    data: Dataset,
    asked: list[list[bytes]],
    in_flight: int,
    out: Path,
    *,
    bare_first: bool,
    beside: Path | None,
) -> Pair:
    costs: dict[str, Cost] = {}
    calls = sum(map(len, asked))

    def ask_bare() -> None:
        costs["bare"] = cost_of(lambda: asyncio.run(bare(url, asked, in_flight)))

    def ask_eval() -> None:
        def work() -> None:
            result = evaluate_model(data, "static", model="openai/any", base_url=url, out=out, concurrency=in_flight)
            assert result.calls == calls, (result.calls, calls)

        costs["eval"] = cost_of(work)
        costs["score"] = cost_of(lambda: score_runs([out]))

    for ask in (ask_bare, ask_eval) if bare_first else (ask_eval, ask_bare):
        ask()
    inspect = None
    if beside is not None:
        inspect = inspected(inspect_python(beside), url, out.parent / "conversations.json", in_flight, calls)
    return Pair(costs["bare"], costs["eval"], costs["eval"].plus(costs["score"]), inspect)


def show(name: str, calls: int, pairs: list[Pair]) -> None:
    def middle(values: list[Cost]) -> Cost:
        return Cost(median(one.passed for one in values), median(one.processor for one in values))

    print(f"{name}, median of {len(pairs)} pairs")
    for client in ("bare", "eval", "scored", "inspect"):
        taken = [getattr(pair, client) for pair in pairs]
        if taken[0] is None:
            continue
        cost, ratio = middle(taken), middle([pair.bare.ratio(one) for pair, one in zip(pairs, taken, strict=True)])
        print(
            f"  {client:8} {calls / cost.passed:7,.0f} calls/s, {cost.processor / calls * 1e6:6,.0f} µs of processor "
            f"time a call; of bare: {ratio.passed:5.0%} by time, {ratio.processor:5.0%} by processor time"
        )


def write_conversations(asked: list[list[bytes]], path: Path) -> None:
    """For inspect_ai: the last request of each dialogue holds its system message, its tools and all user turns."""
    last = [json.loads(bodies[-1]) for bodies in asked[:FOR_INSPECT]]
    path.write_text(json.dumps(last))


def main() -> None:
    if sys.argv[1:2] == ["--serve"]:
        serve(float(sys.argv[2]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dialogues", type=int, default=5_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--inspect", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as top:
        folder, names = Path(top), count()
        callwright.synthesize("diaforge", "builtin/enterprise", n=options.dialogues, seed=7, out=folder / "ds")
        data = open_dataset(folder / "ds")
        asked = bodies_of(data)
        write_conversations(asked, folder / "conversations.json")
        calls = sum(map(len, asked))
        size = sum(len(body) for bodies in asked for body in bodies) / calls
        print(f"{len(data.dialogues):,} dialogues, {calls:,} calls of {size:,.0f} bytes")
        for in_flight, latency_s in CASES:
            with serving(latency_s) as url:
                asyncio.run(bare(url, asked[:200], in_flight))  # the server's first requests are slow
                pairs = [
                    one_pair(
                        url,
                        data,
                        asked,
                        in_flight,
                        folder / str(next(names)),
                        bare_first=repeat % 2 == 0,
                        beside=options.inspect,
                    )
                    for repeat in range(options.repeats)
                ]
            show(f"{in_flight} in flight, {latency_s * 1000:.0f} ms", calls, pairs)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
