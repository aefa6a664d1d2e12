"""People's changes to a graph, kept when it is made again.

An edge with `"edited": true` replaces what the criteria say of the same fields. With `"confidence": 0` it is removed:
it stays in the file and counts nowhere. Edges follow their tools by key, else by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final, NamedTuple

import msgspec

from callwright.catalog.slots import slots
from callwright.environment.returns import with_returns
from callwright.formats import graph_file
from callwright.graph.graph_fields import has_output, output_fields
from callwright.records.tool import Catalog
from callwright.records.tool_graph import ToolEdge, ToolGraph

_MOST_NAMED: Final = 3


class KeptEdits(NamedTuple):
    """A graph with the edits of an older one."""

    graph: ToolGraph
    kept: int
    lost: tuple[ToolEdge, ...]
    """Edited edges whose tools the catalogue no longer has."""


def keep_edits(graph: ToolGraph, older: ToolGraph) -> KeptEdits:
    """Return the graph with the edited edges of an older one."""
    keys = {name: key for key, name in graph.names.items()}
    now = {key: key if key in graph.names else keys.get(name, "") for key, name in older.names.items()}
    edges = {edge.ends: edge for edge in graph.edges}
    lost, kept = [], 0
    for edge in older.edges:
        if not edge.edited:
            continue
        source, target = now[edge.source], now[edge.target]
        if not source or not target or source == target:
            lost.append(edge)
            continue
        moved = msgspec.structs.replace(edge, source=source, target=target)
        edges[moved.ends] = moved
        kept += 1
    places = {key: place for place, key in enumerate(graph.nodes)}
    ordered = sorted(edges.values(), key=lambda one: (places[one.source], one.output, places[one.target], one.input))
    return KeptEdits(msgspec.structs.replace(graph, edges=tuple(ordered)), kept, tuple(lost))


class UnknownField(NamedTuple):
    """A field of an edited edge that its tool does not have."""

    edge: int
    """Position of the edge in the graph."""
    tool: str
    is_output: bool
    field: str
    nearest: tuple[str, ...]
    """Fields of the tool with like names."""

    def said(self) -> str:
        """Return where the edge stands in a file, and what is unknown in it."""
        what = "output" if self.is_output else "input"
        nearest = f" (nearest: {', '.join(self.nearest)})" if self.nearest else ""
        return f"line {graph_file.line_of(self.edge)}, edited by hand: {self.tool} has no {what} {self.field}{nearest}"


def unknown_fields(graph: ToolGraph, catalog: Catalog) -> tuple[UnknownField, ...]:
    """Return the fields of edited edges between tools of a catalogue that these tools do not have."""
    keys = catalog.by_key.keys()
    edited = [(at, one) for at, one in enumerate(graph.edges) if one.edited and {one.source, one.target} <= keys]
    return tuple(_unknown(edited, catalog)) if edited else ()


def _unknown(edited: list[tuple[int, ToolEdge]], catalog: Catalog) -> Iterator[UnknownField]:
    told = dict(zip((tool.key for tool in catalog.tools), with_returns(catalog).tools, strict=True))
    for at, edge in edited:
        source, target = told[edge.source], told[edge.target]
        if edge.output and not has_output(source, edge.output):
            nearest = _nearest(edge.output, [field.place for field in output_fields(source)])
            yield UnknownField(at, source.name, is_output=True, field=edge.output, nearest=nearest)
        if edge.input and edge.input not in (known := slots(target)):
            nearest = _nearest(edge.input, list(known))
            yield UnknownField(at, target.name, is_output=False, field=edge.input, nearest=nearest)


def _nearest(field: str, known: list[str]) -> tuple[str, ...]:
    return tuple(get_close_matches(field[:200], known, _MOST_NAMED, cutoff=0))
