"""The tool graph that a user names for a catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from callwright.errors import BadInput
from callwright.formats import document, graph_file
from callwright.graph.hand_edits import unknown_fields
from callwright.records.tool import Catalog
from callwright.records.tool_graph import ToolGraph

_MOST_SAID: Final = 3


def given_graph(path: str | msgspec.UnsetType, catalog: Catalog) -> ToolGraph | None:
    """Return the graph of the file that is named, if any.

    Raises BadInput for one of none of the catalogue's tools, and for edges edited by hand with fields that tools lack.
    """
    if path is msgspec.UNSET:
        return None
    graph = graph_file.read(document.read_bounded(Path(path)), source=path)
    if not any(graph.names[key] in catalog.by_name for key in graph.nodes):
        raise BadInput(f"{path}: none of its tools is in the catalogue. Build it of the same catalogue.")
    if unknown := [one.said() for one in unknown_fields(graph, catalog)]:
        more = f"; {len(unknown) - _MOST_SAID} more" if len(unknown) > _MOST_SAID else ""
        raise BadInput(f"{path}: {'; '.join(unknown[:_MOST_SAID])}{more}. Correct or remove these edges.")
    return graph
