"""Call graphs for tests, and the slow scorer that looks for steps among all enumerated paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from random import Random

from legal_paths import enumerate_paths

from callwright.match.call_graph import CallGraph, call_graph
from callwright.match.orchestration import Orchestration, orchestrate

Edges = tuple[tuple[int, int], ...]
Steps = tuple[tuple[int, ...], ...]


@cache
def unlabelled_graphs(size: int) -> tuple[CallGraph, ...]:
    """Return one graph of each shape: no two are equal up to the numbers of their calls."""
    pairs = list(combinations(range(size), 2))
    places = {pair: 1 << at for at, pair in enumerate((i, j) for i in range(size) for j in range(size))}
    orders = list(permutations(range(size)))
    renumbered = [[places[order[i], order[j]] for i, j in pairs] for order in orders]
    found: dict[int, CallGraph] = {}
    seen = set[int]()
    for code in range(1 << len(pairs)):
        used = [at for at in range(len(pairs)) if code >> at & 1]
        if sum(renumbered[0][at] for at in used) in seen:
            continue
        same = {sum(bits[at] for at in used) for bits in renumbered}
        seen |= same
        found[min(same)] = call_graph(size, [pairs[at] for at in used])
    return tuple(found.values())


@cache
def partial_partitions(size: int) -> tuple[Steps, ...]:
    """Return every sequence of non-empty disjoint sets of calls, the empty one too."""
    return tuple(_partitions(tuple(range(size))))


def _partitions(left: tuple[int, ...]) -> Iterator[Steps]:
    yield ()
    for count in range(1, len(left) + 1):
        for step in combinations(left, count):
            for more in _partitions(tuple(one for one in left if one not in step)):
                yield (step, *more)


_NONE = frozenset({-1})
"""Stands for a step that makes one call twice: it is in no path."""


class Enumerated:
    """The slow scorer: the steps are looked for among all paths of a graph, which are written out."""

    def __init__(self, graph: CallGraph) -> None:
        self.size = graph.size
        self.paths = set(enumerate_paths(graph))
        self.beginnings = {path[:length] for path in self.paths for length in range(len(path) + 1)}
        self.shortest = min(map(len, self.paths))

    def verdict(self, steps: Sequence[Sequence[int]]) -> tuple[float, bool, bool, int | None]:
        """Return progress, accomplished, optimal and the first illegal step of steps that name gold calls."""
        walked = tuple(frozenset(step) if len(set(step)) == len(step) else _NONE for step in steps)
        legal = len(walked)
        while walked[:legal] not in self.beginnings:
            legal -= 1
        accomplished = walked in self.paths
        return (
            sum(map(len, walked[:legal])) / self.size if self.size else 1.0,
            accomplished,
            accomplished and len(walked) == self.shortest,
            legal if legal < len(walked) else None,
        )


def fast_verdict(
    graph: CallGraph, steps: Sequence[Sequence[int]], labels: Sequence[str] | None = None
) -> tuple[float, bool, bool, int | None]:
    """Return the same of the product's scorer; with `labels`, the steps name labels by the calls that bear them."""
    result = score(graph, steps, labels)
    return result.progress, result.accomplished, result.optimal, result.left_at


def score(graph: CallGraph, steps: Sequence[Sequence[int]], labels: Sequence[str] | None = None) -> Orchestration:
    """Return what the product makes of steps that name gold calls."""
    if labels is None:
        right: dict[int, tuple[int, ...]] = {gold: (gold,) for gold in range(graph.size)}
    else:
        right = {
            gold: tuple(other for other in range(graph.size) if labels[other] == labels[gold])
            for gold in range(graph.size)
        }
    alike = range(graph.size) if labels is None else labels
    return orchestrate(graph, steps, lambda call: right.get(call, ()), alike=alike, say=str, say_gold=str)


def random_graph(chance: Random, size: int) -> CallGraph:
    """Return a graph whose calls are numbered in any order."""
    order = chance.sample(range(size), size)
    density = chance.random()
    return call_graph(size, [pair for pair in combinations(order, 2) if chance.random() < density])


def random_steps(chance: Random, graph: CallGraph) -> Steps:
    """Return steps that are mostly legal for a while: a legal path, with some of its calls moved, added or lost."""
    steps: list[list[int]] = []
    done = 0
    while done != (1 << graph.size) - 1:
        ready = [
            call for call in range(graph.size) if not done >> call & 1 and graph.needs[call] & done == graph.needs[call]
        ]
        step = chance.sample(ready, chance.randint(1, len(ready)))
        steps.append(step)
        done |= sum(1 << call for call in step)
    for _ in range(chance.randrange(3)):
        _spoil(chance, steps, graph.size)
    return tuple(map(tuple, steps))


def _spoil(chance: Random, steps: list[list[int]], size: int) -> None:
    kind = chance.randrange(5)
    at = chance.randrange(len(steps) + 1)
    if kind == 0:
        steps.insert(at, [chance.randrange(-1, size) for _ in range(chance.randrange(3))])
    elif not steps or at == len(steps):
        steps.append([chance.randrange(size)])
    elif kind == 1:
        del steps[at]
    elif kind == 2:
        steps[at].append(chance.randrange(-1, size))
    elif kind == 3 and steps[at]:
        steps[at].pop()
    else:
        other = chance.randrange(len(steps))
        steps[at], steps[other] = steps[other], steps[at]
