"""Simple paths of a directed graph in which every node is about as frequent, in each length and at every time.

Each path is grown in both directions from the node that was used least. Of the edges there are several kinds, the best
first: a path has as many of the first kind as it can, and those of the next ones lead to what it would not reach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise, product
from math import inf
from random import Random
from typing import Final

Edges = Mapping[str, tuple[str, ...]]
"""A node to those after it."""
_STARTS: Final = 30
"""Beginnings of which the best path is kept."""
_BREADTH: Final = 10
"""Nodes that are tried next by each kind of edge."""

_Ways = Sequence[tuple[Edges, Edges]]
"""Edges, each also from its target to its source."""


def even_paths(
    nodes: Sequence[str],
    lengths: Iterable[int],
    ways: Sequence[Edges],
    rng: Random,
    *,
    number: int,
    spare: Sequence[Edges] = (),
) -> dict[int, list[tuple[str, ...]]]:
    """Return for each length so many simple paths of this many nodes; none where there is none.

    A path follows the first of the `ways` that leads to a node which does not fill the paths already. Lengths of which
    these make no path follow the `spare` ones.
    """
    names, overall = rng.sample(nodes, len(nodes)), Counter[str]()
    first, others = ([(way, _reversed(way)) for way in those] for those in (ways, spare))
    walks = {length: _Walks(names, length, first, others, rng) for length in lengths}
    for _, walk in product(range(number), walks.values()):
        walk.add(overall)
    return {length: walk.found for length, walk in walks.items()}


def _reversed(edges: Edges) -> Edges:
    found: dict[str, list[str]] = {}
    for source, target in ((source, target) for source, targets in edges.items() for target in targets):
        found.setdefault(target, []).append(source)
    return {target: tuple(sources) for target, sources in found.items()}


class _Walks:
    """The paths of one length."""

    def __init__(self, names: Sequence[str], length: int, ways: _Ways, spare: _Ways, rng: Random) -> None:
        self.found: list[tuple[str, ...]] = []
        self._names, self._length, self._ways, self._spare, self._rng = names, length, ways, spare, rng
        self._left = list(names)
        self._used = Counter[str | tuple[str, str]]()
        self._joined = set(names) if length == 1 else {*ways[0][0], *ways[0][1]}

    def add(self, overall: Counter[str]) -> None:
        """Add a path through the node that these paths, then those of all lengths, use least."""
        while self._left:
            least = min(self._left, key=lambda name: (self._weighed(name, self._joined), overall[name]))
            begun = islice(self._longer((least,)), _STARTS) if self._length > 1 else [(least,)]
            if path := max(filter(None, map(self._grown, begun)), key=self._worth, default=()):
                self.found.append(path)
                self._used.update((*path, *pairwise(path)))
                overall.update(path)
                return
            self._left.remove(least)
            if not self._left and not self.found:
                self._left, self._ways, self._spare = list(self._names if self._spare else ()), self._spare, ()

    @property
    def _worn(self) -> float:
        """Uses from which on a node fills the paths: nearly three times the even share."""
        return 2.8 * (1 + len(self.found)) * self._length / len(self._names)

    def _worth(self, path: tuple[str, ...]) -> tuple[bool, int]:
        along = sum(after in self._ways[0][0].get(before, ()) for before, after in pairwise(path))
        return max(map(self._used.__getitem__, path)) < self._worn, along

    def _weighed(self, name: str, joined: Container[str]) -> int:
        """The uses of a node, twice those of one that the first way misses."""
        return self._used[name] * (1 if name in joined else 2)

    def _grown(self, path: tuple[str, ...]) -> tuple[str, ...]:
        """Return a path with this one in it; empty where there is none."""
        if len(path) == self._length:
            return path
        return next(filter(None, map(self._grown, self._longer(path))), ())

    def _longer(self, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        """Yield the path with a node before or after it, the best first: one with which the first way goes on."""
        for limit, (onward, back) in product((self._worn, inf), self._ways):
            new = [(name, (path[-1], name), (*path, name)) for name in onward.get(path[-1], ())]
            new += [(name, (name, path[0]), (name, *path)) for name in back.get(path[0], ())]
            new = [one for one in new if one[0] not in path and self._used[one[0]] < limit]
            self._rng.shuffle(new)
            new.sort(key=lambda one: self._weighed(one[0], self._ways[0][one[2][0] == one[0]]) + self._used[one[1]])
            yield from (longer for *_, longer in new[:_BREADTH])
