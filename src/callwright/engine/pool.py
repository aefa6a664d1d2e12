"""Runs rollouts in worker processes. Workers compute; only the parent process writes the run.

A chunk is about a tenth of a second of work. When a worker dies, its unreported rollouts are run once more, one per
chunk, so that a rollout that kills its worker stops no other; a second death counts as its failure.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from time import monotonic

import msgspec

from callwright.engine.context import OfflineVoice, Rollout
from callwright.engine.job import Job, JobMaker, Processes, Unit, attempt_rollout
from callwright.engine.journal import OUTCOME_WINDOW_S, OUTCOMES_PER_COMMIT, Unjournalled
from callwright.engine.progress import Meter
from callwright.engine.stop import StopSignal
from callwright.errors import CallwrightError
from callwright.store.outcome import Outcome
from callwright.store.run import Run

STOP = b""
"""Sent instead of a chunk: finish the current rollout, report, and end."""

LEFT_TO_PARENT = (signal.SIGINT, signal.SIGTERM)
"""Signals that reach a whole process group; only the parent handles them."""

_REPORT_EVERY_S = 0.05


class Report(msgspec.Struct, frozen=True):
    """A worker's report: the outcomes so far, and whether it waits for the next chunk."""

    outcomes: tuple[Outcome, ...] = ()
    waiting: bool = False
    problem: str = ""
    """Why the worker cannot go on; empty when it can."""


_chunk_decoder = msgspec.msgpack.Decoder(tuple[Unit, ...])


def work(make: JobMaker, seed: int, connection: Connection) -> None:
    """Build the job from the first message, and roll out chunks until `connection` closes or sends STOP.

    The payload is no process argument: the parent would wait forever if the process dies before reading it.
    """
    _leave_signals_to_parent()
    threading.Thread(target=_die_with_parent, daemon=True).start()
    try:
        job = make(connection.recv_bytes())
        ids = job.ids
    except Exception as error:  # noqa: BLE001 - any error must reach the parent
        _send(connection, Report(problem=f"{type(error).__name__}: {error}"))
        return
    with contextlib.suppress(EOFError, OSError), asyncio.Runner() as runner:  # closed pipe: no more work
        _send(connection, Report(waiting=True))
        while chunk := connection.recv_bytes():
            runner.run(_roll_chunk(job, ids, _chunk_decoder.decode(chunk), seed, connection))


async def _roll_chunk(job: Job, ids: Sequence[str], units: Sequence[Unit], seed: int, connection: Connection) -> None:
    voice, journal = OfflineVoice(), Unjournalled()
    outcomes: list[Outcome] = []
    reported = monotonic()
    for unit in units:
        rollout = Rollout(ids[unit.position], trial=unit.trial, seed=seed, models={}, voice=voice, journal=journal)
        outcomes.append(await attempt_rollout(job, unit, rollout))
        if monotonic() - reported > _REPORT_EVERY_S:
            _send(connection, Report(tuple(outcomes)))
            outcomes.clear()
            reported = monotonic()
            if connection.poll():  # during a chunk the parent sends only STOP
                break
    _send(connection, Report(tuple(outcomes), waiting=True))


def _send(connection: Connection, report: Report) -> None:
    connection.send_bytes(_encoder.encode(report))


def _leave_signals_to_parent() -> None:
    for number in LEFT_TO_PARENT:
        signal.signal(number, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, LEFT_TO_PARENT)


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


_CHUNK_S = 0.1
_FIRST_CHUNK = 4
_LARGEST_CHUNK = 256
_TRIES = 2
_FAILED_STARTS_ALLOWED = 3
_END_S = 5.0

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Report)


class _Worker:
    def __init__(self, processes: Processes, seed: int) -> None:
        self.connection, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")  # safe with threads and on every system
        self.process = context.Process(target=work, args=(processes.make, seed, theirs), daemon=True)
        with _signals_held():
            self.process.start()
        theirs.close()  # or its death would not close the pipe
        with contextlib.suppress(OSError):  # it died: reading will tell
            self.connection.send_bytes(processes.payload)
        self.ready = False
        self.owed: dict[tuple[str, int], Unit] = {}
        self._size = _FIRST_CHUNK
        self._sent = 0
        self._began = 0.0

    def wanted(self) -> int:
        """Number of rollouts for the next chunk, estimated from the duration of the last one."""
        self.ready = True
        if self._sent:
            fitting = int(self._sent * _CHUNK_S / max(monotonic() - self._began, 1e-6))
            self._size = max(1, min(fitting, 4 * self._size, _LARGEST_CHUNK))
        return self._size

    def send(self, chunk: dict[tuple[str, int], Unit]) -> None:
        self.owed = chunk
        self._sent = len(chunk)
        self._began = monotonic()
        with contextlib.suppress(OSError):  # it died: reading will tell
            self.connection.send_bytes(_encoder.encode(tuple(chunk.values())))

    def say_stop(self) -> None:
        with contextlib.suppress(OSError):
            self.connection.send_bytes(STOP)


