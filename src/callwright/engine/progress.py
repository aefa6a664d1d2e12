"""Progress of a run as plain data, reported a few times a second; the command line prints it."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import msgspec

TELL_EVERY_S = 0.2


class Progress(msgspec.Struct, frozen=True):
    """The progress of a run."""

    total: int
    ok: int
    """Rollouts that ended with a value, earlier sessions included."""
    failed: int
    """Rollouts that failed in this session."""
    rate: float
    left_s: float | None
    """Seconds left at this rate; None while the rate is unknown."""
    usd: float | None = 0.0
    """Cost of the run so far, earlier sessions included; None if the price of a model is unknown."""

    waits_s: float = 0.0
    """Seconds until calls to a refusing server resume."""
    is_stopping: bool = False
    """Whether the run is stopping: it starts no calls and waits for those in flight."""

    @property
    def done(self) -> int:
        """Rollouts that ended."""
        return self.ok + self.failed


ProgressCallback = Callable[[Progress], None]


class Meter:
    """Counts rollouts as they end and reports to a callback."""

    def __init__(
        self,
        total: int,
        *,
        ok: int,
        tell: ProgressCallback | None,
        usd: Callable[[], float | None] = lambda: 0.0,
        is_stopping: Callable[[], bool] = lambda: False,
        waits_s: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """`ok` of `total` rollouts succeeded in earlier sessions; `usd` returns the cost so far."""
        self._total = total
        self._ok_before = ok
        self.ok = 0
        self.failed = 0
        self._tell = tell
        self._usd = usd
        self._is_stopping = is_stopping
        self._waits_s = waits_s
        self._began = self._told = monotonic()

    def count(self, *, ok: bool) -> None:
        if ok:
            self.ok += 1
        else:
            self.failed += 1
        if self._tell and monotonic() - self._told >= TELL_EVERY_S:
            self.tell()

    def tell(self) -> None:
        if self._tell is None:
            return
        self._told = monotonic()
        ended = self.ok + self.failed
        rate = ended / max(self._told - self._began, 1e-9)
        left = (self._total - self._ok_before - ended) / rate if rate else None
        ok = self._ok_before + self.ok
        self._tell(
            Progress(self._total, ok, self.failed, rate, left, self._usd(), self._waits_s(), self._is_stopping())
        )
