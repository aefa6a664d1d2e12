"""One list of tools, with all that realising tasks needs of it: what feeds what, and what could be taken for what."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import NamedTuple

from callwright.catalog.retrieval import Retriever
from callwright.environment.feeding import Choice, Feed, choices, feeds
from callwright.papers.wild.request_gloss import are_rivals
from callwright.records.dialogue import ShownTool
from callwright.records.tool import Catalog, Tool, ToolList

GROUP = 6
"""Tools of a session where the catalogue has no lists."""


class FeedEdge(NamedTuple):
    """A tool whose result feeds another, by position in the list."""

    producer: int
    consumer: int
    feed: Feed


class Choosing(NamedTuple):
    """A tool whose results say which of several things another takes, by position in the list."""

    producer: int
    consumer: int
    choice: Choice


class ToolPool:
    """The tools of one list."""

    def __init__(self, name: str, tools: Sequence[Tool], names: Sequence[str]) -> None:
        self.name = name
        self.tools = tuple(tools)
        self.names = tuple(names)

    @cached_property
    def edges(self) -> tuple[FeedEdge, ...]:
        """What feeds what; a tool does not feed itself, nor one that could be taken for it."""
        return tuple(FeedEdge(i, j, feed) for i, j in self._pairs for feed in feeds(self.tools[i], self.tools[j]))

    @cached_property
    def choosings(self) -> tuple[Choosing, ...]:
        """What tells which of several things another tool is to be called for."""
        return tuple(Choosing(i, j, choice) for i, j in self._pairs for choice in choices(self.tools[i], self.tools[j]))

    @cached_property
    def leading(self) -> frozenset[int]:
        """The tools whose results others can go on from."""
        return frozenset(edge.producer for edge in self.edges) | {choosing.producer for choosing in self.choosings}

    @cached_property
    def chains(self) -> bool:
        """Whether a tool is fed by one that is itself fed."""
        return any(
            one.consumer == other.producer and one.producer != other.consumer
            for one in self.edges
            for other in self.edges
        )

    @cached_property
    def _pairs(self) -> tuple[tuple[int, int], ...]:
        places = range(len(self.tools))
        return tuple((i, j) for i in places for j in places if i != j and (i, j) not in self.rivals)

    @cached_property
    def rivals(self) -> frozenset[tuple[int, int]]:
        """Pairs of tools, both ways, of which a request cannot say which it means."""
        pairs = {
            (i, j)
            for i, one in enumerate(self.tools)
            for j, other in enumerate(self.tools)
            if i < j and are_rivals(one, other)
        }
        return frozenset(pairs | {(j, i) for i, j in pairs})

    def shown(self, used: set[int]) -> tuple[ShownTool, ...]:
        """Return the tools of a session that uses some: those that could be taken for one of them are left out."""
        return tuple(
            ShownTool(tool.key, self.names[place])
            for place, tool in enumerate(self.tools)
            if place in used or not any((place, one) in self.rivals for one in used)
        )


def pools_of(catalog: Catalog, *, seed: int) -> tuple[ToolPool, ...]:
    """Return the catalogue's lists; where it has none, one group for each tool of the tools nearest to it."""
    if catalog.lists:
        return tuple(_listed(one, catalog) for one in catalog.lists)
    return tuple(_grouped(catalog, seed))


def _listed(one: ToolList, catalog: Catalog) -> ToolPool:
    return ToolPool(one.name, [catalog.by_key[s.key] for s in one.tools], [s.name for s in one.tools])


def _grouped(catalog: Catalog, seed: int) -> list[ToolPool]:
    retriever = Retriever(list(catalog.tools))
    covered: set[int] = set()
    groups = []
    order = list(range(len(catalog.tools)))
    Random(seed).shuffle(order)
    for place in order:
        if place in covered:
            continue
        tool = catalog.tools[place]
        query = f"{tool.domain} {tool.name} {tool.description[:200]}"
        near = [index for index, _ in retriever.search(query, GROUP * 3)]
        same = [index for index in near if index != place and catalog.tools[index].domain == tool.domain]
        rest = [index for index in near if index != place and index not in same]
        fed = [i for i in same + rest if feeds(tool, catalog.tools[i]) or feeds(catalog.tools[i], tool)]
        chosen = list(dict.fromkeys([place, *fed[:2], *same, *rest]))[:GROUP]
        covered |= set(chosen)
        tools = [catalog.tools[index] for index in chosen]
        groups.append(ToolPool("", tools, [one.name for one in tools]))
    return groups
