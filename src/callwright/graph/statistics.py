"""Statistics of a tool graph: size, density, degrees, and the number of simple paths by length, exact.

Paths are counted from sparse products and never enumerated: a simple path of four tools is a walk over three edges in
which no tool returns, so walks whose ends or whose inner tools coincide are subtracted (inclusion and exclusion).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
import numpy as np
from scipy import sparse

LONGEST_PATH: Final = 4
"""Tools of the longest paths that are counted."""

_MOST_NAMED: Final = 5


class Degree(msgspec.Struct, frozen=True):
    """A tool and the number of its edges in one direction."""

    tool: str
    edges: int


class GraphSize(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of a directed graph; an edge is a pair of tools."""

    nodes: int
    edges: int
    duplicate_edges: int
    """Links that repeat another one."""
    density: float | None
    """Edges as a share of all ordered pairs of tools; None for fewer than two tools."""
    mean_out_degree: float | None
    """None without tools."""
    sources: int
    """Tools that no edge leads to."""
    sinks: int
    """Tools that no edge leads from."""
    paths: dict[str, int]
    """Simple paths by their number of tools, from 1 to 4."""


class GraphStatistics(msgspec.Struct, frozen=True, kw_only=True):
    """The output of `callwright graph show`."""

    nodes: int
    edges: int
    """Different pairs of tools."""
    duplicate_edges: int
    """Links that repeat another one."""
    density: float | None
    mean_out_degree: float | None
    sources: int
    """Tools that no edge leads to."""
    sinks: int
    """Tools that no edge leads from."""
    most_reached: tuple[Degree, ...]
    """Tools with the most edges to them."""
    paths: dict[str, int]
    """Simple paths by their number of tools, from 1 to 4."""
    as_published: GraphSize
    """The same where every duplicate is an edge of its own."""


def statistics(nodes: Sequence[str], links: Iterable[tuple[str, str]]) -> GraphStatistics:
    """Return the statistics of a graph; `links` are pairs of different nodes and may repeat."""
    every = list(links)
    times = Counter(every)
    reached = Counter(target for _, target in times)
    repeated = len(every) - len(times)
    size = _size(nodes, Counter(times.keys()), repeated)
    return GraphStatistics(
        nodes=size.nodes,
        edges=size.edges,
        duplicate_edges=repeated,
        density=size.density,
        mean_out_degree=size.mean_out_degree,
        sources=size.sources,
        sinks=size.sinks,
        most_reached=tuple(
            Degree(tool, edges) for tool, edges in sorted(reached.items(), key=_by_degree)[:_MOST_NAMED]
        ),
        paths=size.paths,
        as_published=_size(nodes, times, repeated) if repeated else size,
    )


def _by_degree(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _size(nodes: Sequence[str], times: Counter[tuple[str, str]], repeated: int) -> GraphSize:
    """Return the numbers of a graph in which an edge may be there several times."""
    position = {node: place for place, node in enumerate(nodes)}
    ends = np.array([(position[one], position[other]) for one, other in times], dtype=np.int64).reshape(-1, 2)
    counts = np.array(list(times.values()), dtype=np.int64)
    matrix = sparse.csr_array((counts, (ends[:, 0], ends[:, 1])), shape=(len(nodes), len(nodes)))
    count, edges = len(nodes), times.total()
    return GraphSize(
        nodes=count,
        edges=edges,
        duplicate_edges=repeated,
        density=edges / (count * (count - 1)) if count > 1 else None,
        mean_out_degree=edges / count if count else None,
        sources=count - len({target for _, target in times}),
        sinks=count - len({source for source, _ in times}),
        paths={str(length): paths for length, paths in enumerate(_paths(matrix), 1)},
    )


def _paths(matrix: sparse.csr_array) -> tuple[int, int, int, int]:
    """Simple paths of one to four tools; `matrix` holds how often an edge is there, and nothing on its diagonal."""
    n = matrix.shape[0]
    if not n:
        return 0, 0, 0, 0
    out, into = matrix.sum(axis=1), matrix.sum(axis=0)
    mutual = matrix.multiply(matrix.T).tocsr()
    returns = mutual.sum(axis=1)  # of each tool: walks of two edges back to it
    triangles = int((matrix @ matrix).multiply(matrix.T).sum())
    walks = int((into * (matrix @ out)).sum())
    ends_return = int((returns * out).sum())  # first tool is the third
    inner_return = int((into * returns).sum())  # second tool is the fourth
    both_return = int(mutual.multiply(matrix).sum())
    pairs = int((into * out).sum()) - int(returns.sum())
    return n, int(matrix.sum()), pairs, walks - ends_return - inner_return - triangles + both_return
