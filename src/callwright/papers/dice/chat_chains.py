"""Chains of tools, one a round: simple paths of the tool graph, by one of two samplers.

    balanced  tools and edges are used evenly; a chain goes on by subject where no edge leads on or all are worn
    uniform   every path of the length is as likely, as published (there listed by depth-first search, here counted);
              a few hubs fill the data set

For lengths of which edges make no path, also those of a given graph, tools of one subject are joined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

from callwright.author.wanted import wanted_parameters
from callwright.catalog.gloss import gloss
from callwright.engine.randomness import stream
from callwright.graph.uniform_paths import UniformPaths
from callwright.papers.dice.chat_design import Cell, Edges, leads_on
from callwright.records.tool import Tool

MOST_TOOLS: Final = 300
"""Tools among which those of one subject are looked for: their pairs grow with the square."""
TRIES: Final = 8
_CHAINS: Final = 200
"""Balanced chains of each length that are made in advance; items take them in turn."""
_WORN: Final = 4
"""Times the even share of uses from which on a tool fills the chains."""
NO_EDGES: Final[Edges] = {}


class ChatGraph(NamedTuple):
    """The tools that people talk about, and which may follow which."""

    tools: Sequence[Tool]
    edges: Edges
    is_given: bool
    """Whether a file holds the edges: others join them only for lengths of which it has no path."""

    @property
    def names(self) -> list[str]:
        """The names of the tools."""
        return [tool.name for tool in self.tools]

    def contexts(self) -> Iterator[Edges]:
        """Yield edges of one subject; then, for lengths without a path, with those that lead to all."""
        if self.is_given:
            yield NO_EDGES
        for akin in (True, False):
            yield context_of(self.tools, akin=akin)


class BalancedChains:
    """Chains that were made in advance, each over what was used least."""

    def __init__(self, graph: ChatGraph, lengths: Collection[int], rng: Random) -> None:
        self._values = {tool.name: len(wanted_parameters(tool)) for tool in graph.tools}
        self._chains: dict[int, tuple[tuple[str, ...], ...]] = dict.fromkeys(lengths, ())
        for context in graph.contexts():
            missing = [one for one, found in self._chains.items() if not found]
            self._chains |= {one: balanced_chains(graph.names, graph.edges, one, rng, context) for one in missing}
            if all(self._chains.values()):
                break

    def tries(self, cell: Cell, item: str, turn: int) -> list[tuple[str, ...]]:
        """Return chains for an item, the `turn`th of its length, the best first; none where there is no path."""
        chains = self._chains[cell.rounds]
        found = [chains[(turn + step * 7) % len(chains)] for step in range(TRIES)] if chains else []
        return sorted(found, key=lambda chain: sum(map(self._values.__getitem__, chain)) < cell.party - 1)


class UniformChains:
    """A chain of its own for each item, drawn from all paths alike."""

    def __init__(self, graph: ChatGraph, lengths: Collection[int], seed: int) -> None:
        self._seed = seed
        self._paths = {length: UniformPaths(graph.names, graph.edges, length) for length in lengths}
        for context in graph.contexts():
            if all(self._paths.values()):
                break
            whole = joined(graph.edges, context)
            self._paths = {at: one or UniformPaths(graph.names, whole, at) for at, one in self._paths.items()}

    def tries(self, cell: Cell, item: str, turn: int) -> list[tuple[str, ...]]:
        """Return a chain for an item, and further ones for one that cannot be called; none where there is no path."""
        paths, rng = self._paths[cell.rounds], stream(self._seed, item, "path")
        return [paths.draw(rng) for _ in range(TRIES)] if paths else []


def joined(edges: Edges, context: Edges) -> Mapping[str, tuple[str, ...]]:
    """Return the edges of both.

    >>> joined({"a": ("b",)}, {"a": ("b", "c")})
    {'a': ('b', 'c')}
    """
    sources = dict.fromkeys((*edges, *context))
    return {one: tuple(dict.fromkeys((*edges.get(one, ()), *context.get(one, ())))) for one in sources}


def context_of(tools: Sequence[Tool], *, akin: bool) -> Edges:
    """Return the edges between tools of one subject, which share a word of what they act on.

    Unless they must be `akin`, one that shares its subject with none leads to all.
    """
    found = {}
    for before in tools[:MOST_TOOLS]:
        near = [one for one in tools[:MOST_TOOLS] if leads_on(before, one)]
        same = [one for one in near if gloss(one).object_stems & gloss(before).object_stems]
        found[before.name] = tuple(one.name for one in same or ([] if akin else near))
    return {source: targets for source, targets in found.items() if targets}


def balanced_chains(
    tools: Sequence[str], edges: Edges, length: int, rng: Random, context: Edges = NO_EDGES
) -> tuple[tuple[str, ...], ...]:
    """Return simple paths of so many tools, each over what was used least so far; none where there is none.

    A path follows `context` from where no edge leads on, or only to tools that fill the chains already.
    """
    used: Counter[str | tuple[str, str]] = Counter()
    starts = [name for name in tools if length == 1 or name in edges or (not edges and name in context)]
    found: list[tuple[str, ...]] = []
    for _ in range(_CHAINS if starts else 0):
        rng.shuffle(starts)
        starts.sort(key=lambda name: (min((used[name, after] for after in edges.get(name, ())), default=0), used[name]))
        worn = _WORN * (1 + len(found) * length / len(tools))
        paths = _Paths(edges, context, length, used, worn, rng)
        chain = next(filter(None, (paths.walk((name,)) for name in starts[:20])), ())
        if chain:
            found.append(chain)
            used.update(chain)
            used.update(pairwise(chain))
        else:
            used.update(starts[:20])
    return tuple(found)


class _Paths(NamedTuple):
    edges: Edges
    context: Edges
    length: int
    used: Counter[str | tuple[str, str]]
    worn: float
    """Uses from which on a tool fills the chains."""
    rng: Random

    def walk(self, chain: tuple[str, ...]) -> tuple[str, ...]:
        """Return a path that begins so; empty where there is none."""
        if len(chain) == self.length:
            return chain
        last, used = chain[-1], self.used
        ways = [[name for name in way.get(last, ()) if name not in chain] for way in (self.edges, self.context)]
        fresh = [[name for name in way if used[name] < self.worn] for way in ways]
        after = []
        for way in (*fresh, ways[0]):
            self.rng.shuffle(way)
            after += sorted(way, key=lambda name: (used[last, name], used[name]))[:6]
        return next(filter(None, (self.walk((*chain, name)) for name in dict.fromkeys(after))), ())
