"""A tool graph as text for other programs: GraphML, Graphviz DOT and CSV, one edge for each pair of fields.

The graph's nodes are names of tools. What an edge does not tell is left out, as are marks that are false.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final
from xml.etree import ElementTree

from callwright.records.tool_graph import ToolEdge, ToolGraph

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"

_SCORES: Final = ("name", "keywords", "description", "types")
_TYPES: Final = {
    "output": "string",
    "input": "string",
    "confidence": "double",
    "inferred": "boolean",
    "edited": "boolean",
    "evidence": "string",
    **{f"score_{name}": "double" for name in _SCORES},
}
"""What is told of an edge beside its tools, and the type of each in GraphML."""


def graphml(graph: ToolGraph) -> str:
    """Return GraphML (version 1.0): nodes `n0`, `n1`, ... with the key `name`, and a key for all that edges tell."""
    root = ElementTree.Element("graphml", xmlns=_NAMESPACE)
    for owner, name, type_ in (("node", "name", "string"), *(("edge", *item) for item in _TYPES.items())):
        ElementTree.SubElement(root, "key", {"id": name, "for": owner, "attr.name": name, "attr.type": type_})
    inner = ElementTree.SubElement(root, "graph", edgedefault="directed")
    ids = {node: f"n{place}" for place, node in enumerate(graph.nodes)}
    for node, id_ in ids.items():
        _add_data(ElementTree.SubElement(inner, "node", id=id_), {"name": _clean(node)})
    for edge in graph.edges:
        made = ElementTree.SubElement(inner, "edge", source=ids[edge.source], target=ids[edge.target])
        _add_data(made, _told(edge))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_data(element: ElementTree.Element, told: Mapping[str, str]) -> None:
    for key, text in told.items():
        ElementTree.SubElement(element, "data", key=key).text = text


def dot(graph: ToolGraph) -> str:
    """Return Graphviz DOT, every name and value quoted; the label of an edge is its fields."""
    lines = [f"  {_quoted(node)};" for node in graph.nodes]
    for edge in graph.edges:
        label = {"label": f"{edge.output} -> {edge.input}"} if edge.output or edge.input else {}
        told = ", ".join(f"{key}={_quoted(text)}" for key, text in {**label, **_told(edge)}.items())
        lines.append(f"  {_quoted(edge.source)} -> {_quoted(edge.target)}{f' [{told}]' if told else ''};")
    return "\n".join(("digraph tools {", *lines, "}")) + "\n"


def as_csv(graph: ToolGraph) -> str:
    """Return a table with a line for each edge; tools without an edge have a line without a target."""
    linked = {end for edge in graph.edges for end in (edge.source, edge.target)}
    out = io.StringIO()
    writer = csv.DictWriter(out, ("source", "target", *_TYPES), lineterminator="\n")
    writer.writeheader()
    for edge in graph.edges:
        told = {"source": _clean(edge.source), "target": _clean(edge.target), **_told(edge)}
        writer.writerow({key: text if _TYPES.get(key) == "double" else _cell(text) for key, text in told.items()})
    writer.writerows({"source": _cell(_clean(node))} for node in graph.nodes if node not in linked)
    return out.getvalue()


LAYOUTS: Final[Mapping[str, Callable[[ToolGraph], str]]] = MappingProxyType(
    {"graphml": graphml, "dot": dot, "csv": as_csv}
)


def _told(edge: ToolEdge) -> dict[str, str]:
    scores = {score.name: score.value for score in edge.scores}
    numbers = {"confidence": edge.confidence} | {f"score_{name}": scores.get(name) for name in _SCORES}
    texts = {key: _clean(text) for key in ("output", "input", "evidence") if (text := getattr(edge, key))}
    marks = {key: "true" for key in ("inferred", "edited") if getattr(edge, key)}
    told = texts | marks | {key: repr(value) for key, value in numbers.items() if value is not None}
    return {key: told[key] for key in _TYPES if key in told}


def _clean(text: str) -> str:
    """Text without control characters: XML 1.0 cannot hold them, and a line of text is one line."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def _cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula: after an apostrophe, as is text that begins with one."""
    return f"'{text}" if text.startswith(tuple("=+-@＝＋－＠'")) else text


def _quoted(text: str) -> str:
    escaped = _clean(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
