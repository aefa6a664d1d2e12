"""DICE-SCORE: how dispersed the parts of a call are over the utterances of a dialogue (section 3).

    DICE(S, T) = min(|S ≠ 0|, T) · sqrt(|S| · T) / Σ ln(1 + e² · Sᵢ)

S is, for each utterance, how many items it mentions; T is the number of items to find: for each call its name and each
argument. The higher, the more has to be gathered from different places.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Final

from callwright.errors import BadInput

ALPHA: Final = math.e**2


def dice_score(counts: Sequence[int], total: int) -> float:
    """Return the score of the counts of all utterances, and 0 where nothing is mentioned.

    Raises BadInput without utterances or items, and for counts beyond the items.

    >>> round(dice_score([1], 1), 4), round(dice_score([8], 8), 4)
    (0.4702, 0.6905)
    """
    if not counts or total < 1:
        raise BadInput(f"DICE-SCORE needs utterances and items; there are {len(counts)} and {total}.")
    if min(counts) < 0 or max(counts) > total:
        raise BadInput(f"an utterance mentions at most all {total} items; the counts are {list(counts)[:20]}.")
    told = [count for count in counts if count]
    weight = sum(map(_weight, told))
    return min(len(told), total) * math.sqrt(len(counts) * total) / weight if told else 0.0


@cache
def _weight(count: int) -> float:
    return math.log1p(ALPHA * count)
