"""The progress line: on standard error, and only where that is a terminal."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from callwright.cli.safe_text import raw_stream

if TYPE_CHECKING:
    from callwright.engine.progress import Progress
    from callwright.train.tuning_progress import TuningProgress


@contextlib.contextmanager
def progress_line(what: str) -> Iterator[Callable[[Progress], None] | None]:
    """Yield what prints the engine's progress; None if standard error is no terminal. Clears the line at the end.

    Until the engine tells of any, the line says for how long all is being prepared.
    """
    if not sys.stderr.isatty():
        yield None
        return
    with _changing_line(f"preparing {what}") as write:
        yield lambda progress: write(describe(progress, what))


@contextlib.contextmanager
def tuning_line() -> Iterator[Callable[[TuningProgress], None]]:
    """Yield what prints the progress of a training: one line that changes, or a line for each measurement of the loss
    where standard error is no terminal."""
    if not sys.stderr.isatty():

        def note(progress: TuningProgress) -> None:
            if progress.measured:
                sys.stderr.write(f"{describe_tuning(progress)}\n")
                sys.stderr.flush()

        yield note
        return
    with _changing_line("preparing the training") as write:
        yield lambda progress: write(describe_tuning(progress))


@contextlib.contextmanager
def _changing_line(preparing: str) -> Iterator[Callable[[str], None]]:
    """Yield what writes the line of a terminal anew; cleared at the end."""
    line = raw_stream(sys.stderr)
    with waiting_line(preparing) as end_waiting:

        def write(text: str) -> None:
            end_waiting()
            line.write(f"\r\033[K{text}")
            line.flush()

        try:
            yield write
        finally:
            end_waiting()
            line.write("\r\033[K")
            line.flush()


@contextlib.contextmanager
def waiting_line(doing: str) -> Iterator[Callable[[], None]]:
    """Show on a terminal what is done and for how long, from the second second on; yield what ends that."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    line, ended, begun = raw_stream(sys.stderr), threading.Event(), time.monotonic()

    def tick() -> None:
        while not ended.wait(_TICK_S):
            line.write(f"\r\033[K{doing}, {_duration(time.monotonic() - begun)}")
            line.flush()

    def end() -> None:
        if not ended.is_set():
            ended.set()
            ticking.join()
            line.write("\r\033[K")
            line.flush()

    ticking = threading.Thread(target=tick, name="waiting-line", daemon=True)
    ticking.start()
    try:
        yield end
    finally:
        end()


_TICK_S = 1.0


def describe(progress: Progress, what: str) -> str:
    """Return the line: `120 of 200 dialogues, 3 failed, 480/s, 0.0210 USD, 1 s left`."""
    parts = [f"{progress.done:,} of {progress.total:,} {what}"]
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    if progress.rate:
        parts.append(f"{progress.rate:,.0f}/s" if progress.rate >= 10 else f"{progress.rate:.1f}/s")
    if progress.usd:
        parts.append(f"{progress.usd:,.4f} USD")
    if progress.left_s is not None and progress.done < progress.total:
        parts.append(f"{_duration(progress.left_s)} left")
    if progress.waits_s >= 1:
        parts.append(f"the server asks to wait {_duration(progress.waits_s)}")
    if progress.is_stopping:
        return f"stopping at {parts[0]}; Ctrl-C again drops the calls in flight"
    return ", ".join(parts)


def describe_tuning(progress: TuningProgress) -> str:
    """Return the line: `120 of 200 rows, loss 0.71, held-out loss 0.92, 3 min 10 s left`."""
    parts = [f"{progress.rows:,} of {progress.of:,} rows"]
    if progress.loss is not None:
        parts.append(f"loss {progress.loss:.3f}")
    if progress.held_out is not None:
        parts.append(f"held-out loss {progress.held_out:.3f}")
    if progress.left_s is not None and progress.rows < progress.of:
        parts.append(f"{_duration(progress.left_s)} left")
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
