"""A tool graph as text for other programs: GraphML, Graphviz DOT and CSV, one edge for each pair of tools."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final
from xml.etree import ElementTree

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"


def graphml(nodes: Sequence[str], links: Sequence[tuple[str, str]]) -> str:
    """Return GraphML (version 1.0): nodes `n0`, `n1`, ... with the key `name`."""
    root = ElementTree.Element("graphml", xmlns=_NAMESPACE)
    ElementTree.SubElement(root, "key", {"id": "name", "for": "node", "attr.name": "name", "attr.type": "string"})
    graph = ElementTree.SubElement(root, "graph", edgedefault="directed")
    ids = {node: f"n{place}" for place, node in enumerate(nodes)}
    for node, id_ in ids.items():
        ElementTree.SubElement(ElementTree.SubElement(graph, "node", id=id_), "data", key="name").text = _clean(node)
    for source, target in dict.fromkeys(links):
        ElementTree.SubElement(graph, "edge", source=ids[source], target=ids[target])
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def dot(nodes: Sequence[str], links: Sequence[tuple[str, str]]) -> str:
    """Return Graphviz DOT, every name quoted."""
    lines = [f"  {_quoted(node)};" for node in nodes]
    lines += [f"  {_quoted(source)} -> {_quoted(target)};" for source, target in dict.fromkeys(links)]
    return "\n".join(("digraph tools {", *lines, "}")) + "\n"


def as_csv(nodes: Sequence[str], links: Sequence[tuple[str, str]]) -> str:
    """Return lines `source,target`; tools without an edge have a line without a target."""
    linked = {end for link in links for end in link}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("source", "target"))
    writer.writerows((_clean(source), _clean(target)) for source, target in dict.fromkeys(links))
    writer.writerows((_clean(node), "") for node in nodes if node not in linked)
    return out.getvalue()


LAYOUTS: Final[Mapping[str, Callable[[Sequence[str], Sequence[tuple[str, str]]], str]]] = MappingProxyType(
    {"graphml": graphml, "dot": dot, "csv": as_csv}
)


def _clean(text: str) -> str:
    """Text without control characters: XML 1.0 cannot hold them, and a line of text is one line."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def _quoted(name: str) -> str:
    escaped = _clean(name).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
