"""The design of a data set: cells of the factorial, tools that people talk about, edges, and balanced chains.

A cell is a number of rounds, a number of people and a type of dialogue; items go through the cells in turn. Chains are
simple paths of the tool graph, chosen so that tools and edges are used evenly: uniform choice among all paths, as
published, lets a few hubs fill the data set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from callwright.author.wanted import left_out, wanted_parameters
from callwright.catalog.slots import slots
from callwright.environment.feeding import Feed, feeds
from callwright.errors import BadInput
from callwright.formats import document, graph_file, published_graphs
from callwright.records.tool import Catalog, Tool

TYPES: Final = ("inquiry_information_seeking", "persuasion_deliberation_negotiation", "eristic")
"""Types of dialogue (section 3); the first word of each names its phrases."""
MOST_TOOLS: Final = 300
"""Tools among which edges are looked for where no graph is given: their number grows with the square."""
_MOST_VALUES: Final = 5
_CHAINS: Final = 200
"""Chains of each length that are made in advance; items take them in turn."""
_SAID: Final = frozenset(
    "code city country email person currency title phone language date datetime time money percent count number year "
    "enum text url".split()
)


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


def talkable(tool: Tool) -> bool:
    """Whether people can agree on a call of the tool in a talk: it takes a few values, each said in one piece."""
    wanted, known = wanted_parameters(tool), slots(tool)
    return (
        not left_out(tool)
        and 1 <= len(wanted) <= _MOST_VALUES
        and all(name in tool.properties and known[name].kind in _SAID for name in wanted)
    )


def edges_of(catalog: Catalog, tools: Sequence[Tool], graph: str | None) -> Edges:
    """Return the edges between these tools: those of a graph file, or results that fill inputs. Raises BadInput."""
    names = {tool.name for tool in tools}
    if graph is None:
        some = tools[:MOST_TOOLS]
        pairs = [(a.name, b.name) for a in some for b in some if a is not b and telling_feeds(a, b)]
    else:
        pairs = [pair for pair in _file_pairs(catalog, Path(graph)) if names.issuperset(pair)]
        if not pairs:
            raise BadInput(f"{graph}: it joins no tools of the catalogue that people can talk about.")
    found: dict[str, list[str]] = {}
    for source, target in dict.fromkeys(pairs):
        found.setdefault(source, []).append(target)
    return {source: tuple(targets) for source, targets in found.items()}


def telling_feeds(before: Tool, after: Tool) -> tuple[Feed, ...]:
    """Return what a result gives to the next call, titles aside: people do not name a new thing after an old one."""
    return tuple(feed for feed in feeds(before, after) if slots(after)[feed.parameter].kind != "title")


def _file_pairs(catalog: Catalog, path: Path) -> list[tuple[str, str]]:
    data = document.read_bounded(path)
    if not graph_file.fits(data):
        return list(published_graphs.read(document.loads(data, where=str(path), syntax="json"), source=str(path)).links)
    graph, names = graph_file.read(data, source=str(path)), {tool.key: tool.name for tool in catalog.tools}
    return [
        (names[edge.source], names[edge.target])
        for edge in graph.standing
        if edge.source in names and edge.target in names
    ]


def balanced_chains(tools: Sequence[str], edges: Edges, length: int, rng: Random) -> tuple[tuple[str, ...], ...]:
    """Return simple paths of so many tools, each over what was used least so far; none where there is none."""
    used: Counter[str | tuple[str, str]] = Counter()
    starts = [name for name in tools if length == 1 or name in edges]
    found: list[tuple[str, ...]] = []
    for _ in range(_CHAINS if starts else 0):
        rng.shuffle(starts)
        starts.sort(key=lambda name: (min((used[name, after] for after in edges.get(name, ())), default=0), used[name]))
        chain = next(filter(None, (_walk((name,), edges, length, used, rng) for name in starts[:20])), ())
        if chain:
            found.append(chain)
            used.update(chain)
            used.update(pairwise(chain))
        else:
            used.update(starts[:20])
    return tuple(found)


def _walk(
    chain: tuple[str, ...], edges: Edges, length: int, used: Counter[str | tuple[str, str]], rng: Random
) -> tuple[str, ...]:
    if len(chain) == length:
        return chain
    last = chain[-1]
    after = [name for name in edges.get(last, ()) if name not in chain]
    rng.shuffle(after)
    after.sort(key=lambda name: (used[last, name], used[name]))
    return next(filter(None, (_walk((*chain, name), edges, length, used, rng) for name in after[:6])), ())
