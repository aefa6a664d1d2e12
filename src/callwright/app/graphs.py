"""Tool graphs: our own and published ones, read and counted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from callwright.app.catalogs import read_catalog
from callwright.errors import BadDocument, unknown_name
from callwright.formats import document, graph_file, published_graphs
from callwright.formats.published_graphs import Links
from callwright.graph.graph_build import Criteria
from callwright.graph.graph_texts import LAYOUTS
from callwright.graph.statistics import GraphStatistics, statistics
from callwright.records.tool_graph import ToolEdge, ToolGraph

T = TypeVar("T", bound=Hashable)


def read_links(path: str | Path) -> Links:
    """Return the tools and links of a graph file: ours, DICE-BENCH's or TaskBench's. Raises BadInput.

    Links between the same two tools over other fields are repeated; edges that somebody removed are left out.
    """
    data = document.read_bounded(Path(path))
    if graph_file.fits(data):
        own = graph_file.read(data, source=str(path))
        names = own.names
        return Links(tuple(names.values()), tuple((names[edge.source], names[edge.target]) for edge in own.standing))
    found = document.loads(data, where=str(path), syntax="json")
    if published_graphs.fits(found):
        return published_graphs.read(found, source=str(path))
    raise BadDocument(f"{path}: no tool graph. Give a graph.json, or a published graph with `nodes` and `links`.")


def read_graph(path: str | Path) -> ToolGraph:
    """Return the graph of one of our own files. Raises BadInput."""
    data = document.read_bounded(Path(path))
    if not graph_file.fits(data):
        raise BadDocument(f"{path}: no graph.json. Make one with `callwright graph build CATALOG -o graph.json`.")
    return graph_file.read(data, source=str(path))


class GraphMade(msgspec.Struct, frozen=True, kw_only=True):
    """What `callwright graph build` prints: the graph's size, and what became of all pairs of fields."""

    tools: int
    edges: int
    """Pairs of an output and an input."""
    linked: int
    """Pairs of tools."""
    outputs: int
    inputs: int
    inferred: int
    """Edges whose output is not documented."""
    excluded: dict[str, int]
    """Pairs that are no edge, by reason."""
    edits_kept: int
    edits_lost: tuple[str, ...]
    """Edited edges whose tools the catalogue no longer has."""


def make_graph(
    source: str,
    out: str | Path,
    *,
    criteria: Criteria = "default",
    encoder: str | None = None,
    creating: bool = False,
) -> GraphMade:
    """Build the tool graph of a catalogue and write it to `out`, keeping what people edited in a graph there.

    `criteria` are ours or ToolDial's (`paper`). `encoder` is a sentence encoder (see `catalog.sentence_encoder`); None
    stands for the lexical one. Raises BadInput.
    """
    from callwright.catalog.sentence_encoder import load
    from callwright.graph.graph_build import build_graph
    from callwright.graph.hand_edits import KeptEdits, keep_edits
    from callwright.store.files import write_atomically

    out = Path(out)
    older = read_graph(out) if out.exists() else None
    catalog = read_catalog(source)
    built = build_graph(
        catalog, criteria=criteria, encoder=load(encoder) if encoder else None, creating=creating, source=source
    )
    edits = keep_edits(built.graph, older) if older else KeptEdits(built.graph, 0, ())
    standing = edits.graph.standing
    write_atomically(out, [graph_file.write(edits.graph)])
    return GraphMade(
        tools=len(edits.graph.nodes),
        edges=len(standing),
        linked=len({(edge.source, edge.target) for edge in standing}),
        outputs=built.outputs,
        inputs=built.inputs,
        inferred=sum(edge.inferred for edge in standing),
        excluded=built.excluded,
        edits_kept=edits.kept,
        edits_lost=tuple(_said(edge, older) for edge in edits.lost) if older else (),
    )


def _said(edge: ToolEdge, graph: ToolGraph) -> str:
    names = graph.names
    return f"{names[edge.source]} {edge.output} -> {names[edge.target]} {edge.input}"


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