class Pool:
    """The worker processes of one job; they run until all owed rollouts have ended."""

    def __init__(
        self, processes: Processes, ids: Sequence[str], run: Run, *, seed: int, meter: Meter, stop: StopSignal
    ) -> None:
        self._processes = processes
        self._seed = seed
        self._ids = ids
        self._run = run
        self._meter = meter
        self._stop = stop
        self._fresh: deque[Unit] = deque()
        self._again: deque[Unit] = deque()
        self._deaths: Counter[Unit] = Counter()
        self._failed_starts = 0
        self._workers: list[_Worker] = []
        self._leaving: list[_Worker] = []
        self._told_to_stop = False
        self._outcomes: list[Outcome] = []
        self._committed = monotonic()

    def roll(self, owed: Sequence[Unit]) -> None:
        """Roll out `owed` and commit the outcomes. Raises StorageFailed, and CallwrightError if no worker can start."""
        self._fresh.extend(owed)
        try:
            for _ in range(min(self._processes.workers, len(owed))):
                self._workers.append(_Worker(self._processes, self._seed))
            while self._workers and not self._stop.insisted:
                self._turn()
        finally:
            self._end_workers()
            self._commit()

    def _turn(self) -> None:
        ready = wait([worker.connection for worker in self._workers], timeout=OUTCOME_WINDOW_S)
        for worker in [worker for worker in self._workers if worker.connection in ready]:
            self._hear(worker)
        if len(self._outcomes) >= OUTCOMES_PER_COMMIT or monotonic() - self._committed >= OUTCOME_WINDOW_S:
            self._commit()
        if self._stop.requested and not self._told_to_stop:
            self._told_to_stop = True
            for worker in self._workers:
                worker.say_stop()

    def _hear(self, worker: _Worker) -> None:
        try:
            report = _decoder.decode(worker.connection.recv_bytes())
        except (EOFError, OSError):
            self._bury(worker)
            return
        if report.problem:
            raise CallwrightError(f"a worker process could not build its job: {report.problem}")
        for outcome in report.outcomes:
            worker.owed.pop((outcome.item, outcome.trial), None)
            self._end(outcome)
        if report.waiting:
            self._feed(worker)

    def _feed(self, worker: _Worker) -> None:
        size = worker.wanted()
        if self._stop.requested or not (self._fresh or self._again):
            self._workers.remove(worker)
            self._leaving.append(worker)
            worker.say_stop()
            return
        source, size = (self._fresh, size) if self._fresh else (self._again, 1)
        units = [source.popleft() for _ in range(min(size, len(source)))]
        worker.send({(self._ids[unit.position], unit.trial): unit for unit in units})

    def _bury(self, worker: _Worker) -> None:
        """Take back the rollouts of a dead worker, and start another in its place."""
        self._workers.remove(worker)
        self._leaving.append(worker)
        if not worker.ready:
            self._failed_starts += 1
            if self._failed_starts >= _FAILED_STARTS_ALLOWED:
                raise CallwrightError(
                    "worker processes stop at their start. In your own script, call it under "
                    "`if __name__ == '__main__':`; or use workers=1."
                )
        for (item, trial), unit in worker.owed.items():
            self._deaths[unit] += 1
            if self._deaths[unit] < _TRIES:
                self._again.append(unit)
            else:
                message = f"the worker process died {_TRIES} times in this rollout (out of memory, or killed)"
                self._end(Outcome(item=item, trial=trial, kind="worker_died", role="engine", message=message))
        if (self._fresh or self._again) and not self._stop.requested:
            self._workers.append(_Worker(self._processes, self._seed))

    def _end(self, outcome: Outcome) -> None:
        self._outcomes.append(outcome)
        self._meter.count(ok=outcome.ok)

    def _commit(self) -> None:
        outcomes, self._outcomes = self._outcomes, []
        self._committed = monotonic()
        if outcomes:
            self._run.put(outcomes=outcomes)

    def _end_workers(self) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in (*self._workers, *self._leaving):
            worker.process.join(_END_S)
            worker.process.kill()
            worker.process.join()
            worker.connection.close()
            worker.process.close()


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back Ctrl-C while a process starts, until the process has set its handler to ignore it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, LEFT_TO_PARENT)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
