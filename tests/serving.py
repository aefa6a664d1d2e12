"""Servers beside a test: each in a thread of its own, with its counts at hand."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager

from callwright.web.call_tally import CallTally
from callwright.web.delivery import Timing, read_rates
from callwright.web.serve import Serving, started


@contextlib.contextmanager
def serving(
    model: str = "builtin/retriever",
    *,
    faults: str | None = None,
    rate: float | None = None,
    latency_s: float = 0.0,
    port: int = 0,
) -> Iterator[tuple[str, CallTally]]:
    """The base URL of `callwright serve`, and what it counts; stalls and slow bodies take .2 s."""
    timing = Timing(latency_s=latency_s, stall_s=0.2, slow_s=0.2, retry_after_s=1)
    given = Serving(model=model, seed=1, timing=timing, faults=read_rates(faults, rate))
    tally = CallTally()
    with in_thread(started(given, tally, port=port)) as url:
        yield url, tally


@contextlib.contextmanager
def in_thread(server: AbstractAsyncContextManager[str]) -> Iterator[str]:
    """Inside, the server runs on a loop of its own; gives its URL."""
    urls, is_up = list[str](), threading.Event()
    loop, stop = asyncio.new_event_loop(), asyncio.Event()

    async def serve() -> None:
        async with server as url:
            urls.append(url)
            is_up.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    assert is_up.wait(30)
    try:
        yield urls[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(30)
        loop.close()
