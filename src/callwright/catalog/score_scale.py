"""Cosines of an encoder on a scale that is the same for every encoder: two fixed points, and straight lines between."""

from __future__ import annotations

from itertools import pairwise
from math import floor
from typing import Final, NamedTuple

SUGGESTED: Final = 0.5
CONFIRMED: Final = 0.6


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
