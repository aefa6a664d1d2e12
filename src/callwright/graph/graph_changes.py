"""The differences of two tool graphs, edge by edge: an edge joins one output of a tool with one input of another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

import msgspec

from callwright.records.tool_graph import ToolEdge, ToolGraph

T = TypeVar("T", bound=Hashable)


class EdgePlace(msgspec.Struct, frozen=True, kw_only=True, rename={"source": "from", "target": "to"}):
    """The two tools of an edge, by name, and their fields; None where only the tools are known."""

    source: str
    target: str
    output: str | None = None
    input: str | None = None


class EdgeStanding(msgspec.Struct, frozen=True):
    """How sure an edge is, and whether somebody edited it."""

    confidence: float | None
    edited: bool


class ChangedEdge(EdgePlace, frozen=True, kw_only=True):
    """An edge that both graphs have, with another confidence or mark."""

    before: EdgeStanding
    after: EdgeStanding


class GraphChange(msgspec.Struct, frozen=True, kw_only=True):
    """The differences between two graphs, by the names of tools."""

    nodes_added: tuple[str, ...]
    nodes_removed: tuple[str, ...]
    edges_added: tuple[EdgePlace, ...]
    edges_removed: tuple[EdgePlace, ...]
    edges_changed: tuple[ChangedEdge, ...]


def changes(old: ToolGraph, new: ToolGraph) -> GraphChange:
    """Return what the second graph has and the first has not, the other way round, and what differs.

    Nodes are names, and edges that somebody removed are left out. Where one graph tells the tools of its edges only,
    pairs of tools are compared.
    """
    told = [
        _by_fields(graph) if _tells_fields(old) and _tells_fields(new) else _by_tools(graph) for graph in (old, new)
    ]
    before, after = told
    return GraphChange(
        nodes_added=_absent(new.nodes, old.nodes),
        nodes_removed=_absent(old.nodes, new.nodes),
        edges_added=_absent(after, before),
        edges_removed=_absent(before, after),
        edges_changed=tuple(
            ChangedEdge(**msgspec.structs.asdict(place), before=standing, after=after[place])
            for place, standing in before.items()
            if after.get(place, standing) != standing
        ),
    )


def _tells_fields(graph: ToolGraph) -> bool:
    return not graph.edges or any(edge.output or edge.input for edge in graph.edges)


def _by_fields(graph: ToolGraph) -> dict[EdgePlace, EdgeStanding]:
    return {_place(edge): EdgeStanding(edge.confidence, edge.edited) for edge in graph.edges}


def _by_tools(graph: ToolGraph) -> dict[EdgePlace, EdgeStanding]:
    nothing = EdgeStanding(None, edited=False)
    return {EdgePlace(source=edge.source, target=edge.target): nothing for edge in graph.edges}


def _place(edge: ToolEdge) -> EdgePlace:
    return EdgePlace(source=edge.source, target=edge.target, output=edge.output or None, input=edge.input or None)


def _absent(ones: Iterable[T], others: Iterable[T]) -> tuple[T, ...]:
    """The ones that are not among the others, each once."""
    known = set(others)
    return tuple(dict.fromkeys(one for one in ones if one not in known))
