"""The pairs of tools that a dialogue can be about: edges of the graph along which a user's missing value is found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from callwright.author.askable_tools import left_out
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.environment.asked_parameters import asked_slots, parameters, shared_parameters
from callwright.environment.supplied_identifiers import identifies, is_own_output
from callwright.environment.told_outputs import Output, outputs
from callwright.environment.tool_target import IN_PATH, target_of
from callwright.lang.english import is_plural
from callwright.lang.kinds import ID_WORDS
from callwright.lang.lexicon import word_set
from callwright.lang.schemas import name_words
from callwright.lang.tokens import content_stems, stem
from callwright.records.tool import Catalog, Tool
from callwright.records.tool_graph import ToolEdge, ToolGraph


class ToolPair(NamedTuple):
    """A tool that a user wants, and where there is one the tool that supplies a value for it."""

    target: Tool
    source: Tool | None = None
    output: Output | None = None
    """Field of the source's result that is the missing value."""
    parameter: str = ""
    """Parameter of the target that takes it."""

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The wanted tool, and the one that supplies a value for it."""
        return (self.target,) if self.source is None else (self.target, self.source)


def shared(pair: ToolPair) -> dict[str, str]:
    """Return the parameters of the target that the source has too: both have one value, which is told once."""
    return dict(shared_parameters(pair.target, pair.source)) if pair.source is not None else {}


def usable_pairs(catalog: Catalog, graph: ToolGraph) -> tuple[ToolPair, ...]:
    """Return the edges that a dialogue can use, in the order of the graph; the catalogue has result schemas.

    An edge is used where the source only looks something up, tells the value of the very thing that it is about or
    refers to, and a user can ask for both tools; its result must be of what the user means, and contradict nothing that
    the user says. A pair of tools is used with its first such edge for each input; where some source looks up the very
    thing, those that only refer to it are not used. Edges that somebody edited are used as they are.
    """
    found: dict[tuple[str, str, str], ToolPair] = {}
    edited: set[ToolPair] = set()
    for edge in graph.standing:
        source, target = _tool(catalog, graph, edge.source), _tool(catalog, graph, edge.target)
        if source is None or target is None or left_out(source) or left_out(target):
            continue
        pair = next(_pairs(source, target, edge), None)
        if pair is not None:
            found.setdefault((source.key, target.key, edge.input), pair)
            edited |= {pair} if edge.edited else set()
    direct = {(pair.target.key, pair.parameter) for pair in found.values() if is_own(pair)}
    best = (one for one in found.values() if is_own(one) or (one.target.key, one.parameter) not in direct)
    return tuple(one for one in best if one in edited or _is_usable(one))


def _tool(catalog: Catalog, graph: ToolGraph, key: str) -> Tool | None:
    """The tool of a node: by key, or by name, as a result schema that was inferred since changes the key."""
    return catalog.by_key.get(key) or catalog.by_name.get(graph.names[key])


def _pairs(source: Tool, target: Tool, edge: ToolEdge) -> Iterator[ToolPair]:
    if edge.input not in parameters(target) or target_of(source).act not in ("read", "list"):
        return
    for output in outputs(source):
        if output.pointer() == edge.output and (edge.edited or identifies(source, output, target, edge.input)):
            yield ToolPair(target, source, output, edge.input)


def _is_usable(pair: ToolPair) -> bool:
    """Whether the source's result is of what the user means, and tells nothing that the user says otherwise."""
    assert pair.source is not None
    assert pair.output is not None
    is_meant = pair.output.is_listed or _is_the_one_meant(pair.source)
    is_by_chance = _BY_CHANCE.search(gloss(pair.source).object) is not None
    is_clear = is_meant and not is_by_chance and pair.parameter not in shared(pair)
    is_needed = pair.output.is_listed or not _looks_up_the_same(pair.target, pair.source)
    is_told_apart = not (_makes_another(pair.target, pair.source) or _is_ambiguous(pair) or _tells_otherwise(pair))
    return is_clear and is_needed and is_told_apart


def _looks_up_the_same(target: Tool, source: Tool) -> bool:
    """Whether the source finds the one thing that the target looks up in another way: it is the answer."""
    asked, found = target_of(target), target_of(source)
    return asked.act == "read" and asked.named == found.named


def _is_the_one_meant(source: Tool) -> bool:
    """Whether the one thing that is looked up is the user's: found by the user's words, or the only one that there is.

    A result that is inferred to be one thing, though several are asked for, is one of them by chance; and what is
    found by several things, such as users, need not be of the one that is meant.
    """
    said = gloss(source).object
    if any(slot.noun.plural for slot in asked_slots(source, parameters(source))):
        return False
    if source.returns_inferred and is_plural(head := gloss(source).chunks[0].text):
        return head.rpartition(" ")[2] in word_set("always_plural")
    return bool(parameters(source)) or _ONLY_ONE.match(said) is not None


_BY_CHANCE: Final = re.compile(r"\b(?:random|of the day)\b", re.IGNORECASE)
_ONLY_ONE: Final = re.compile(r"(?:the|your|my) ")


def _makes_another(target: Tool, source: Tool) -> bool:
    """Whether the target makes a new thing of the kind that the source looks up: the old one does not decide it."""
    made, found = target_of(target), target_of(source)
    return made.act == "create" and stem(made.noun) == stem(found.noun)


def _is_ambiguous(pair: ToolPair) -> bool:
    """Whether both tools ask for values of one name that are not the same value: each would seem told by the other.

    So are those of two names with one description: the `product to buy` of a search, the `item to buy` of an order.
    """
    assert pair.source is not None
    mine, theirs = (
        {one: slots(tool)[one].noun.text for one in parameters(tool) if one in slots(tool)}
        for tool in (pair.target, pair.source)
    )
    common = shared(pair)
    alike = partial(_is_described_alike, pair.target, pair.source)
    pairs = ((name, other) for name in mine for other in theirs if mine[name] == theirs[other] or alike(name, other))
    return any(common.get(name) != other for name, other in pairs)


def _is_described_alike(target: Tool, source: Tool, mine: str, theirs: str) -> bool:
    """Whether two values that people name are described in the same words, but for their own names."""
    own, other = slots(target)[mine], slots(source)[theirs]
    if not _NAMED.issuperset((own.kind, other.kind)):
        return False
    said = (set(content_stems(one.description)) - set(content_stems(one.noun.text)) for one in (own, other))
    return len({frozenset(one) or name for one, name in zip(said, (mine, theirs), strict=True)}) == 1


_NAMED: Final = frozenset(("title", "text", "other"))
"""Kinds of values that are names of things."""


def _tells_otherwise(pair: ToolPair) -> bool:
    """Whether the source's result also tells which of its kind another value of the target is, which the user says."""
    assert pair.source is not None
    given = {name_words(one.name) for one in outputs(pair.source)}
    rest = (name for name in parameters(pair.target) if name != pair.parameter and name not in shared(pair))
    return any(name_words(name) in given and _finds(pair.target, name) for name in rest)


def _finds(tool: Tool, name: str) -> bool:
    return not ID_WORDS.isdisjoint(name_words(name)[-1:]) or name in IN_PATH.findall(tool.source)


def is_own(pair: ToolPair) -> bool:
    """Return whether the value identifies the very thing that the source looks up or lists.

    Otherwise that thing refers to it: a late delivery has the ID of its order.
    """
    return pair.source is not None and pair.output is not None and is_own_output(pair.source, pair.output)
