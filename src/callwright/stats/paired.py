"""Tests of a paired difference: is it more than chance could give, if no dialogue favoured either side?

The bootstrap interval of a mean leans on many dialogues; with few that differ it is too narrow. These tests need no
such help: they flip the sign of each difference. Dialogues that do not differ say nothing and are left out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

MOST_EXACT: Final = 20
"""Most differences of several sizes whose signs are flipped in all ways: a million."""

DRAWS: Final = 10_000
LEVEL: Final = 0.05
"""Above it, what was found is told from chance no more."""
_DIGITS: Final = 9
"""Differences are rounded to so many: thirds are equal however they were summed."""

_NEAR: Final = 1e-6
"""Sums that differ less are equal: they are of rounded numbers."""


class PairedTest(msgspec.Struct, frozen=True):
    """How often chance gives a difference as large, on either side."""

    p: float
    name: str


def paired_test(differences: Sequence[float], *, seed: int = 0) -> PairedTest:
    """Return the two-sided test of a mean difference of 0, one difference for each dialogue.

    Where all that are not 0 have one size, as those of measures that are 0 or 1, it is the exact sign test (McNemar's).
    Else signs are flipped: in all ways (Fisher 1935) for up to 20 differences, in seeded draws for more.

    >>> paired_test([1.0, 1.0, 1.0, 1.0, 0.0])
    PairedTest(p=0.125, name='sign test, exact')
    """
    found = [value for one in differences if (value := round(one, _DIGITS))]
    sizes = Counter(map(abs, found))
    if len(sizes) < 2:
        return PairedTest(_sign_test(len(found), sum(one > 0 for one in found)), "sign test, exact")
    total = abs(math.fsum(found))
    if len(found) <= MOST_EXACT:
        return PairedTest(_all_flips(found, total), "sign flips, exact")
    return PairedTest(_drawn_flips(sizes, total, seed), f"sign flips, {DRAWS} draws, seed {seed}")


def _sign_test(n: int, positive: int) -> float:
    """Return the chance that `n` coins fall as unevenly as `positive` of them, or more so."""
    fewer = min(positive, n - positive)
    below, ways = 0, 1
    for k in range(fewer + 1):
        below += ways
        ways = ways * (n - k) // (k + 1)
    return min(1.0, 2 * below / (1 << n))


def _all_flips(found: Sequence[float], total: float) -> float:
    import numpy as np

    sums = np.zeros(1)
    for one in found[1:]:
        sums = np.concatenate([sums + one, sums - one])
    return float(np.mean(np.abs(found[0] + sums) >= total - _NEAR))  # the other half are these, turned over


def _drawn_flips(sizes: Mapping[float, int], total: float, seed: int) -> float:
    """Differences of one size are flipped together; what was found counts as one of the draws."""
    import numpy as np

    rng = np.random.default_rng(seed)
    sums = np.zeros(DRAWS)
    for size, count in sorted(sizes.items()):
        sums += size * (2 * rng.binomial(count, 0.5, size=DRAWS) - count)
    return float((1 + np.count_nonzero(np.abs(sums) >= total - _NEAR)) / (1 + DRAWS))


def p_text(p: float) -> str:
    """Return a p as it is printed.

    >>> p_text(0.125), p_text(0.00002)
    ('p = 0.125', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
