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


_SMALLEST_ERROR, _LARGEST_Z = 1e-9, 100
_LARGEST = 1e100
"""Largest figure of a point: its square still has a float."""


def sample_size(
    population: int | None = None, *, z: float = 1.96, error: float = 0.05, share: float = 0.5
) -> SampleSize:
    """Return how many cases estimate a `share` within `error`, at the confidence whose quantile is `z`.

    Raises BadInput for a population below 1, and for a share or an error that is no proportion.

    >>> round(sample_size().infinite, 2), sample_size(1607).cases
    (384.16, 311)
    """
    if not (0 < share < 1 and _SMALLEST_ERROR <= error < 1 and 0 < z <= _LARGEST_Z):
        raise BadInput(
            f"share {share:g}, error {error:g} and z {z:g}: give proportions between 0 and 1, the error not below "
            f"{_SMALLEST_ERROR:g}, and z above 0, at most {_LARGEST_Z}."
        )
    if population is not None and population < 1:
        raise BadInput(f"a population of {population}: give at least 1.")
    infinite = z * z * share * (1 - share) / (error * error)
    finite = None if population is None else infinite / (1 + (infinite - 1) / population)
    return SampleSize(infinite, finite)


def pearson(points: Sequence[tuple[float, float]]) -> Correlation:
    """Return the correlation of points. Raises BadInput for fewer than three, for figures beyond 1e100, and
    where one side never changes."""
    from scipy.stats import t as student

    n = len(points)
    if n < 3:
        raise BadInput(f"{n} points: a correlation needs at least 3.")
    if any(abs(figure) > _LARGEST for point in points for figure in point):
        raise BadInput(f"a figure beyond {_LARGEST:g}: divide all by a common factor, which changes no correlation.")
    one, other = (_deviations(side) for side in zip(*points, strict=True))
    across = math.fsum(x * y for x, y in zip(one, other, strict=True))
    spread = math.sqrt(math.fsum(x * x for x in one) * math.fsum(y * y for y in other))
    r = max(-1.0, min(1.0, across / spread))
    if r * r == 1:
        return Correlation(r, None, 0.0, n)
    t = r * math.sqrt((n - 2) / (1 - r * r))
    return Correlation(r, t, float(2 * student.sf(abs(t), n - 2)), n)


def _deviations(figures: Sequence[float]) -> list[float]:
    """Deviations from the mean, the largest of them 1: squares of tiny ones would be zero."""
    mean = math.fsum(figures) / len(figures)
    largest = max(abs(figure - mean) for figure in figures)
    if not largest:
        raise BadInput("one of the two figures is the same in all points, so nothing can go with it.")
    return [(figure - mean) / largest for figure in figures]
