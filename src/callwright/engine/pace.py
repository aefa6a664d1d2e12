"""How many calls one server bears at once, learned from what becomes of them.

Additive increase, multiplicative decrease. Pure: time is an argument, in seconds on any clock that does not go back.
What a refusal says counts once for all calls that were under way when the limit was last cut: they tell of the same
moment.
"""

from __future__ import annotations

from typing import Final

import msgspec

START: Final = 256
"""Calls at once to begin with; doubled each round trip until the first refusal."""
LONGEST_CLOSED_S: Final = 60.0
"""Longest wait for a server that asks for patience; whoever asks for more is asked again after that."""
MOST_CHANGES: Final = 2_000
"""Entries of the history; beyond it every second one is dropped, from the first on."""

_SAME_STORM_S = 2.0
_NOTE_EVERY_S = 0.5
_STEPS_TO_CEILING = 16
_LEFT_OVER: Final = {"rate_limited": 0.5, "unreachable": 0.5, "server_error": 0.75, "timeout": 0.75}
"""What a failure leaves of the limit; others say nothing about load."""


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
        """Nothing may be sent before: the server asked to wait."""
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
        """Most calls at once: never below 1 nor above the ceiling."""
        return int(self._limit)

    def succeeded(self, *, wanted: int, now: float) -> None:
        """A call got its reply. `wanted` counts it, others in flight and those that wait: no need, no growth."""
        if self._limit >= self._ceiling or wanted < self.limit:
            return
        before = self.limit
        step = 1.0 if self._limit < self._steep_below else max(1.0, self._ceiling / _STEPS_TO_CEILING) / self._limit
        self._limit = min(float(self._ceiling), self._limit + step)
        if self.limit > before and (now - self._noted_at >= _NOTE_EVERY_S or self.limit == self._ceiling):
            self._note("grows", now)

    def failed(self, kind: str, *, sent: float, now: float, retry_after_s: float | None = None) -> None:
        """A call that was sent at `sent` got no reply, for this kind of reason."""
        if kind not in _LEFT_OVER:
            return
        if retry_after_s is not None:
            self.closed_until = max(self.closed_until, now + min(retry_after_s, LONGEST_CLOSED_S))
        is_new_storm = now - self._refused_at > _SAME_STORM_S
        self._refused_at = now
        if sent < self._cut_at:
            return
        if is_new_storm:  # within a storm the limit says nothing of what the server bears after it
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
