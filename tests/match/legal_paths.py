"""All legal paths through gold calls, written out one by one (WildToolBench, algorithm 1): the slow version of scoring.

A path is made of steps, each a non-empty set of calls that are ready, until every call was made: as many as there are
ordered partitions that keep to the dependencies. Eight parallel calls have 545,835.
"""

from __future__ import annotations

from collections.abc import Iterator

from callwright.match.call_graph import CallGraph, members

Path = tuple[frozenset[int], ...]


def enumerate_paths(graph: CallGraph, done: int = 0, path: Path = ()) -> Iterator[Path]:
    """Yield every legal path that begins with `path`, after which the calls of the mask `done` are made."""
    ready = _ready(graph, done)
    if not ready:
        yield path
    step = ready
    while step:  # every subset of what is ready but the empty one
        yield from enumerate_paths(graph, done | step, (*path, frozenset(members(step))))
        step = (step - 1) & ready


def _ready(graph: CallGraph, done: int) -> int:
    ready = 0
    for call, needed in enumerate(graph.needs):
        if not done >> call & 1 and needed & done == needed:
            ready |= 1 << call
    return ready
