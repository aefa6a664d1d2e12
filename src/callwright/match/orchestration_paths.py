"""All legal paths through gold calls, one by one and counted (WildToolBench, algorithm 1). Scoring needs neither.

A path is made of steps, each a non-empty set of calls that are ready, until every call was made: as many as there are
ordered partitions that keep to the dependencies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import msgspec

from callwright.errors import BadInput
from callwright.match.call_graph import CallGraph, members

MAX_ENUMERATED: Final = 8
"""Most calls whose paths are enumerated: 8 parallel ones have 545,835."""

MAX_COUNTED: Final = 16
"""Most calls whose paths are counted: 16 parallel ones take 3¹⁶ steps."""

Path = tuple[frozenset[int], ...]


class PathCounts(msgspec.Struct, frozen=True):
    """How many legal paths there are."""

    all: int
    optimal: int
    """Those of the fewest steps."""
    length: int
    """The fewest steps."""


def enumerate_paths(graph: CallGraph) -> Iterator[Path]:
    """Yield every legal path. Raises BadInput for more than `MAX_ENUMERATED` calls."""
    if graph.size > MAX_ENUMERATED:
        raise BadInput(f"{graph.size} calls have too many paths to enumerate; the limit is {MAX_ENUMERATED}.")
    return _paths(graph, 0, ())


def _paths(graph: CallGraph, done: int, path: Path) -> Iterator[Path]:
    ready = _ready(graph, done)
    if not ready:
        yield path
    for step in _subsets(ready):
        yield from _paths(graph, done | step, (*path, frozenset(members(step))))


def count_paths(graph: CallGraph) -> PathCounts:
    """Return how many legal paths there are, by dynamic programming over the sets of calls that can be done.

    Raises BadInput for more than `MAX_COUNTED` calls.
    """
    if graph.size > MAX_COUNTED:
        raise BadInput(f"{graph.size} calls have too many paths to count; the limit is {MAX_COUNTED}.")
    by_length: Counter[int] = Counter()
    reached = {0: 1}  # set of calls done to the number of ways to do it in this many steps
    steps = 0
    while reached:
        following: Counter[int] = Counter()
        for done, ways in reached.items():
            ready = _ready(graph, done)
            if not ready:
                by_length[steps] += ways
            for step in _subsets(ready):
                following[done | step] += ways
        reached = following
        steps += 1
    return PathCounts(by_length.total(), by_length[graph.shortest], graph.shortest)


def _ready(graph: CallGraph, done: int) -> int:
    ready = 0
    for call, needed in enumerate(graph.needs):
        if not done >> call & 1 and needed & done == needed:
            ready |= 1 << call
    return ready


def _subsets(mask: int) -> Iterator[int]:
    """Yield every subset of a mask but the empty one."""
    subset = mask
    while subset:
        yield subset
        subset = (subset - 1) & mask
