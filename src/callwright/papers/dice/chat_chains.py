"""Chains of tools, one a round: simple paths of the tool graph, by one of two samplers.

    balanced  tools are used evenly in each length; where no edge leads on or all are worn a chain goes on by subject,
              then to any subject
    uniform   every path of the length is as likely, as published (there listed by depth-first search, here counted);
              a few hubs fill the data set

For lengths of which edges make no path, also those of a given graph, tools of one subject are joined.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from callwright.author.wanted import wanted_parameters
from callwright.engine.randomness import stream
from callwright.graph.even_paths import even_paths
from callwright.graph.uniform_paths import UniformPaths
from callwright.papers.dice.chat_design import Cell, Edges, is_akin, leads_on
from callwright.papers.dice.dice_options import TYPES
from callwright.records.tool import Tool

MOST_TOOLS: Final = 300
"""Tools among which those of one subject are looked for: their pairs grow with the square."""
TRIES: Final = 8
_CHAINS: Final = 450
"""Balanced chains of each length that are made in advance, enough for the paper's design; items take them in turn."""
_NEXT: Final = 18
"""Turns to the next chain of the same cell."""


class ChatGraph(NamedTuple):
    """The tools that people talk about, and which may follow which."""

    tools: Sequence[Tool]
    edges: Edges
    is_given: bool
    """Whether a file holds the edges: others join them only for lengths of which it has no path."""
    flows: Collection[tuple[str, str]] = ()
    """Pairs of tools of which the first returns what the second takes."""

    @property
    def names(self) -> list[str]:
        """The names of the tools."""
        return [tool.name for tool in self.tools]

    def contexts(self) -> Iterator[Edges]:
        """Yield edges of one subject; then, for what has no path, with those that lead to all."""
        for akin in (True, False):
            yield context_of(self.tools, akin=akin, flows=self.flows)


class BalancedChains:
    """Chains that were made in advance, each through what was used least."""

    def __init__(self, graph: ChatGraph, cells: Sequence[Cell], rng: Random) -> None:
        values = {tool.name: len(wanted_parameters(tool)) for tool in graph.tools}
        parties: dict[int, list[int]] = {}
        for cell in cells:
            parties.setdefault(cell.rounds, []).append(cell.party)
        ways = (graph.edges, *graph.contexts())
        first = ways[:1] if graph.is_given else ways
        found = even_paths(graph.names, parties, first, rng, number=_CHAINS, spare=ways)
        self._chains = {length: fitted(chains, parties[length], values) for length, chains in found.items()}

    def tries(self, cell: Cell, item: str, turn: int) -> list[tuple[str, ...]]:
        """Return chains for an item, the `turn`th of its length, the best first; none where there is no path."""
        chains = self._chains[cell.rounds]
        return [chains[(turn + step * _NEXT) % len(chains)] for step in range(TRIES)] if chains else []


def fitted(
    chains: Sequence[tuple[str, ...]], parties: Sequence[int], values: Mapping[str, int]
) -> list[tuple[str, ...]]:
    """Return the chains in another order: of those for one turn of the cells, more values go to more people.

    >>> fitted([("a",), ("b",), ("c",), ("d",)], (2, 4), {"a": 5, "b": 1, "c": 1, "d": 2})
    [('b',), ('a',), ('c',), ('d',)]
    """
    found: list[tuple[str, ...]] = []
    for start in range(0, len(chains), len(parties)):
        block = sorted(chains[start : start + len(parties)], key=lambda chain: sum(map(values.__getitem__, chain)))
        turn = start // len(parties)
        places = sorted(range(len(block)), key=lambda at: (parties[at], (at + turn) % len(TYPES)))
        found += [chain for _, chain in sorted(zip(places, block, strict=True))]
    return found


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


def context_of(tools: Sequence[Tool], *, akin: bool, flows: Collection[tuple[str, str]] = ()) -> Edges:
    """Return the edges between tools of one subject, which share a word of what they act on.

    Unless they must be `akin`, those between tools of any subjects: after another matter, people also end a thing that
    no result of it mentions.
    """
    found = {}
    for at, before in enumerate(tools):
        start = max(0, min(at // MOST_TOOLS * MOST_TOOLS, len(tools) - MOST_TOOLS))
        after = [(one, is_akin(before, one)) for one in tools[start : start + MOST_TOOLS]]
        if akin:
            names = [one.name for one, is_same in after if is_same and leads_on(before, one)]
        else:
            apart = {one.name for one, is_same in after if not is_same and (before.name, one.name) not in flows}
            names = [one.name for one, _ in after if leads_on(before, one, is_apart=one.name in apart)]
        found[before.name] = tuple(names)
    return {source: targets for source, targets in found.items() if targets}
