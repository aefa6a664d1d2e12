"""Counts all near-duplicates of a catalogue in bounded memory, and keeps the most similar pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callwright.catalog.near_duplicates import AllPairs, Near
from callwright.catalog.similarity import Pair

if TYPE_CHECKING:
    from callwright.catalog.vectors import Positions


class Tally:
    """Counts pairs as they are found, and keeps the `most` most similar; its size does not grow with the pairs."""

    def __init__(self, compared: AllPairs, tools: int, *, most: int) -> None:
        import numpy as np

        self._compared = compared
        self._most = most
        self._worst: list[Pair] = []
        self._alike = np.zeros(tools, dtype=bool)
        self._component: Positions = np.arange(tools)
        self.total = 0

    def add(self, near: Near) -> None:
        """Count some pairs, which come in order of position."""
        self.total += len(near.a)
        self._alike[near.a] = self._alike[near.b] = True
        self._join(near)
        self._worst = self._most_alike(near)

    @property
    def alike(self) -> int:
        """How many tools have a near-duplicate."""
        return int(self._alike.sum())

    @property
    def components(self) -> list[int]:
        """For each tool a number that it shares with all tools it is linked to by pairs, directly or through others."""
        found: list[int] = self._component.tolist()
        return found

    @property
    def pairs(self) -> list[Pair]:
        """The most alike pairs, most alike first, ties by position."""
        return self._worst

    def _join(self, near: Near) -> None:
        """Merge the components that pairs link."""
        import numpy as np
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        one, other = self._component[near.a], self._component[near.b]
        apart = one != other
        if not apart.any():
            return
        ends, size = (one[apart], other[apart]), len(self._component)
        links = coo_matrix((np.ones(len(ends[0])), ends), shape=(size, size))
        self._component = connected_components(links, directed=False)[1].astype(np.int64)[self._component]

    def _most_alike(self, near: Near) -> list[Pair]:
        """Return the most similar of the kept pairs and some new ones."""
        import numpy as np

        least, slack = -1.0, self._compared.slack
        if len(near.a) > self._most > 0:
            least = float(np.partition(near.score, len(near.a) - self._most)[len(near.a) - self._most])
        if len(self._worst) == self._most > 0:
            least = max(least, self._worst[-1].parts.score + slack)
        if not self._most:
            return []
        found = self._compared.pairs(near.where(near.score >= least - 2 * slack))
        return sorted([*self._worst, *found], key=_most_alike_first)[: self._most]


def _most_alike_first(pair: Pair) -> tuple[float, int, int]:
    return -pair.parts.score, pair.a, pair.b
