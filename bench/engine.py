"""What the engine costs: rollouts that do next to nothing, and calls of a model that answers at once.

    python bench/engine.py [ROLLOUTS]

Prints one line a case: rollouts (or calls) per second and microseconds each, journal and outcomes on disk included.
"""

from __future__ import annotations

import sys
import tempfile
from random import Random
from time import perf_counter

from callwright.engine.context import Context
from callwright.engine.job import Processes
from callwright.engine.roll_out import roll_out
from callwright.models.chat import ChatModel, ChatReply, ChatRequest, Message
from callwright.store.run import Run

CALLS = 4
RECORD = b"x" * 4096
REQUEST = ChatRequest(messages=tuple(Message(role="user", content="word " * 100) for _ in range(6)))


class InstantModel:
    name = "bench/instant"

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        return ChatReply(content="yes " * 50)


class BenchJob:
    def __init__(self, count: int, models: dict[str, ChatModel]) -> None:
        self.ids = [f"item-{at:08}" for at in range(count)]
        self._models = models

    def models(self, index: int) -> dict[str, ChatModel]:
        return self._models

    async def run(self, index: int, ctx: Context) -> bytes:
        if self._models:
            for turn in range(CALLS):
                await ctx.at(f"assistant/{turn}").ask("model", REQUEST)
        else:
            for turn in range(CALLS):
                ctx.at(f"user/{turn}").rng().random()
        return RECORD


def make_offline(payload: bytes) -> BenchJob:
    return BenchJob(int(payload), {})


def make_asking(payload: bytes) -> BenchJob:
    return BenchJob(int(payload), {"model": InstantModel()})


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    cases = [("offline, 1 process", make_offline, 1, 1), ("offline, 2 processes", make_offline, 2, 1)]
    cases.append((f"{CALLS} calls each, 64 in flight", make_asking, 1, CALLS))
    for name, make, workers, per_rollout in cases:
        for durable in (False, True):
            with tempfile.TemporaryDirectory() as folder, Run.open(folder, kind="b", config={}, durable=durable) as run:
                began = perf_counter()
                payload = str(count).encode()
                roll_out(make(payload), run, seed=1, processes=Processes(workers, make, payload))
                each = (perf_counter() - began) / count / per_rollout
            print(f"{name:28} {'durable' if durable else '':8} {1 / each:10,.0f}/s {each * 1e6:8.1f} µs")


if __name__ == "__main__":
    main()
