"""The tools of one list: whose results feed which others, and which look alike to a request (section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random
from typing import NamedTuple

from callwright.author.value_ids import id_forms
from callwright.catalog.gloss import gloss
from callwright.catalog.retrieval import Retriever
from callwright.catalog.slots import slots
from callwright.environment.returns import identity_of
from callwright.environment.told_outputs import takes_same
from callwright.environment.tool_target import target_of
from callwright.graph.value_flows import Flow
from callwright.lang.tokens import stem_set
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS
from callwright.papers.wild.chain_edges import ChainEdges
from callwright.papers.wild.session_memory import is_identifier
from callwright.records.dialogue import ShownTool
from callwright.records.tool import Catalog, Tool

GROUP = 8
"""Tools of a session if the catalogue has no lists."""


class FeedEdge(NamedTuple):
    """A tool whose result feeds another, both by place in the list."""

    producer: int
    consumer: int
    flow: Flow


class ToolPool:
    """The tools of one list."""

    def __init__(self, name: str, tools: Sequence[Tool], names: Sequence[str], chains: ChainEdges) -> None:
        """`name` is that of the list, `names` are the shown names of the tools; `chains` are the catalogue's edges."""
        self.name = name
        self.tools = tuple(tools)
        self.names = tuple(names)
        self._chains = chains

    @cached_property
    def ids(self) -> dict[str, str]:
        """The form of identifiers in the list, as the tools' results have it too."""
        return id_forms(self.tools)

    @cached_property
    def edges(self) -> tuple[FeedEdge, ...]:
        """Pairs of a producer and a consumer; never a tool and itself, nor two rivals."""
        places: dict[str, list[int]] = {}
        for place, tool in enumerate(self.tools):
            places.setdefault(tool.key, []).append(place)
        return tuple(
            FeedEdge(i, j, flow)
            for i, tool in enumerate(self.tools)
            for flow in self._chains.get(tool.key, ())
            for j in places.get(flow.target.key, ())
            if i != j and (i, j) not in self.rivals
        )

    @cached_property
    def leading(self) -> frozenset[int]:
        """Places of the tools whose results another tool can use."""
        return frozenset(edge.producer for edge in self.edges)

    @cached_property
    def chains(self) -> bool:
        """Whether a tool is fed by one that is itself fed."""
        return not self.leading.isdisjoint(edge.consumer for edge in self.edges)

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


# -- rival tools -----------------------------------------------------------------------------------------------------


def are_rivals(one: Tool, other: Tool) -> bool:
    """Return whether a request for one tool could also mean the other."""
    mine, theirs = _telling_stems(one), _telling_stems(other)
    if not mine or not theirs:
        return True
    if _is_one_of(one, other) or _is_one_of(other, one):
        return False
    if _sort_of_act(one) != _sort_of_act(other) and None not in (_sort_of_act(one), _sort_of_act(other)):
        return False  # create a note, delete a note
    alike = mine <= theirs or theirs <= mine or len(mine & theirs) / len(mine | theirs) >= 0.6
    needs = {_needs(one), _needs(other)}
    return mine == theirs or (alike and (len(needs) == 1 or frozenset() in needs))


def _is_one_of(one: Tool, other: Tool) -> bool:
    """Whether one looks up a thing that is named, and the other lists all such things."""
    mine, theirs = target_of(one), target_of(other)
    return mine.act == "read" and theirs.act == "list" and mine.own in one.required and mine.own not in other.properties


_DELETES = frozenset("delete remove cancel erase".split())
_SAYS_LITTLE = stem_set("information data details detail info list result specific current real time get")


def _sort_of_act(tool: Tool) -> int | None:
    """Return a number for what the tool does: delete, create, change or look up; None for other acts."""
    verb = gloss(tool).act
    return next((at for at, verbs in enumerate((_DELETES, CREATES, CHANGES, LOOKUPS)) if verb in verbs), None)


def _telling_stems(tool: Tool) -> frozenset[str]:
    return gloss(tool).object_stems - _SAYS_LITTLE


def _needs(tool: Tool) -> frozenset[str]:
    return frozenset(slots(tool)[name].kind for name in tool.required)


# -- lists -----------------------------------------------------------------------------------------------------------


def pools_of(catalog: Catalog, chains: ChainEdges, *, seed: int) -> tuple[ToolPool, ...]:
    """Return the lists of the catalogue; if it has none, groups around its edges that cover all tools."""
    if not catalog.lists:
        return tuple(
            ToolPool("", tools, [one.name for one in tools], chains) for tools in _groups(catalog, chains, seed)
        )
    return tuple(
        ToolPool(
            one.name, [catalog.by_key[shown.key] for shown in one.tools], [shown.name for shown in one.tools], chains
        )
        for one in catalog.lists
    )


def _groups(catalog: Catalog, chains: ChainEdges, seed: int) -> Iterator[list[Tool]]:
    """Yield groups of tools until each tool is in one, and each source of an edge with a tool that it leads to."""
    retriever, rng = Retriever(list(catalog.tools)), Random(seed)
    covered: set[str] = set()
    order = list(catalog.tools)
    rng.shuffle(order)
    for tool in order:
        leads = [flow.target.key for flow in chains.get(tool.key, ())]
        if tool.key in covered and (not leads or not covered.isdisjoint(f"{tool.key} {key}" for key in leads)):
            continue
        group = _around(catalog, chains, tool, retriever, rng)
        covered |= {one.key for one in group}
        covered |= {f"{one.key} {other.key}" for one in group for other in group}
        yield group


def _around(catalog: Catalog, chains: ChainEdges, tool: Tool, retriever: Retriever, rng: Random) -> list[Tool]:
    """Return the tool with some that it leads to, some that these lead to, and what is about the same things."""
    found = retriever.search(f"{tool.domain} {tool.name} {tool.description[:200]}", GROUP * 3)
    near = [catalog.tools[index] for index, _ in found]
    near.sort(key=lambda one: one.domain != tool.domain)
    joined = [one for one in near if _takes_the_same(tool, one)]
    after = _targets(chains, [tool], 3, rng)
    return list(
        {one.key: one for one in (tool, *after, *_targets(chains, after, 1, rng), *joined[:4], *near)}.values()
    )[:GROUP]


def _targets(chains: ChainEdges, sources: Sequence[Tool], most: int, rng: Random) -> list[Tool]:
    """Return of each source some tools that it leads to."""
    found: list[Tool] = []
    for source in sources:
        targets = list({flow.target.key: flow.target for flow in chains.get(source.key, ())}.values())
        found += rng.sample(targets, min(most, len(targets)))
    return found


def _takes_the_same(tool: Tool, other: Tool) -> bool:
    """Whether both require the same thing, so that a later request can refer to the earlier one's."""
    return any(
        is_identifier(slots(tool)[mine].kind, identity_of(tool, mine)) and takes_same(tool, mine, other, theirs)
        for mine in tool.required
        for theirs in other.required
    )
