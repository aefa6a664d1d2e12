"""DICE-BENCH: tool documents (`functions`) and the tool graph (`nodes`), which hold the same tools.

A parameter is required unless its description says that it may be left out. The links of the graph are not read.
"""

from __future__ import annotations

from callwright.formats.described import Described, collect, listed_parameters, object_schema
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog, LeftOut

LAYOUT = "DICE-BENCH (an object with `functions` or `nodes`, each with `function`, `desc` and `parameters`)"


def fits(document: Json) -> bool:
    """True for an object whose tools are named by `function`."""
    return any(
        isinstance(tool, dict) and isinstance(tool.get("function"), str) and "parameters" in tool
        for tool in _listed(document)
    )


def read(document: Json, *, source: str) -> Catalog:
    """Return the tools in their order. Raises BadDocument when there is no usable one."""
    entries = (_described(tool, f"tool {number}") for number, tool in enumerate(_listed(document), 1))
    return collect(entries, source=source)


def _listed(document: Json) -> list[Json]:
    if not isinstance(document, dict):
        return []
    return next((document[key] for key in ("functions", "nodes") if isinstance(document.get(key), list)), [])


def _described(tool: Json, where: str) -> Described | LeftOut:
    if not isinstance(tool, dict) or not isinstance(tool.get("function"), str):
        return LeftOut(where, "no tool: `function` is no name")
    place = f"{where} ({tool['function'][:80]})"
    parameters = listed_parameters(tool.get("parameters"))
    if parameters is None:
        return LeftOut(place, "`parameters` is no list of objects with different names")
    returns = tool.get("return")
    if not isinstance(returns, dict | None):
        return LeftOut(place, "`return` is no map of names to types")
    return Described(
        name=tool["function"],
        description=tool.get("desc"),
        parameters=parameters,
        returns=object_schema({name: {"type": kind} for name, kind in returns.items()}, []) if returns else None,
        source=where,
        raw=tool,
    )
