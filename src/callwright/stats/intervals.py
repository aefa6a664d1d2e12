"""95 % percentile bootstrap intervals over dialogues, seeded.

Turns and calls of one dialogue are not independent, so dialogues are drawn, with replacement; the bounds are the 2.5th
and 97.5th percentiles of the resamples. If all dialogues agree (a proportion of 0 or 1), `low == value == high`: the
bootstrap cannot represent unseen cases, so consider `n`. A single dialogue has no interval.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEVEL: Final = 0.95
DEFAULT_RESAMPLES: Final = 1000
_STEPS: Final = 100
"""Influences are rounded to this fraction of their standard deviation, to get few distinct values."""


class Interval(msgspec.Struct, frozen=True):
    """A statistic with its 95 % interval; all None, with the reason in `why`, if there was nothing to measure."""

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str = ""


def mean_interval(values: Sequence[float], *, resamples: int = DEFAULT_RESAMPLES, seed: int = 0) -> Interval:
    """Return the mean of one number per dialogue.

    >>> mean_interval([1.0, 1.0, 1.0])
    Interval(value=1.0, low=1.0, high=1.0, why='')
    """
    return ratio_interval(values, [1.0] * len(values), resamples=resamples, seed=seed)


def ratio_interval(
    numerators: Sequence[float], denominators: Sequence[float], *, resamples: int = DEFAULT_RESAMPLES, seed: int = 0
) -> Interval:
    """Return sum over sum, one pair per dialogue, pairs drawn together; resamples with denominator 0 are left out."""
    pairs: Counter[tuple[float, ...]] = Counter(zip(numerators, denominators, strict=True))
    above, below = math.fsum(numerators), math.fsum(denominators)
    if below == 0:
        return Interval(None, why="nothing to divide by")
    value = above / below
    if len(numerators) == 1:
        return Interval(value)
    sums = _resampled_sums(pairs, resamples=resamples, seed=seed)
    sums = sums[sums[:, 1] > 0]
    return Interval(value, *_bounds(sums[:, 0] / sums[:, 1]))


def linear_interval(
    value: float, influences: NDArray[np.float64], *, resamples: int = DEFAULT_RESAMPLES, seed: int = 0
) -> Interval:
    """Return `value` with the bootstrap of its linear part, for statistics that plain resampling would bias.

    `influences[d]` is n·θ - (n-1)·θ without dialogue d (the jackknife pseudo-value). Bounds are kept in [0, 1].
    """
    import numpy as np

    if len(influences) < 2:
        return Interval(value)
    centred = influences - influences.mean()
    step = float(centred.std()) / _STEPS or 1.0
    rounded: Counter[tuple[float, ...]] = Counter((steps,) for steps in np.round(centred / step).tolist())
    means = _resampled_sums(rounded, resamples=resamples, seed=seed)[:, 0] * step / len(centred)
    low, high = _bounds(value + means)
    return Interval(value, max(0.0, low), min(1.0, high))


def _resampled_sums(rows: Counter[tuple[float, ...]], *, resamples: int, seed: int) -> NDArray[np.float64]:
    """Return sums over resampled rows, one per resample; `rows` gives the frequency of each row.

    Equal rows are drawn together by a multinomial, so that the cost depends on how many are distinct.
    """
    import numpy as np

    distinct = sorted(rows)
    shares = np.array([rows[row] for row in distinct]) / rows.total()
    draws = np.random.default_rng(seed).multinomial(rows.total(), shares, size=resamples)
    return np.asarray(draws @ np.array(distinct, dtype=float), dtype=np.float64)


def _bounds(resampled: NDArray[np.float64]) -> tuple[float, float]:
    import numpy as np

    tail = 50 * (1 - LEVEL)
    low, high = np.percentile(resampled, [tail, 100 - tail])
    return float(low), float(high)
