"""The tools of one list: whose results feed which others, and which look alike to a request (section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import NamedTuple

from callwright.author.value_ids import id_forms
from callwright.catalog.gloss import gloss
from callwright.catalog.retrieval import Retriever
from callwright.catalog.slots import slots
from callwright.environment.feeding import Feed, feeds, takes_same
from callwright.environment.returns import identity_of
from callwright.environment.tool_target import target_of
from callwright.lang.tokens import stem, stem_set
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS
from callwright.papers.wild.session_memory import is_identifier, is_own
from callwright.records.dialogue import ShownTool
from callwright.records.tool import Catalog, Tool

GROUP = 8
"""Tools of a session if the catalogue has no lists."""


class FeedEdge(NamedTuple):
    """A tool whose result feeds another, both by place in the list."""

    producer: int
    consumer: int
    feed: Feed


class ToolPool:
    """The tools of one list."""

    def __init__(self, name: str, tools: Sequence[Tool], names: Sequence[str]) -> None:
        """`name` is that of the list, `names` are the shown names of the tools."""
        self.name = name
        self.tools = tuple(tools)
        self.names = tuple(names)

    @cached_property
    def ids(self) -> dict[str, str]:
        """The form of identifiers in the list, as the tools' results have it too."""
        return id_forms(self.tools)

    @cached_property
    def edges(self) -> tuple[FeedEdge, ...]:
        """Pairs of a producer and a consumer; never a tool and itself, nor two rivals."""
        pairs = [(i, j) for i in range(len(self.tools)) for j in range(len(self.tools)) if i != j]
        return tuple(
            FeedEdge(i, j, feed)
            for i, j in pairs
            if (i, j) not in self.rivals
            for feed in flows(self.tools[i], self.tools[j])
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


def flows(producer: Tool, consumer: Tool) -> tuple[Feed, ...]:
    """Return how a request lets one result feed the other call.

    What is created or listed feeds by its own identifier, what is read also by those of things that it belongs to, and
    an inferred result by whatever it was given for other tools. Nobody asks in one breath to create a thing and then to
    read, change or delete it, or to delete what is yet unseen.
    """
    act = target_of(producer).act
    if "delete" in (act, target_of(consumer).act):
        return ()
    own = target_of(consumer).own if act == "create" else ""
    return tuple(
        one
        for one in feeds(producer, consumer)
        if one.parameter != own
        and (act == "read" or producer.returns_inferred or is_own(producer, one.output))
        and _is_thing(one, consumer)
    )


def _is_thing(feed: Feed, consumer: Tool) -> bool:
    """Whether what flows is a thing or a place, or the name of a thing in a list."""
    kind, output = slots(consumer)[feed.parameter].kind, feed.output
    if kind == "code":
        identity, made = identity_of(consumer, feed.parameter), target_of(consumer)
        is_another = made.act == "create" and stem(made.noun) in identity[0]  # nothing is created from its own kind
        return is_identifier(kind, identity) and not is_another
    return kind in ("city", "country") or (output.is_listed and kind in ("title", "person"))


# -- rival tools -----------------------------------------------------------------------------------------------------


def are_rivals(one: Tool, other: Tool) -> bool:
    """Return whether a request for one tool could also mean the other."""
    mine, theirs = _telling_stems(one), _telling_stems(other)
    if not mine or not theirs:
        return True
    if _sort_of_act(one) != _sort_of_act(other) and None not in (_sort_of_act(one), _sort_of_act(other)):
        return False  # create a note, delete a note
    alike = mine <= theirs or theirs <= mine or len(mine & theirs) / len(mine | theirs) >= 0.6
    needs = {_needs(one), _needs(other)}
    return mine == theirs or (alike and (len(needs) == 1 or frozenset() in needs))


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


def pools_of(catalog: Catalog, *, seed: int) -> tuple[ToolPool, ...]:
    """Return the lists of the catalogue; if it has none, groups of related tools that cover all tools."""
    if not catalog.lists:
        return tuple(_grouped(catalog, seed))
    return tuple(
        ToolPool(one.name, [catalog.by_key[shown.key] for shown in one.tools], [shown.name for shown in one.tools])
        for one in catalog.lists
    )


def _takes_the_same(tool: Tool, other: Tool) -> bool:
    """Whether both require the same thing, so that a later request can refer to the earlier one's."""
    return any(
        is_identifier(slots(tool)[mine].kind, identity_of(tool, mine)) and takes_same(tool, mine, other, theirs)
        for mine in tool.required
        for theirs in other.required
    )


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
        fed = [i for i in near if flows(tool, catalog.tools[i]) or flows(catalog.tools[i], tool)]
        joined = [i for i in near if _takes_the_same(tool, catalog.tools[i])]
        chosen = list(dict.fromkeys([place, *fed[:3], *joined[:4], *near]))[:GROUP]
        covered |= set(chosen)
        tools = [catalog.tools[index] for index in chosen]
        groups.append(ToolPool("", tools, [one.name for one in tools]))
    return groups
