"""The tools of one list: whose results feed which others, and which look alike to a request (section 3.2).

The edges are those of the tool graph over the whole catalogue (`graph.value_flows`), less those along which nobody
asks in one breath:

    source_changes   what is changed or deleted is known to the user already
    just_made        nobody reads, changes or deletes what he makes in the same message
    unseen           nobody has something removed that he has not looked at
    same_again       the second call would look up the very thing that the first one did
    not_its_own      an item of a list stands for itself; what belongs to it has no short name
    no_thing         the value is no thing that one can refer to
    ambiguous        the result has several such things
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import NamedTuple

from callwright.author.value_ids import IdForms, id_forms
from callwright.catalog.gloss import gloss
from callwright.catalog.retrieval import Retriever
from callwright.catalog.slots import slots
from callwright.environment.returns import identity_of
from callwright.environment.told_outputs import is_own, takes_same
from callwright.environment.tool_target import target_of
from callwright.graph.value_flows import Flow, flows
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words
from callwright.lang.tokens import identifier_words, stem, stem_set
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS
from callwright.papers.wild.ending_acts import closes, needs_a_past, removes
from callwright.papers.wild.session_memory import is_identifier
from callwright.records.dialogue import ShownTool
from callwright.records.tool import Catalog, Tool

# -- which tools people ask for one after the other (3.3) ------------------------------------------------------------

ChainEdges = Mapping[str, tuple[Flow, ...]]
"""By the key of the source."""


def chain_edges(catalog: Catalog) -> tuple[ChainEdges, Counter[str]]:
    """Return the edges along which people ask, and the numbers of the others by reason."""
    refused: Counter[str] = Counter()
    found: dict[str, list[Flow]] = defaultdict(list)
    for flow in _unambiguous(flows(catalog, refused), refused):
        why = why_not_asked(flow)
        refused[why] += bool(why)
        if not why:
            found[flow.source.key].append(flow)
    return {key: tuple(those) for key, those in found.items()}, +refused


@lru_cache(maxsize=65536)
def flows_between(source: Tool, target: Tool) -> tuple[Flow, ...]:
    """Return the edges between two tools alone."""
    return chain_edges(Catalog(tools=(source, target)))[0].get(source.key, ())


def _unambiguous(those: Iterable[Flow], refused: Counter[str]) -> Iterator[Flow]:
    """Yield of each source and parameter the flow of the source's own identifier, or the only one."""
    groups: dict[tuple[str, str, str], list[Flow]] = defaultdict(list)
    for one in those:
        groups[one.source.key, one.target.key, one.parameter].append(one)
    for group in groups.values():
        own = [one for one in group if is_own(one.source, one.output)]
        refused["ambiguous"] += len(group) if len(group) > 1 and not own else 0
        if own or len(group) == 1:  # the `id` of a company, and no `company_id` that somebody gave it
            yield min(own or group, key=lambda one: not ID_WORDS.issuperset(name_words(one.output.name)))


def why_not_asked(flow: Flow) -> str:
    """Return why nobody asks for the two calls in one breath; empty where people do."""
    source, target = target_of(flow.source), target_of(flow.target)
    own = is_own(flow.source, flow.output)
    is_same = stem(source.noun) == stem(target.noun)
    if source.act in ("change", "delete"):
        return "source_changes"
    if source.act == "create":
        if (
            closes(flow.target)
            or needs_a_past(flow.target)
            or (is_same and _only_keeps(flow.target) and not _awaits(flow.source, flow.target))
        ):
            return "just_made"
    elif removes(flow.target) and (source.act == "list" or not own):
        return "unseen"
    elif source.act == target.act == "read" and is_same:
        return "same_again"  # also by another of its names: nobody asks for a photo and then for its photo
    is_its = own or source.act == "read" or flow.source.returns_inferred or _awaits(flow.source, flow.target)
    return "not_its_own" if not is_its else "" if _is_thing(flow) else "no_thing"


def _only_keeps(tool: Tool) -> bool:
    """Whether a tool reads or edits a thing; what else it does, such as to send or to approve it, is a use of it."""
    about = target_of(tool)
    return about.act == "list" or about.verb in LOOKUPS | CHANGES


def _awaits(source: Tool, target: Tool) -> bool:
    """Whether the target reads what comes of what the source starts: both have one name but for their verbs."""
    begun, read = (frozenset(map(stem, identifier_words(one.name)[1:])) for one in (source, target))
    reads = target_of(target).act in ("read", "list")
    return target_of(source).verb in _STARTS and reads and bool(begun) and begun <= read


_STARTS = frozenset("start begin launch run submit initiate trigger".split())


def _is_thing(flow: Flow) -> bool:
    """Whether what flows is a thing, or the name of a thing in a list; nothing is created from its own kind."""
    kind, made = slots(flow.target)[flow.parameter].kind, target_of(flow.target)
    if kind != "code":
        return flow.output.is_listed and kind in ("title", "person")
    identity = identity_of(flow.target, flow.parameter)
    is_another = made.act == "create" and made.verb in CREATES and stem(made.noun) in identity[0]
    return is_identifier(kind, identity) and not is_another


GROUP = 8
"""Tools of a session if the catalogue has no lists."""


class FeedEdge(NamedTuple):
    """A tool whose result feeds another, both by place in the list."""

    producer: int
    consumer: int
    flow: Flow


class ToolPool:
    """The tools of one list."""

    def __init__(
        self, name: str, tools: Sequence[Tool], names: Sequence[str], chains: ChainEdges, kin: IdForms
    ) -> None:
        """`name` is that of the list, `names` are the shown names of the tools; `chains` are the catalogue's edges.

        `kin` is the form of identifiers in all tools of the same services.
        """
        self.name = name
        self.tools = tuple(tools)
        self.names = tuple(names)
        self._chains = chains
        self._kin = kin

    @cached_property
    def ids(self) -> dict[str, str]:
        """The form of identifiers in the list, as the tools' results have it too; else in all tools of its services."""
        return {**self._kin, **id_forms(self.tools)}

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
    """The stems of what a tool is about; by what it is found a later request may leave out."""
    chunks = (chunk for chunk in gloss(tool).chunks if chunk.preposition != "by")
    return frozenset[str]().union(*(chunk.stems for chunk in chunks)) - _SAYS_LITTLE


def _needs(tool: Tool) -> frozenset[str]:
    return frozenset(slots(tool)[name].kind for name in tool.required)


# -- lists -----------------------------------------------------------------------------------------------------------


def pools_of(catalog: Catalog, chains: ChainEdges, *, seed: int) -> tuple[ToolPool, ...]:
    """Return the lists of the catalogue; if it has none, groups around its edges that cover all tools."""
    served: dict[str, list[Tool]] = defaultdict(list)
    for tool in catalog.tools:
        served[tool.service].append(tool)
    forms = {service: id_forms(tools) for service, tools in served.items()}
    if catalog.lists:
        named = [(one.name, [(catalog.by_key[shown.key], shown.name) for shown in one.tools]) for one in catalog.lists]
    else:
        named = [("", [(tool, tool.name) for tool in tools]) for tools in _groups(catalog, chains, seed)]
    return tuple(
        ToolPool(
            name,
            [tool for tool, _ in shown],
            [called for _, called in shown],
            chains,
            {owner: form for tool, _ in reversed(shown) for owner, form in forms[tool.service].items()},
        )
        for name, shown in named
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
