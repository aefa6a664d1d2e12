"""Deadlines of many exchanges with one timer; a timer for each would take a fifth of an exchange's time."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Final

_LONGEST_TICK_S: Final = 0.5
_SHARE: Final = 0.1


class TimedOut(Exception):
    """An exchange was silent for too long, or took too long in total; the message says which. Caught in this part."""


class Deadlines:
    """The open exchanges of one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._open: set[Deadline] = set()
        self._tick_s = _LONGEST_TICK_S
        self._timer: asyncio.TimerHandle | None = None

    def within(self, *, idle_s: float, total_s: float) -> Deadline:
        """Return a block in which an exchange happens (see `Deadline`)."""
        self._tick_s = min(self._tick_s, idle_s * _SHARE, total_s * _SHARE)
        return Deadline(self, idle_s, total_s)

    def now(self) -> float:
        """Return the loop's time, in seconds."""
        return self._loop.time()

    def open(self, one: Deadline) -> None:
        """Start watching a block."""
        self._open.add(one)
        if self._timer is None:
            self._timer = self._loop.call_later(self._tick_s, self._look)

    def shut(self, one: Deadline) -> None:
        """Stop watching a block."""
        self._open.discard(one)

    def _look(self) -> None:
        now = self.now()
        for one in self._open:
            one.look(now)
        self._timer = self._loop.call_later(self._tick_s, self._look) if self._open else None


class Deadline:
    """A block that raises TimedOut `idle_s` after the last byte, or `total_s` after its start.

    It is at most a tenth late, and never more than half a second.
    """

    __slots__ = ("_began", "_deadlines", "_heard", "_idle_s", "_task", "_total_s", "_why")

    def __init__(self, deadlines: Deadlines, idle_s: float, total_s: float) -> None:
        self._deadlines = deadlines
        self._idle_s = idle_s
        self._total_s = total_s
        self._why = ""

    def __enter__(self) -> Deadline:
        self._task = asyncio.current_task()
        self._began = self._heard = self._deadlines.now()
        self._deadlines.open(self)
        return self

    def heard(self) -> None:
        """Note that bytes have arrived."""
        self._heard = self._deadlines.now()

    def look(self, now: float) -> None:
        """End the block if it is late."""
        if self._why or self._task is None:
            return
        if now - self._heard > self._idle_s:
            self._why = f"silent for {self._idle_s:g} s"
        elif now - self._began > self._total_s:
            self._why = f"no whole reply within {self._total_s:g} s"
        else:
            return
        self._task.cancel()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._deadlines.shut(self)
        if self._why and self._task is not None and self._task.uncancel() == 0 and kind is asyncio.CancelledError:
            raise TimedOut(self._why) from error
