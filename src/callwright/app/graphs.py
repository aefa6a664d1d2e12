"""Tool graphs: our own and published ones, read and counted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from callwright.errors import BadDocument, unknown_name
from callwright.formats import document, graph_file, published_graphs
from callwright.formats.published_graphs import Links
from callwright.graph.graph_texts import LAYOUTS
from callwright.graph.statistics import GraphStatistics, statistics
from callwright.records.tool_graph import ToolGraph

T = TypeVar("T", bound=Hashable)


def read_links(path: str | Path) -> Links:
    """Return the tools and links of a graph file: ours, DICE-BENCH's or TaskBench's. Raises BadInput.

    Tools of our own files are named by their keys. Links between the same two tools over other fields are repeated.
    """
    path = Path(path)
    found = document.load(path)
    if published_graphs.fits(found):
        return published_graphs.read(found, source=str(path))
    if not isinstance(found, dict) or not {"nodes", "edges"} <= found.keys():
        raise BadDocument(f"{path}: no tool graph. Give a graph.json, or a graph of DICE-BENCH or TaskBench.")
    own: ToolGraph = graph_file.read(path.read_bytes(), source=str(path))
    return Links(own.nodes, tuple((edge.source, edge.target) for edge in own.edges))


class GraphChange(msgspec.Struct, frozen=True, kw_only=True):
    """What two graphs do not share, by the names of tools."""

    nodes_added: tuple[str, ...]
    nodes_removed: tuple[str, ...]
    edges_added: tuple[tuple[str, str], ...]
    edges_removed: tuple[tuple[str, str], ...]


def compare_graphs(old: str | Path, new: str | Path) -> GraphChange:
    """Return what the second graph file has and the first has not, and the other way round. Raises BadInput."""
    before, after = read_links(old), read_links(new)
    return GraphChange(
        nodes_added=_absent(after.nodes, before.nodes),
        nodes_removed=_absent(before.nodes, after.nodes),
        edges_added=_absent(after.links, before.links),
        edges_removed=_absent(before.links, after.links),
    )


def _absent(ones: Iterable[T], others: Iterable[T]) -> tuple[T, ...]:
    """The ones that are not among the others, each once."""
    known = set(others)
    return tuple(dict.fromkeys(one for one in ones if one not in known))


def export_graph(path: str | Path, layout: str) -> str:
    """Return a graph file as text in the layout `graphml`, `dot` or `csv`. Raises BadInput."""
    if layout not in LAYOUTS:
        raise unknown_name("layout of graphs", layout, list(LAYOUTS))
    return LAYOUTS[layout](*read_links(path))


def graph_statistics(path: str | Path) -> GraphStatistics:
    """Return the statistics of a graph file (see `read_links`). Raises BadInput."""
    return statistics(*read_links(path))
