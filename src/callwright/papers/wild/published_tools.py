"""The published tool lists, one list of functions for each scenario (WildToolBench, section 3.2; `tools_en.jsonl`).

Two lists may use one name for different functions. So a tool is known by its key, equal documents are one tool, and
each list keeps the names that its tools have there.
"""

from __future__ import annotations

import msgspec

from callwright.formats import functions
from callwright.formats.names import unique_names, valid_name
from callwright.records.dialogue import ShownTool
from callwright.records.jsontext import Json, JsonText, encode
from callwright.records.tool import Catalog, Tool, ToolList

LAYOUT = "tool lists (an array of arrays of functions)"


def fits(document: Json) -> bool:
    """True when a document is a list of lists of functions."""
    return isinstance(document, list) and bool(document) and all(isinstance(one, list) and one for one in document)


def read(document: Json, *, source: str) -> Catalog:
    """Return the distinct tools of all lists, and the lists. Raises BadDocument when there is no usable tool."""
    found = functions.read(document, source=source)
    by_raw = {tool.raw: tool for tool in found.tools}
    lists = (tool_list(entries, f"list {number}", by_raw) for number, entries in enumerate(document, 1))
    return msgspec.structs.replace(found, lists=tuple(one for one in lists if one.tools))


def tool_list(entries: list[Json], name: str, by_raw: dict[JsonText | None, Tool]) -> ToolList:
    """Return a list of functions under the names they have there, each document once.

    `by_raw` holds the tools by the JSON text of their documents.
    """
    there: dict[str, str] = {}
    for entry in entries:
        function = entry.get("function", entry) if isinstance(entry, dict) else None
        tool = by_raw.get(encode(function)) if isinstance(function, dict) else None
        if tool is not None and isinstance(function, dict):
            there.setdefault(tool.key, valid_name(function["name"]))
    names = unique_names(list(there.values()))
    return ToolList(name, tuple(ShownTool(key, name) for key, name in zip(there, names, strict=True)))
