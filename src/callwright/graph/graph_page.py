"""A tool graph as one HTML file: a picture to search, zoom and click in; it loads nothing, and names are only text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files

from callwright.records.jsontext import Json
from callwright.records.tool_graph import ToolGraph

_ESCAPES = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


def page_of(graph: ToolGraph) -> str:
    """Return the page of one of our graphs, with the evidence of each edge; removed edges are left out."""
    places = {key: place for place, key in enumerate(graph.nodes)}
    domains = {tool.key: tool.domain for tool in graph.tools}
    texts: dict[str, int] = {}
    links: dict[tuple[int, int], list[Json]] = {}
    for edge in graph.standing:
        scores = {score.name: round(score.value, 3) for score in edge.scores}
        numbers = [texts.setdefault(text, len(texts)) for text in (edge.output, edge.input, edge.evidence)]
        sure = None if edge.confidence is None else round(edge.confidence, 3)
        told = [scores.get(name) for name in ("name", "keywords", "description")]
        row = [numbers[0], numbers[1], sure, numbers[2], int(edge.inferred), int(edge.edited), *told]
        links.setdefault((places[edge.source], places[edge.target]), []).append(row)
    tools = [(name, domains.get(key, "")) for key, name in graph.names.items()]
    return _page(tools, list(texts), [[source, target, rows] for (source, target), rows in links.items()])


def page_of_links(nodes: Sequence[str], links: Sequence[tuple[str, str]]) -> str:
    """Return the page of a graph that only tells which tools are joined."""
    places = {name: place for place, name in enumerate(nodes)}
    pairs = dict.fromkeys(links)
    return _page([(name, "") for name in nodes], [], [[places[one], places[other], []] for one, other in pairs])


def _page(tools: Sequence[tuple[str, str]], texts: Sequence[str], links: Sequence[Json]) -> str:
    data = json.dumps({"tools": tools, "texts": texts, "links": links}, separators=(",", ":")).translate(_ESCAPES)
    template = files("callwright.graph").joinpath("data/graph.html").read_text(encoding="utf-8")
    before, _, after = template.partition("@GRAPH@")
    return before + data + after
