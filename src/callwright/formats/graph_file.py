"""The file `graph.json`: a tool graph beside its catalogue, one edge a line, so that people can edit it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import isfinite
from typing import Final

import msgspec

from callwright.errors import BadDocument, BadRecord
from callwright.records.codec import from_line, to_line
from callwright.records.jsontext import MAX_BYTES
from callwright.records.tool_graph import ToolEdge, ToolGraph

GRAPH: Final = "graph.json"

_MOST_NAMED = 3


def write(graph: ToolGraph) -> bytes:
    """Return the bytes of `graph.json`, the same for one graph. Raises BadRecord for what `read` would refuse."""
    _refuse_faults(graph, GRAPH)
    head = to_line(msgspec.structs.replace(graph, edges=())).decode()
    before, edges, after = head.rpartition('"edges":[]')
    lines = ",\n".join(to_line(edge).decode() for edge in graph.edges)
    return f"{before}{edges[:-1]}\n{lines}\n]{after}\n".encode()


def line_of(edge: int) -> int:
    """Return the line, from 1, on which `write` puts the edge at a position."""
    return edge + 2


class _Head(msgspec.Struct):
    nodes: msgspec.Raw
    edges: msgspec.Raw


def fits(data: bytes) -> bool:
    """Return whether a file is an object with `nodes` and `edges`, as ours is."""
    try:
        msgspec.json.decode(data, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


def read(data: bytes, *, source: str) -> ToolGraph:
    """Return the graph that `write` wrote; `source` is named in errors.

    Raises BadRecord for malformed or oversized JSON, other versions, unknown fields, nodes or edges that stand twice,
    ends that are no node, edges from a tool to itself, and confidences outside 0 to 1; BadDocument for other JSON.
    """
    if len(data) > MAX_BYTES:
        raise BadRecord(f"{source}: over {MAX_BYTES:,} bytes. Split the catalogue, and make a graph for each part.")
    try:
        msgspec.json.decode(data, type=_Head)
    except msgspec.ValidationError as error:
        raise BadDocument(
            f"{source}: holds no tool graph with fields, as published graphs hold none. "
            "Make one with `callwright graph build CATALOG -o NEW.json`."
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass  # what is wrong with it is said below
    graph = from_line(data, ToolGraph, where=source)
    _refuse_faults(graph, source)
    return graph


def _refuse_faults(graph: ToolGraph, where: str) -> None:
    faults = _faults(graph)
    if named := list(islice(faults, _MOST_NAMED)):
        more = sum(1 for _ in faults)
        rest = f"; {more:,} more" if more else ""
        raise BadRecord(f"{where}: {'; '.join(named)}{rest}. Correct or remove them, or make the graph again.")


def _faults(graph: ToolGraph) -> Iterator[str]:
    nodes: set[str] = set()
    keys = {tool.name: tool.key for tool in graph.tools}
    for at, node in enumerate(graph.nodes):
        if node in nodes:
            yield f"nodes[{at}] repeats {node[:80]!r}"
        nodes.add(node)
    if graph.tools and tuple(tool.key for tool in graph.tools) != graph.nodes:
        yield "tools are not the nodes in their order"
    seen: dict[tuple[str, str, str, str], int] = {}
    for at, edge in enumerate(graph.edges):
        yield from (f"edges[{at}] {fault}" for fault in _edge_faults(edge, nodes, keys))
        if (first := seen.setdefault(edge.ends, at)) != at:
            yield f"edges[{at}] repeats edges[{first}]"


def _edge_faults(edge: ToolEdge, nodes: set[str], keys: dict[str, str]) -> Iterator[str]:
    for field, key in (("source", edge.source), ("target", edge.target)):
        if key not in nodes:
            known = f" (the key of that tool is {keys[key][:80]!r})" if key in keys else ""
            yield f"has the {field} {key[:80]!r}, which is no node{known}"
    if edge.source == edge.target:
        yield f"leads from {edge.source[:80]!r} to itself"
    if not all(isfinite(score.value) for score in edge.scores):
        yield "has a score that is no finite number"
    if edge.confidence is not None and not 0 <= edge.confidence <= 1:
        yield f"has the confidence {edge.confidence}, which is not from 0 to 1"
