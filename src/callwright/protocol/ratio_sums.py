"""Metrics that are one sum over another, by slice, added up dialogue by dialogue."""

from __future__ import annotations

from collections import Counter

from callwright.stats.intervals import Interval, ratio_interval

Slice = tuple[tuple[str, str], ...]
"""The properties and values a row is limited to; empty for the whole."""


class Sums:
    """Numerators and denominators by slice and metric, one pair for each dialogue, and what could not be measured."""

    def __init__(self) -> None:
        self.n_failed = Counter[str]()
        """By dialogue, its rollouts that gave no transcript."""
        self.n_excluded = Counter[str]()
        self.skipped = Counter[tuple[str, str]]()
        """By dialogue and reason."""
        self.absent = Counter[tuple[Slice, str]]()
        """By slice and metric, what never came to where the metric would measure it."""
        self._pairs: dict[tuple[Slice, str], dict[str, list[float]]] = {}

    def add(self, slice_: Slice, metric: str, dialogue: str, top: float, bottom: float) -> None:
        """Add to a metric's two sums; nothing where `bottom` is 0."""
        if bottom:
            pair = self._pairs.setdefault((slice_, metric), {}).setdefault(dialogue, [0.0, 0.0])
            pair[0] += top
            pair[1] += bottom

    def slices(self, name: str) -> list[Slice]:
        """Return the slices by one property, in the order of its values."""
        return sorted({slice_ for slice_, _ in (*self._pairs, *self.absent) if slice_ and slice_[0][0] == name})

    def measured(self, slice_: Slice, metric: str) -> int:
        """Return how many dialogues stand behind a metric."""
        return len(self._pairs.get((slice_, metric), ()))

    def interval(self, slice_: Slice, metric: str, *, resamples: int, seed: int) -> Interval:
        """Return the metric with its interval; no value where there is nothing to divide by."""
        pairs = list(self._pairs.get((slice_, metric), {}).values())
        if not pairs:
            return Interval(None, why="nothing to divide by")
        tops, bottoms = zip(*pairs, strict=True)
        return ratio_interval(tops, bottoms, resamples=resamples, seed=seed)
