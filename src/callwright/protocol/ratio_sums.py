"""Metrics that are one sum divided by another, kept for each dialogue, as the bootstrap draws whole dialogues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from callwright.protocol.scoring import RowCounts, Slice, known_dialogue
from callwright.records.dialogue import Dialogue
from callwright.stats.intervals import Interval, ratio_interval


class RatioSums:
    """The sums of the metrics of one run, and counts of what could not be measured."""

    def __init__(self) -> None:
        self.n_failed = Counter[str]()
        """By dialogue, how many of its rollouts gave no transcript."""
        self.n_excluded = Counter[str]()
        self.skipped = Counter[tuple[str, str]]()
        """By dialogue and reason."""
        self.absent = Counter[tuple[Slice, str]]()
        """By slice and metric, how many tasks ended before the metric could measure them."""
        self._pairs: dict[tuple[Slice, str], dict[str, list[float]]] = {}

    def add_failed(self, ids: Iterable[str], dialogues: Mapping[str, Dialogue]) -> None:
        """Count rollouts that gave no transcript, by the ids of their dialogues. Raises BadInput for an unknown one."""
        for id_ in ids:
            self.n_failed[known_dialogue(id_, dialogues).id] += 1

    def add(self, slice_: Slice, metric: str, dialogue: str, top: float, bottom: float) -> None:
        """Add `top` to a metric's numerator and `bottom` to its denominator; nothing where `bottom` is 0."""
        if bottom:
            pair = self._pairs.setdefault((slice_, metric), {}).setdefault(dialogue, [0.0, 0.0])
            pair[0] += top
            pair[1] += bottom

    def slices(self, name: str) -> list[Slice]:
        """Return the slices by one property, sorted by its values."""
        return sorted({slice_ for slice_, _ in (*self._pairs, *self.absent) if slice_ and slice_[0][0] == name})

    def measured(self, slice_: Slice, metric: str) -> int:
        """Return how many dialogues a metric measured."""
        return len(self._pairs.get((slice_, metric), ()))

    def counts(self, slice_: Slice, metric: str) -> RowCounts:
        """Return how many dialogues a metric measured, and how many the run could not measure."""
        return RowCounts(self.measured(slice_, metric), self.n_failed.total(), self.skipped.total())

    @property
    def why_skipped(self) -> tuple[str, ...]:
        """How many dialogues were skipped, by reason."""
        reasons = Counter(reason for _, reason in self.skipped.elements())
        return tuple(f"{count:,} skipped: {reason}" for reason, count in sorted(reasons.items()))

    def interval(self, slice_: Slice, metric: str, *, resamples: int, seed: int) -> Interval:
        """Return the metric with its interval; no value where the denominator is 0."""
        pairs = list(self._pairs.get((slice_, metric), {}).values())
        if not pairs:
            return Interval(None, why="nothing to divide by")
        tops, bottoms = zip(*pairs, strict=True)
        return ratio_interval(tops, bottoms, resamples=resamples, seed=seed)
