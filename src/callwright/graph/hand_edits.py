"""People's changes to a graph, kept when it is made again.

An edge with `"edited": true` replaces what the criteria say of the same fields. With `"confidence": 0` it is removed:
it stays in the file and counts nowhere. Edges follow their tools by key, else by name.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from callwright.records.tool_graph import ToolEdge, ToolGraph


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
