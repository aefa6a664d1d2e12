"""The progress line: on standard error, and only where that is a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from callwright.cli.safe_text import raw_stream

if TYPE_CHECKING:
    from callwright.engine.progress import Progress


@contextlib.contextmanager
def progress_line(what: str) -> Iterator[Callable[[Progress], None] | None]:
    """Yield what prints the engine's progress; None if standard error is no terminal. Clears the line at the end."""
    if not sys.stderr.isatty():
        yield None
        return
    line = raw_stream(sys.stderr)

    def tell(progress: Progress) -> None:
        line.write(f"\r\033[K{describe(progress, what)}")
        line.flush()

    try:
        yield tell
    finally:
        line.write("\r\033[K")
        line.flush()


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


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
