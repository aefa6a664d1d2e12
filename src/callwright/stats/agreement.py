"""Agreement of several judges: share of equal grades for each pair, and Krippendorff's alpha.

    alpha = 1 - D_o / D_e      observed disagreement over that expected by chance (Krippendorff 2011)

Units are the things judged; a unit counts if at least two judges graded it. The distance between two grades is

    nominal    1 if they differ
    interval   the square of their difference
    ordinal    the square of how many grades lie from one to the other, both ends counted half
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations
from typing import Literal, TypeVar

import msgspec

Scale = Literal["nominal", "ordinal", "interval"]
K = TypeVar("K", bound=Hashable)

Grades = Mapping[K, float]
"""The grades of one judge by unit, without ungraded units."""


class Share(msgspec.Struct, frozen=True):
    """A share of units (None without units), and the number of units."""

    value: float | None
    n: int


class Alpha(msgspec.Struct, frozen=True):
    """Krippendorff's alpha: 1 for full agreement, 0 for chance, below 0 worse; None and `why` if undefined."""

    value: float | None
    n: int
    """Units that at least two judges graded."""
    why: str = ""


def percent_agreement(a: Grades[K], b: Grades[K]) -> Share:
    """Return the share of units that both judges gave the same grade, over the units both graded.

    >>> percent_agreement({"x": 1.0, "y": 2.0}, {"x": 1.0, "y": 3.0, "z": 1.0})
    Share(value=0.5, n=2)
    """
    both = a.keys() & b.keys()
    same = sum(a[unit] == b[unit] for unit in both)
    return Share(same / len(both) if both else None, len(both))


def krippendorff_alpha(judges: Sequence[Grades[K]], scale: Scale) -> Alpha:
    """Return alpha over all units; judges may have left out different units."""
    units: dict[K, list[float]] = {}
    for grades in judges:
        for unit, grade in grades.items():
            units.setdefault(unit, []).append(grade)
    pairable = [grades for grades in units.values() if len(grades) > 1]
    if not pairable:
        return Alpha(None, 0, "no unit has two grades")
    together = _coincidences(pairable)
    totals: defaultdict[float, float] = defaultdict(float)
    for (grade, _), weight in together.items():
        totals[grade] += weight
    n = sum(totals.values())
    distance = _distance(scale, totals)
    observed = sum(weight * distance(*pair) for pair, weight in together.items())
    expected = sum(totals[a] * totals[b] * distance(a, b) for a in totals for b in totals) / (n - 1)
    if expected == 0:
        return Alpha(None, len(pairable), "all grades are the same, so nothing could have disagreed")
    return Alpha(1 - observed / expected, len(pairable))


def _coincidences(units: Sequence[Sequence[float]]) -> dict[tuple[float, float], float]:
    """Count how often two grades occur in the same unit; each pair in a unit of m grades weighs 1/(m - 1)."""
    together: defaultdict[tuple[float, float], float] = defaultdict(float)
    for grades in units:
        for a, b in combinations(grades, 2):
            for pair in ((a, b), (b, a)):
                together[pair] += 1 / (len(grades) - 1)
    return together


def _distance(scale: Scale, totals: Mapping[float, float]) -> Callable[[float, float], float]:
    if scale == "nominal":
        return lambda a, b: float(a != b)
    if scale == "interval":
        return lambda a, b: (a - b) ** 2

    def ordinal(a: float, b: float) -> float:
        low, high = min(a, b), max(a, b)
        between = sum(count for grade, count in totals.items() if low <= grade <= high)
        return (between - (totals[low] + totals[high]) / 2) ** 2

    return ordinal
