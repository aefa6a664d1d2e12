"""A worker process: builds the job once, runs the rollouts it receives, returns outcomes, and ends with its parent."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from time import monotonic

import msgspec

from callwright.engine.attempt import Unit, attempt_rollout
from callwright.engine.context import OfflineVoice, Rollout
from callwright.engine.job import Job, JobMaker
from callwright.engine.journal import Unjournalled
from callwright.store.outcome import Outcome

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


_encoder = msgspec.msgpack.Encoder()
_chunk_decoder = msgspec.msgpack.Decoder(tuple[Unit, ...])


def work(make: JobMaker, seed: int, connection: Connection) -> None:
    """Build the job from the payload, the first message, and roll out chunks until `connection` closes or sends STOP.

    The payload is not a process argument: the parent would wait forever if the process dies before reading it.
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
