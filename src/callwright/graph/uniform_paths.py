"""Simple paths of a directed graph, each with the same chance, without a list of them.

The paths stand in an order, first by their beginnings; how many have a beginning is counted from degrees and shared
neighbours, so that the path of any number is found step by step. A path of four nodes a, b, c, d:

    with a and b     the paths on from b, without those that come back to a or b
    with a, b and c  the successors of c but a and b
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Final

LONGEST: Final = 4
"""Nodes of the longest paths."""


class UniformPaths:
    """All simple paths of `length` nodes, 1 to `LONGEST`; `edges` without self-loops and duplicates, by their source.

    `nodes` are those that a path of one node may be; edges lead between any.
    """

    def __init__(self, nodes: Sequence[str], edges: Mapping[str, Sequence[str]], length: int) -> None:
        if not 1 <= length <= LONGEST:
            raise ValueError(f"paths have 1 to {LONGEST} nodes, not {length}")
        self._length = length
        self._after = edges
        self._sets = {node: frozenset(after) for node, after in edges.items()}
        before: dict[str, set[str]] = {}
        for source, after in edges.items():
            for target in after:
                before.setdefault(target, set()).add(source)
        self._before = before
        self._onward = {node: self._paths_on(node) for node in edges} if length == LONGEST else {}
        self._heads = [(node,) for node in nodes] if length == 1 else [(a, b) for a in edges for b in edges[a]]
        self._ends = list(accumulate(map(self._count, self._heads)))

    def __len__(self) -> int:
        """Return the number of paths."""
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, number: int) -> tuple[str, ...]:
        """Return the path of this number, from 0. Raises IndexError."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        place = bisect_right(self._ends, number)
        path = self._heads[place]
        number -= self._ends[place - 1] if place else 0
        while len(path) < self._length:
            for node in self._next(path):
                count = self._count((*path, node))
                if number < count:
                    path = (*path, node)
                    break
                number -= count
        return path

    def draw(self, rng: Random) -> tuple[str, ...]:
        """Return a path; each has the same chance. Raises ValueError where there is none."""
        return self[rng.randrange(len(self))]

    def _next(self, path: tuple[str, ...]) -> list[str]:
        return [node for node in self._after.get(path[-1], ()) if node not in path]

    def _count(self, path: tuple[str, ...]) -> int:
        """How many paths begin so."""
        left = self._length - len(path)
        if left == 0:
            return 1
        last = self._sets.get(path[-1], frozenset())
        if left == 1:
            return len(last) - sum(node in last for node in path)
        first = path[0]  # two are left: the path has two nodes of four
        back = len(self._sets[first]) - 1 if first in last else 0
        return self._onward.get(path[-1], 0) - back - len(last & self._before.get(first, set()))

    def _paths_on(self, node: str) -> int:
        """How many paths of three nodes begin here."""
        after = self._sets
        return sum(len(after.get(one, ())) - (node in after.get(one, ())) for one in after[node])
