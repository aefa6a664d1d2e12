"""Tool graphs: our own and published ones, read and counted."""

from __future__ import annotations

from pathlib import Path

from callwright.errors import BadDocument
from callwright.formats import document, graph_file, published_graphs
from callwright.formats.published_graphs import Links
from callwright.graph.statistics import GraphStatistics, statistics
from callwright.records.tool_graph import ToolGraph


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


def graph_statistics(path: str | Path) -> GraphStatistics:
    """Return the statistics of a graph file (see `read_links`). Raises BadInput."""
    return statistics(*read_links(path))
