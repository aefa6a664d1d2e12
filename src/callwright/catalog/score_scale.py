"""Cosines of an encoder on a scale that is the same for every encoder: two fixed points, and straight lines between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import floor, sqrt
from typing import Final, NamedTuple

SUGGESTED: Final = 0.5
CONFIRMED: Final = 0.6
_STEPS: Final = 40
"""Cosines that are compared as thresholds."""


class FittedThresholds(NamedTuple):
    """Cosines from which a tool is suggested, and from which it is confirmed."""

    suggested: float
    confirmed: float

    def score(self, cosine: float) -> float:
        """Return a cosine on the scale, in [0, 1], rounded down so that it stays in its band."""
        points = ((0.0, 0.0), (self.suggested, SUGGESTED), (self.confirmed, CONFIRMED), (max(1.0, cosine), 1.0))
        value = max(0.0, cosine)
        for (left, low), (right, high) in pairwise(points):
            if value < right:
                return floor((low + (high - low) * (value - left) / (right - left)) * 1e6 + 1e-6) / 1e6
        return 1.0


def fitted(
    clear: Sequence[Sequence[tuple[float, ...]]],
    suggest: Sequence[Sequence[tuple[float, ...]]],
    clarify: Sequence[tuple[float, ...]],
) -> FittedThresholds:
    """Return the thresholds with which most things have a query in each band.

    Given are the best cosines of each thing's queries that are to confirm, to suggest and to do neither; the first two
    by groups of things.
    """
    steps = _steps(group for part in (*clear, *suggest, clarify) for group in part)
    choices = (FittedThresholds(low, high) for low in steps for high in steps if low < high)
    return max(choices, key=lambda one: (_fit(one, clear, suggest, clarify), -one.confirmed, -one.suggested))


def _steps(cosines: Iterable[tuple[float, ...]]) -> list[float]:
    """Cosines between those that occur, evenly by rank; two for a catalogue with hardly any."""
    found = sorted({round(one, 4) for group in cosines for one in group if 0 < one < 1})
    steps = [round(found[place * len(found) // _STEPS], 4) for place in range(_STEPS)] if found else []
    return sorted({0.3, 0.5, *steps})


def _fit(
    one: FittedThresholds,
    clear: Sequence[Sequence[tuple[float, ...]]],
    suggest: Sequence[Sequence[tuple[float, ...]]],
    clarify: Sequence[tuple[float, ...]],
) -> float:
    """The sum of the roots of the shares, so that no share is given up for another."""
    shares = [_share(any(cosine >= one.confirmed for cosine in group) for group in part) for part in clear]
    shares += [
        _share(any(one.suggested <= cosine < one.confirmed for cosine in group) for group in part) for part in suggest
    ]
    shares.append(_share(any(cosine < one.suggested for cosine in group) for group in clarify))
    return sum(map(sqrt, shares))


def _share(found: Iterable[bool]) -> float:
    listed = list(found)
    return sum(listed) / len(listed) if listed else 0.0
