"""Who speaks next among several people: whether they take turns in one order, and how open it is who comes next."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence


def is_rotation(order: Sequence[str], n: int) -> bool:
    """Return whether all of n people speak in one order, again and again.

    >>> is_rotation("abcabca", 3), is_rotation("abcacb", 3), is_rotation("abc", 3)
    (True, False, False)
    """
    is_cycle = all(a == b for a, b in zip(order, order[n:], strict=False))
    return len(order) > n and len(set(order[:n])) == n and is_cycle


def order_entropy(orders: Iterable[Sequence[str]], n: int) -> float | None:
    """Return the entropy, in bits, of how long ago the next of n people spoke last; None where nobody can be told.

    Each order is that of one dialogue; it counts from where all n have spoken. A rotation has 0, chance log2(n).

    >>> order_entropy(["abcabcabc"], 3), order_entropy(["abba", "baba"], 2)
    (0.0, 0.8112781244591328)
    """
    found = Counter(place for order in orders for place in _places(order, n))
    total = found.total()
    return -sum(count / total * math.log2(count / total) for count in found.values()) + 0.0 if total else None


def _places(order: Sequence[str], n: int) -> Iterator[int]:
    """How many others spoke since the next speaker did: 0 for one who goes on."""
    heard: list[str] = []
    for one in order:
        if len(heard) == n:
            yield heard.index(one)
        heard = [one, *(other for other in heard if other != one)]
