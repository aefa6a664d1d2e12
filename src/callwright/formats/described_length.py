"""The bound on the descriptions of a tool, its parameters and its results, which all readers share."""

from __future__ import annotations

import msgspec

from callwright.formats.plaintext import shorten
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.tool import Tool

LONGEST_DESCRIPTION = 1_000
"""Characters of a tool's or a parameter's description."""


def shortened(tool: Tool) -> tuple[Tool, tuple[str, ...]]:
    """Return the tool with each description cut to `LONGEST_DESCRIPTION`, and a note if there was one to cut.

    `raw` keeps the whole text.
    """
    parameters, returns = _schema(tool.parameters), None if tool.returns is None else _schema(tool.returns)
    description = shorten(tool.description, LONGEST_DESCRIPTION)
    if (description, parameters, returns) == (tool.description, tool.parameters, tool.returns):
        return tool, ()
    cut = msgspec.structs.replace(tool, description=description, parameters=parameters, returns=returns)
    which = "description" if description != tool.description else "descriptions of parameters or results"
    return cut, (f"{which} shortened to {LONGEST_DESCRIPTION:,} characters",)


def _schema(text: JsonText) -> JsonText:
    """Return a schema as text with its descriptions cut; the same text where there is none to cut."""
    if len(text) <= LONGEST_DESCRIPTION:
        return text
    node = decode(text)
    cut = _cut(node)
    return text if cut == node else encode(cut)


def _cut(node: Json) -> Json:
    """Return a schema with its descriptions cut, in its parts too; values such as defaults stay as they are."""
    if not isinstance(node, dict):
        return node
    out = dict(node)
    for key, value in node.items():
        if key == "description" and isinstance(value, str):
            out[key] = shorten(value, LONGEST_DESCRIPTION)
        elif key == "properties" and isinstance(value, dict):
            out[key] = {name: _cut(part) for name, part in value.items()}
        elif key in ("items", "additionalProperties", "not"):
            out[key] = _cut(value)
        elif key in ("anyOf", "prefixItems") and isinstance(value, list):
            out[key] = [_cut(part) for part in value]
    return out
