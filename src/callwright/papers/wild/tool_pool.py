"""The tools of one list: whose results feed which others, and which look alike to a request (section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import NamedTuple

from callwright.author.value_ids import id_forms
from callwright.catalog.retrieval import Retriever
from callwright.environment.feeding import Choice, Feed, choices, feeds, takes_same
from callwright.lang.tokens import identifier_words, stem_set
from callwright.papers.wild.request_gloss import are_rivals
from callwright.records.dialogue import ShownTool
from callwright.records.tool import Catalog, Tool

GROUP = 8
"""Tools of a session if the catalogue has no lists."""


class FeedEdge(NamedTuple):
    """A tool whose result feeds another, both by place in the list."""

    producer: int
    consumer: int
    feed: Feed


class Choosing(NamedTuple):
    """A tool whose results choose the thing that another tool takes, both by place in the list."""

    producer: int
    consumer: int
    choice: Choice


class ToolPool:
    """The tools of one list."""

    def __init__(self, name: str, tools: Sequence[Tool], names: Sequence[str]) -> None:
        """`name` is that of the list, `names` are the shown names of the tools."""
        self.name = name
        self.tools = tuple(tools)
        self.names = tuple(names)

    @cached_property
    def ids(self) -> dict[str, str]:
        """What identifiers look like in the list, as the tools' results have it too."""
        return id_forms(self.tools)

    @cached_property
    def edges(self) -> tuple[FeedEdge, ...]:
        """Pairs of a producer and a consumer; never a tool and itself, nor two rivals."""
        return tuple(FeedEdge(i, j, feed) for i, j in self._pairs for feed in feeds(self.tools[i], self.tools[j]))

    @cached_property
    def choosings(self) -> tuple[Choosing, ...]:
        """Pairs in which results of the one choose what the other takes."""
        return tuple(Choosing(i, j, choice) for i, j in self._pairs for choice in choices(self.tools[i], self.tools[j]))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the words that name and describe the tools."""
        words = (word for tool in self.tools for word in (*identifier_words(tool.name), tool.description))
        return stem_set(" ".join(words))

    @cached_property
    def leading(self) -> frozenset[int]:
        """Places of the tools whose results another tool can use."""
        return frozenset([*(edge.producer for edge in self.edges), *(one.producer for one in self.choosings)])

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
        """Pairs of tools, both ways round, that one request could mean."""
        pairs = {
            (i, j)
            for i, one in enumerate(self.tools)
            for j, other in enumerate(self.tools)
            if i < j and are_rivals(one, other)
        }
        return frozenset(pairs | {(j, i) for i, j in pairs})

    def shown(self, used: set[int]) -> tuple[ShownTool, ...]:
        """Return the tools that a session shows: the used ones, and the others that are no rivals of these."""
        return tuple(
            ShownTool(tool.key, self.names[place])
            for place, tool in enumerate(self.tools)
            if place in used or not any((place, one) in self.rivals for one in used)
        )


def pools_of(catalog: Catalog, *, seed: int) -> tuple[ToolPool, ...]:
    """Return the lists of the catalogue; if it has none, groups of related tools that cover all tools."""
    if not catalog.lists:
        return tuple(_grouped(catalog, seed))
    return tuple(
        ToolPool(one.name, [catalog.by_key[shown.key] for shown in one.tools], [shown.name for shown in one.tools])
        for one in catalog.lists
    )


def _takes_the_same(tool: Tool, other: Tool) -> bool:
    """Whether both require the same sort of thing, so that a later request can refer to the earlier one's."""
    return any(takes_same(tool, mine, other, theirs) for mine in tool.required for theirs in other.required)


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
        found = [index for index, _ in retriever.search(query, GROUP * 3) if index != place]
        same = [index for index in found if catalog.tools[index].domain == tool.domain]
        near = [*same, *(index for index in found if index not in same)]
        fed = [i for i in near if feeds(tool, catalog.tools[i]) or feeds(catalog.tools[i], tool)]
        joined = [i for i in near if _takes_the_same(tool, catalog.tools[i])]
        chosen = list(dict.fromkeys([place, *fed[:3], *joined[:3], *near]))[:GROUP]
        covered |= set(chosen)
        tools = [catalog.tools[index] for index in chosen]
        groups.append(ToolPool("", tools, [one.name for one in tools]))
    return groups
