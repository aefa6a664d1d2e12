"""What became of the entries of a document: counted from a catalogue's own account."""

from __future__ import annotations

import re

from callwright.records.tool import Catalog


def merged(catalog: Catalog) -> int:
    """How many equal documents were merged into others."""
    return sum(int(count) for entry in catalog.altered for count in re.findall(r"(\d+) equal document", entry.what))


def accounted(catalog: Catalog) -> int:
    """How many entries are tools, merged into tools, or left out by name."""
    return len(catalog.tools) + merged(catalog) + len(catalog.left_out)


def changes(catalog: Catalog) -> dict[str, str]:
    """What was changed, by tool."""
    return {entry.tool: entry.what for entry in catalog.altered}
