"""TaskBench: the `nodes` of a tool list or tool graph, with `parameters`, or `input-type` and `output-type`.

Inputs that have a type and no name become parameters called `input`, `input_2`, ...; outputs become `output`, ... of
`returns`. The links of a graph are not read.
"""

from __future__ import annotations

from callwright.formats.described import Described, collect, listed_parameters, object_schema
from callwright.formats.keywords import Schema
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog, LeftOut

LAYOUT = "TaskBench (an object with `nodes`, each with `id`, and `parameters` or `input-type`)"

_CONTENTS: dict[str, Schema] = {"url": {"type": "string", "format": "uri"}}
"""Schemas of contents; all others (text, image, audio, video) are said as text, themselves or by the name of a file."""


def fits(document: Json) -> bool:
    """True for an object whose `nodes` have ids and parameters or types."""
    nodes = document.get("nodes") if isinstance(document, dict) else None
    return isinstance(nodes, list) and any(
        isinstance(node, dict) and "id" in node and ("parameters" in node or "input-type" in node) for node in nodes
    )


def read(document: Json, *, source: str) -> Catalog:
    """Return the tools of all nodes. Raises BadDocument when there is no usable one."""
    return collect((_described(node, f"node {i}") for i, node in enumerate(document["nodes"], 1)), source=source)


def _described(node: Json, where: str) -> Described | LeftOut:
    if not isinstance(node, dict) or not isinstance(node.get("id"), str):
        return LeftOut(where, "no tool: it has no `id`")
    place = f"{where} ({node['id'][:80]})"
    if "parameters" in node:
        parameters, returns = listed_parameters(node["parameters"]), None
    else:
        parameters, returns = _typed(node.get("input-type"), "input"), _typed(node.get("output-type"), "output")
        if returns is None:
            return LeftOut(place, "`output-type` is no list of types")
    if parameters is None:
        return LeftOut(place, "its inputs are neither `parameters` with names nor a list of types in `input-type`")
    return Described(
        name=node["id"],
        description=node.get("desc"),
        parameters=parameters,
        returns=returns if returns and returns["properties"] else None,
        source=where,
        raw=node,
    )


def _typed(types: Json, name: str) -> Schema | None:
    """Return an object with one property for each type; None where `types` is no list of texts."""
    if not isinstance(types, list) or not all(isinstance(kind, str) for kind in types):
        return None
    names = [name if number == 1 else f"{name}_{number}" for number in range(1, len(types) + 1)]
    properties = {
        name: {**_CONTENTS.get(kind.lower(), {"type": "string"}), "description": kind}
        for name, kind in zip(names, types, strict=True)
    }
    return object_schema(properties, names)
