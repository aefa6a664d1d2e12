"""Figures of studies with people: how many cases to look at, and how two figures go together."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from callwright.errors import BadInput


class SampleSize(msgspec.Struct, frozen=True):
    """How many cases a proportion needs (Cochran)."""

    infinite: float
    """Of a population without end, not rounded."""
    finite: float | None
    """With the correction for the population, not rounded; None without a population."""

    @property
    def cases(self) -> int:
        """The cases to look at: rounded up."""
        return math.ceil(self.infinite if self.finite is None else self.finite)


class Correlation(msgspec.Struct, frozen=True):
    """Pearson's r of points, with Student's t and the two-sided p."""

    r: float
    t: float | None
    """None where r is 1 or -1."""
    p: float
    n: int


def sample_size(
    population: int | None = None, *, z: float = 1.96, error: float = 0.05, share: float = 0.5
) -> SampleSize:
    """Return how many cases estimate a `share` within `error`, at the confidence whose quantile is `z`.

    Raises BadInput for a population below 1, and for a share or an error that is no proportion.

    >>> round(sample_size().infinite, 2), sample_size(1607).cases
    (384.16, 311)
    """
    if not (0 < share < 1 and 0 < error < 1 and z > 0 and math.isfinite(z)):
        raise BadInput(
            f"share {share:g}, error {error:g} and z {z:g}: give proportions between 0 and 1, and z above 0."
        )
    if population is not None and population < 1:
        raise BadInput(f"a population of {population}: give at least 1.")
    infinite = z * z * share * (1 - share) / (error * error)
    finite = None if population is None else infinite / (1 + (infinite - 1) / population)
    return SampleSize(infinite, finite)


def pearson(points: Sequence[tuple[float, float]]) -> Correlation:
    """Return the correlation of points. Raises BadInput for fewer than three, and where one side never changes."""
    from scipy.stats import t as student

    n = len(points)
    if n < 3:
        raise BadInput(f"{n} points: a correlation needs at least 3.")
    mean_x, mean_y = (math.fsum(side) / n for side in zip(*points, strict=True))
    across = math.fsum((x - mean_x) * (y - mean_y) for x, y in points)
    spread_x = math.fsum((x - mean_x) ** 2 for x, _ in points)
    spread_y = math.fsum((y - mean_y) ** 2 for _, y in points)
    if not (spread_x and spread_y):
        raise BadInput("one of the two figures is the same in all points, so nothing can go with it.")
    r = max(-1.0, min(1.0, across / math.sqrt(spread_x * spread_y)))
    if abs(r) == 1:
        return Correlation(r, None, 0.0, n)
    t = r * math.sqrt((n - 2) / (1 - r * r))
    return Correlation(r, t, float(2 * student.sf(abs(t), n - 2)), n)
