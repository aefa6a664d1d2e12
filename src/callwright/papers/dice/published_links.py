"""The published tool graph over a catalogue: one edge a pair of tools, with the fields where their names are equal."""

from __future__ import annotations

from typing import Final

from callwright.errors import BadDocument
from callwright.formats.published_graphs import Links
from callwright.records.jsontext import decode
from callwright.records.tool import Catalog, Tool
from callwright.records.tool_graph import GraphTool, ToolEdge, ToolGraph

CONTEXTUAL: Final = "contextual"
"""Evidence of an edge whose tools share no name of a result and a parameter: only the talk can join them."""


def to_graph(links: Links, catalog: Catalog) -> ToolGraph:
    """Return the graph of the linked tools; links that repeat become one edge.

    Raises BadDocument for a tool without a document.
    """
    if stranger := next((name for name in links.nodes if name not in catalog.by_name), ""):
        raise BadDocument(
            f"the graph has {stranger!r:.80}, which no document describes. Add the tool, or leave it out."
        )
    tools = [catalog.by_name[name] for name in links.nodes]
    return ToolGraph(
        catalog=catalog.digest,
        nodes=tuple(tool.key for tool in tools),
        tools=tuple(GraphTool(tool.key, tool.name) for tool in tools),
        edges=tuple(
            _edge(catalog.by_name[source], catalog.by_name[target]) for source, target in dict.fromkeys(links.links)
        ),
    )


def _edge(source: Tool, target: Tool) -> ToolEdge:
    shared = next((name for name in _results(source) if name in target.properties), "")
    return ToolEdge(
        source=source.key,
        target=target.key,
        output=f"/{shared}" if shared else "",
        input=shared,
        evidence=f"both are called {shared}" if shared else CONTEXTUAL,
    )


def _results(tool: Tool) -> list[str]:
    schema = decode(tool.returns) if tool.returns else None
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return list(properties) if isinstance(properties, dict) else []
