"""The pairs of tools that a dialogue can be about: edges of the graph along which a user's missing value is found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from callwright.author.wanted import left_out
from callwright.environment.asked_parameters import parameters, shared_parameters
from callwright.environment.supplied_identifiers import identifies, is_own_output
from callwright.environment.told_outputs import Output, outputs
from callwright.environment.tool_target import target_of
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


def shared(pair: ToolPair) -> dict[str, str]:
    """Return the parameters of the target that the source has too: both have one value, which is told once."""
    return dict(shared_parameters(pair.target, pair.source)) if pair.source is not None else {}


def usable_pairs(catalog: Catalog, graph: ToolGraph) -> tuple[ToolPair, ...]:
    """Return the edges that a dialogue can use, in the order of the graph; the catalogue has result schemas.

    An edge is used where the source only looks something up, tells the value of the very thing that it is about or
    refers to, and a user can ask for both tools. A pair of tools is used with its first such edge for each input; where
    some source looks up the very thing, those that only refer to it are not used.
    """
    found: dict[tuple[str, str, str], ToolPair] = {}
    for edge in graph.standing:
        source, target = _tool(catalog, graph, edge.source), _tool(catalog, graph, edge.target)
        if source is None or target is None or left_out(source) or left_out(target):
            continue
        pair = next(_pairs(source, target, edge), None)
        if pair is not None:
            found.setdefault((source.key, target.key, edge.input), pair)
    direct = {(pair.target.key, pair.parameter) for pair in found.values() if is_own(pair)}
    return tuple(one for one in found.values() if is_own(one) or (one.target.key, one.parameter) not in direct)


def _tool(catalog: Catalog, graph: ToolGraph, key: str) -> Tool | None:
    """The tool of a node: by key, or by name, as a result schema that was inferred since changes the key."""
    return catalog.by_key.get(key) or catalog.by_name.get(graph.names[key])


def _pairs(source: Tool, target: Tool, edge: ToolEdge) -> Iterator[ToolPair]:
    if edge.input not in parameters(target) or target_of(source).act not in ("read", "list"):
        return
    for output in outputs(source):
        if output.pointer() == edge.output and (edge.edited or identifies(source, output, target, edge.input)):
            yield ToolPair(target, source, output, edge.input)


def is_own(pair: ToolPair) -> bool:
    """Return whether the value identifies the very thing that the source looks up or lists.

    Otherwise that thing refers to it: a late delivery has the ID of its order.
    """
    return pair.source is not None and pair.output is not None and is_own_output(pair.source, pair.output)
