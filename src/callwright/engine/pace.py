"""The number of calls that one server can handle at once: additive increase, multiplicative decrease.

Pure: time is an argument, in seconds of a monotonic clock. Refusals of calls that were in flight when the limit was
last cut do not cut it again.
"""

from __future__ import annotations

from typing import Final

import msgspec

START: Final = 256
"""Calls at once at the start; doubled each round trip until the first refusal."""
LONGEST_CLOSED_S: Final = 60.0
"""Longest wait that a server can request; a longer request is cut to this."""
MOST_CHANGES: Final = 2_000
"""Most entries of the history; beyond it every second one is dropped, but never the first."""

_SAME_STORM_S = 2.0
_NOTE_EVERY_S = 0.5
_STEPS_TO_CEILING = 16
_LEFT_OVER: Final = {"rate_limited": 0.5, "unreachable": 0.5, "server_error": 0.75, "timeout": 0.75}
"""Factor that a failure applies to the limit; other kinds of failure do not depend on load."""


class Change(msgspec.Struct, frozen=True, array_like=True):
    """One entry of the history."""

    seconds: float
    limit: int
    reason: str
    """`start`, `grows`, or the kind of failure."""


class Pace:
    """The limit for one server, with its history."""

    def __init__(self, *, ceiling: int, now: float) -> None:
        if ceiling < 1:
            raise ValueError(f"ceiling is {ceiling}; at least 1 call must be possible")
        self.closed_until = now
        """Nothing is sent before this time, because the server asked to wait."""
        self.history: list[Change] = []
        self._ceiling = ceiling
        self._began = now
        self._limit = float(min(ceiling, START))
        self._steep_below = float(ceiling)
        self._cut_at = self._refused_at = float("-inf")
        self._noted_at = float("-inf")
        self._note("start", now)

    @property
    def limit(self) -> int:
        """Most calls at once, from 1 to the ceiling."""
        return int(self._limit)

    def succeeded(self, *, wanted: int, now: float) -> None:
        """Record a reply. `wanted` counts this call, those in flight and waiting; the limit grows only if reached."""
        if self._limit >= self._ceiling or wanted < self.limit:
            return
        before = self.limit
        step = 1.0 if self._limit < self._steep_below else max(1.0, self._ceiling / _STEPS_TO_CEILING) / self._limit
        self._limit = min(float(self._ceiling), self._limit + step)
        if self.limit > before and (now - self._noted_at >= _NOTE_EVERY_S or self.limit == self._ceiling):
            self._note("grows", now)

    def failed(self, kind: str, *, sent: float, now: float, retry_after_s: float | None = None) -> None:
        """Record that the call sent at `sent` failed with this kind of error."""
        if kind not in _LEFT_OVER:
            return
        if retry_after_s is not None:
            self.closed_until = max(self.closed_until, now + min(retry_after_s, LONGEST_CLOSED_S))
        is_new_storm = now - self._refused_at > _SAME_STORM_S
        self._refused_at = now
        if sent < self._cut_at:
            return
        if is_new_storm:  # during an overload the limit does not tell what the server can handle afterwards
            self._steep_below = self._limit * _LEFT_OVER[kind]
        self._limit = max(1.0, self._limit * _LEFT_OVER[kind])
        self._cut_at = now
        self._note(kind, now)

    def _note(self, reason: str, now: float) -> None:
        if self.history and (self.history[-1].limit, self.history[-1].reason) == (self.limit, reason):
            return
        self._noted_at = now
        self.history.append(Change(round(now - self._began, 3), self.limit, reason))
        if len(self.history) > MOST_CHANGES:
            self.history = self.history[:1] + self.history[1::2]
