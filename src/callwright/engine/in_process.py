"""Runs rollouts in this process, in parallel lanes; each lane takes the next owed rollout when its last one ended."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from threading import Thread
from time import monotonic
from typing import TypeVar

from callwright.engine.admission import Admission
from callwright.engine.budget import Account
from callwright.engine.collecting import collecting_rarely
from callwright.engine.context import Rollout, Voice
from callwright.engine.job import Job, Unit, attempt_rollout
from callwright.engine.journal import Committer, RunJournal
from callwright.engine.progress import TELL_EVERY_S, Meter
from callwright.engine.stop import StopSignal
from callwright.errors import Interrupted
from callwright.models.transport import close_connections
from callwright.store.run import Run

T = TypeVar("T")

_BREATHE_EVERY_S = 0.01
_POLL_S = 0.1


class Lanes:
    """All rollouts of one session in this process."""

    def __init__(
        self,
        job: Job,
        run: Run,
        *,
        seed: int,
        voice: Voice,
        meter: Meter,
        stop: StopSignal,
        account: Account,
        admission: Admission,
    ) -> None:
        self._job = job
        self._ids = job.ids
        self._seed = seed
        self._voice = voice
        self._meter = meter
        self._stop = stop
        self._cancelled = False
        self._tasks: list[asyncio.Task[None]] = []
        self._committer = Committer(run, account, on_failure=self._cancel)
        self.journal = RunJournal(run, self._committer, stop, account=account, admission=admission)
        self._breathed = monotonic()

    async def roll(self, owed: Sequence[Unit], *, concurrency: int) -> None:
        """Roll out `owed`, at most `concurrency` at a time, and commit the outcomes. Raises StorageFailed."""
        units = iter(owed)
        loop = asyncio.get_running_loop()
        telling = asyncio.create_task(self._tell_now_and_then())
        with self._stop.when_insisted(lambda: loop.call_soon_threadsafe(self._cancel)):
            self._tasks = [asyncio.create_task(self._lane(units)) for _ in range(min(concurrency, len(owed)))]
            try:
                ended = await asyncio.gather(*self._tasks, return_exceptions=True)
                if not self._cancelled:
                    self._tasks = [asyncio.create_task(self.journal.settle())]
                    await asyncio.gather(*self._tasks, return_exceptions=True)
            finally:
                telling.cancel()
                self._committer.flush()
        for error in ended:
            if isinstance(error, BaseException) and not isinstance(error, asyncio.CancelledError):
                raise error

    async def _lane(self, units: Iterator[Unit]) -> None:
        for unit in units:
            if self._stop.requested:
                return
            try:
                rollout = Rollout(
                    self._ids[unit.position],
                    trial=unit.trial,
                    seed=self._seed,
                    models=self._job.models(unit.position),
                    voice=self._voice,
                    journal=self.journal,
                )
                outcome = await attempt_rollout(self._job, unit, rollout)
            except Interrupted:
                return
            except BaseException:
                self._cancel()
                raise
            self._committer.add_outcome(outcome)
            self._meter.count(ok=outcome.ok)
            if monotonic() - self._breathed > _BREATHE_EVERY_S:  # offline rollouts never wait, so give timers a turn
                await asyncio.sleep(0)
                self._breathed = monotonic()

    async def _tell_now_and_then(self) -> None:
        """Report progress also while no rollout ends, since one with a slow model can take minutes."""
        while True:
            await asyncio.sleep(TELL_EVERY_S)
            self._meter.tell()

    def _cancel(self) -> None:
        self._cancelled = True
        for task in self._tasks:
            task.cancel()


def run_blocking(work: Coroutine[object, object, T]) -> T:
    """Run `work` to its end in a new event loop: in this thread, or in another if this one already runs a loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_closing(work))
    results: list[T] = []
    errors: list[BaseException] = []

    def target() -> None:
        try:
            results.append(asyncio.run(_closing(work)))
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            errors.append(error)

    thread = Thread(target=target, name="callwright-engine", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_POLL_S)  # in slices, because on Windows a signal does not end a wait
    if errors:
        raise errors[0]
    return results[0]


async def _closing(work: Coroutine[object, object, T]) -> T:
    try:
        with collecting_rarely():
            return await work
    finally:
        await close_connections()
