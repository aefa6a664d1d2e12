"""The design of a data set: cells of the factorial, tools that people talk about, and the edges between them.

A cell is a number of rounds, a number of people and a type of dialogue; items go through the cells in turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import msgspec

from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.environment.told_outputs import outputs
from callwright.errors import BadInput
from callwright.formats import document, graph_file, published_graphs
from callwright.graph.value_flows import flows
from callwright.lang.verbs_of_acts import CHANGES, LOOKUPS, SEARCHES
from callwright.papers.dice.chat_filter import ends_it, makes_it, usable
from callwright.papers.dice.chat_things import are_apart, noun_of
from callwright.papers.dice.dice_options import TYPES, DiceOptions
from callwright.records.tool import Catalog, Tool, digest


class Cell(NamedTuple):
    """One cell of the factorial."""

    rounds: int
    party: int
    type: str

    @property
    def manner(self) -> str:
        """The first word of the type."""
        return self.type.partition("_")[0]


Edges = Mapping[str, tuple[str, ...]]
"""Name of a tool to those of its successors."""


def cells(rounds: str, parties: str) -> tuple[Cell, ...]:
    """Return the cells of ranges such as `1-4`.

    >>> len(cells("1-4", "2-4")), cells("2", "3")[0]
    (36, Cell(rounds=2, party=3, type='inquiry_information_seeking'))
    """
    return tuple(Cell(*one) for one in product(_range(rounds), _range(parties), TYPES))


def _range(text: str) -> range:
    first, _, last = text.partition("-")
    found = range(int(first), int(last or first) + 1)
    if not found:
        raise BadInput(f"{text!r} ends before it begins. Give the smaller number first.")
    return found


Flows = Mapping[tuple[str, str], tuple[tuple[str, str], ...]]
"""By the names of two tools, the parameters of the second that take a value of the first's result, and where it is."""


def flows_of(catalog: Catalog) -> Flows:
    """Return what results give to later calls, titles aside: people do not name a new thing after an old one.

    Nor do they go on with an invoice to a customer as with one of a supplier.
    """
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for flow in flows(catalog, Counter()):
        is_apart = are_apart(flow.source, flow.target, noun_of(flow.target, flow.parameter))
        if slots(flow.target)[flow.parameter].kind != "title" and not is_apart:
            found.setdefault((flow.source.name, flow.target.name), []).append((flow.parameter, flow.output.pointer()))
    return {pair: tuple(those) for pair, those in found.items()}


def with_same_names(flows_: Flows, edges: Edges, catalog: Catalog) -> Flows:
    """Return the flows with those along given edges: a result and a parameter of one name and kind."""
    found = dict(flows_)
    for source, target in ((source, target) for source, targets in edges.items() for target in targets):
        wanted = slots(catalog.by_name[target])
        same = [
            (one.name, one.pointer())
            for one in outputs(catalog.by_name[source])
            if one.name in wanted and wanted[one.name].kind == one.kind and not one.is_listed
        ]
        if same:
            found.setdefault((source, target), tuple(same))
    return found


def edges_of(catalog: Catalog, tools: Sequence[Tool], flows_: Flows, graph: str | None) -> Edges:
    """Return the edges between these tools: those of a graph file, or results that fill inputs. Raises BadInput."""
    known = {tool.name: tool for tool in tools}
    if graph is None:
        pairs = [(a, b) for a, b in flows_ if {a, b} <= known.keys() and leads_on(known[a], known[b])]
    else:
        pairs = _given_pairs(catalog, known, Path(graph))
    found: dict[str, list[str]] = {}
    for source, target in pairs:
        found.setdefault(source, []).append(target)
    return {source: tuple(targets) for source, targets in found.items()}


def is_akin(before: Tool, after: Tool) -> bool:
    """Whether two tools act on things that share a word."""
    return not gloss(before).object_stems.isdisjoint(gloss(after).object_stems)


def leads_on(before: Tool, after: Tool, *, is_apart: bool = False) -> bool:
    """Whether people go on so: not with what is gone, not to end what was just made, changed or sent, not to change
    what was just made, not to end what the round before only mentions, as the group of a device, nor the same.

    Where the two are `apart`, the second is another matter, of which the first tells nothing."""
    one, other = gloss(before).object_stems, gloss(after).object_stems
    changes = gloss(after).act in CHANGES and one == other
    if before is after or ends_it(before) or (makes_it(before) and changes):
        return False
    if ends_it(after) and not is_apart and (gloss(before).act not in LOOKUPS | SEARCHES or not one & other):
        return False
    return gloss(before).phrase != gloss(after).phrase


def check_design(options: DiceOptions, catalog: Catalog) -> None:
    """Raise BadInput where these options make no dialogues over the catalogue."""
    cells(options.rounds, options.parties)
    tools, _ = usable(catalog.tools)
    if not tools:
        raise BadInput("the catalogue has no tool whose call people could agree on. Import a document that has some.")
    if options.graph is not msgspec.UNSET:
        _given_pairs(catalog, {tool.name for tool in tools}, Path(options.graph))


def as_identified(options: DiceOptions, catalog: Catalog) -> DiceOptions:
    """Return the options with a graph named after its edges: no place or layout of the file makes other dialogues."""
    if options.graph is msgspec.UNSET:
        return options
    pairs = _given_pairs(catalog, catalog.by_name, Path(options.graph))
    return msgspec.structs.replace(options, graph=digest(*(end for pair in pairs for end in pair)))


def _given_pairs(catalog: Catalog, names: Collection[str], path: Path) -> list[tuple[str, str]]:
    """The edges of a graph file between the tools of these names, by name. Raises BadInput for a graph of other tools.

    A graph without edges is one too: it says that nothing leads on.
    """
    nodes, pairs = _named(catalog, path)
    if catalog.by_name.keys().isdisjoint(nodes):
        raise BadInput(f"{path}: it has no tools of the catalogue. Build it of the same catalogue.")
    return sorted({pair for pair in pairs if pair[0] in names and pair[1] in names})


def _named(catalog: Catalog, path: Path) -> tuple[Sequence[str], Sequence[tuple[str, str]]]:
    """The tools and the edges of a graph file, by name: keys are others where results were inferred since."""
    data = document.read_bounded(path)
    if not graph_file.fits(data):
        return published_graphs.read(document.loads(data, where=str(path), syntax="json"), source=str(path))
    graph = graph_file.read(data, source=str(path))
    names = graph.names | {tool.key: tool.name for tool in catalog.tools}
    edges = [(names[edge.source], names[edge.target]) for edge in graph.standing]
    return [names[key] for key in graph.nodes], edges
