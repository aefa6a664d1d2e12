"""95 % percentile bootstrap intervals over dialogues, seeded.

The unit is the dialogue: turns and calls of one dialogue are not independent, so they are drawn together. Each resample
draws as many dialogues as there are, with replacement, and computes the statistic anew. The bounds are the 2.5th and
97.5th percentiles of the resamples.

Where all dialogues agree (a proportion of 0 or 1) every resample does too, and `low == value == high`: the bootstrap
cannot know what it has not seen. Read such a row with `n` beside it. One dialogue alone has no interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEVEL: Final = 0.95
DEFAULT_RESAMPLES: Final = 1000
_CHUNK: Final = 4_000_000
"""Most indices drawn at once, so that memory stays under about 100 MB."""


class Interval(msgspec.Struct, frozen=True):
    """A statistic with its 95 % interval; all None, and `why`, where there was nothing to measure."""

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
    numerators: Sequence[float],
    denominators: Sequence[float],
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = 0,
) -> Interval:
    """Return sum of numerators over sum of denominators, one pair per dialogue, pairs drawn together.

    Equal pairs are counted once and drawn by a multinomial, which is the same distribution and makes the cost depend
    on the number of distinct pairs. Resamples whose denominator is 0 are left out.
    """
    import numpy as np

    pairs = np.column_stack([np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)])
    total = pairs.sum(axis=0)
    if len(pairs) == 0 or total[1] == 0:
        return Interval(None, why="nothing to divide by")
    value = float(total[0] / total[1])
    if len(pairs) == 1:
        return Interval(value)
    distinct, counts = np.unique(pairs, axis=0, return_counts=True)
    draws = np.random.default_rng(seed).multinomial(len(pairs), counts / len(pairs), size=resamples)
    sums = draws @ distinct
    sums = sums[sums[:, 1] > 0]
    return Interval(value, *_bounds(sums[:, 0] / sums[:, 1]))


def linear_interval(
    value: float, influences: NDArray[np.float64], *, resamples: int = DEFAULT_RESAMPLES, seed: int = 0
) -> Interval:
    """Return `value` with the bootstrap of its linear part, for statistics that plain resampling would bias.

    `influences[d]` is n·θ - (n-1)·θ without dialogue d (the jackknife pseudo-value). The share of distinct words, for
    one, falls when dialogues are drawn twice, so its plain bootstrap lies wholly below the value it should bracket.
    Bounds are kept in [0, 1].
    """
    import numpy as np

    if len(influences) < 2:
        return Interval(value)
    centred = influences - influences.mean()
    rng = np.random.default_rng(seed)
    rows = max(1, _CHUNK // len(centred))
    means: list[NDArray[np.float64]] = []
    for start in range(0, resamples, rows):
        index = rng.integers(0, len(centred), size=(min(rows, resamples - start), len(centred)), dtype=np.int32)
        means.append(centred[index].mean(axis=1))
    low, high = _bounds(value + np.concatenate(means))
    return Interval(value, max(0.0, low), min(1.0, high))


def _bounds(resampled: NDArray[np.float64]) -> tuple[float, float]:
    import numpy as np

    tail = 50 * (1 - LEVEL)
    low, high = np.percentile(resampled, [tail, 100 - tail])
    return float(low), float(high)
