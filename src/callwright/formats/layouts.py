"""The layouts of tool documents, and their detection."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, cast

from callwright.errors import BadDocument, unknown_name
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog


class Reader(Protocol):
    """The protocol of a module that reads a layout."""

    LAYOUT: str
    """A short description of the layout: the required parts of a document."""

    def fits(self, document: Json) -> bool:
        """True when a document has, or claims to have, this layout."""

    def read(self, document: Json, *, source: str) -> Catalog:
        """Return its tools. Raises BadInput."""


_IN_ORDER = (
    *("catalog", "openapi", "toolbench", "toolalpaca", "taskbench", "dice", "schema_guided", "bfcl_tools"),
    *("json_schema", "wild_tools", "functions"),
)
"""The modules, the most specific layouts first, because any list may be a list of functions."""

_MODULES = {
    **{name: name for name in ("catalog", "openapi", "toolbench", "toolalpaca", "taskbench", "dice", "functions")},
    "sgd": "schema_guided",
    "multiwoz": "schema_guided",
    "bfcl": "bfcl_tools",
    "jsonschema": "json_schema",
    "wild": "wild_tools",
    **dict.fromkeys(("openai", "anthropic", "mcp"), "functions"),
}
NAMES = tuple(sorted(_MODULES))
"""Names of layouts for users; one layout may have several."""


def read(document: Json, *, source: str, layout: str | None = None) -> Catalog:
    """Return the tools of a document of the given layout, or of the first one it fits.

    Raises BadInput if none fits, or the document has no usable tool.
    """
    reader = _found(document, source) if layout is None else _named(layout, document, source)
    catalog = reader.read(document, source=source)
    if not catalog.tools:
        raise BadDocument(f"{source}: no usable tools. The catalogue is empty; import the tools again.")
    return catalog


def _found(document: Json, source: str) -> Reader:
    readers = [_reader(name) for name in _IN_ORDER]
    for reader in readers:
        if reader.fits(document):
            return reader
    tried = ", ".join(reader.LAYOUT for reader in readers)
    raise BadDocument(f"{source}: no known layout fits. Tried: {tried}.")


def _named(layout: str, document: Json, source: str) -> Reader:
    if layout not in _MODULES:
        raise unknown_name("layout", layout, list(NAMES))
    reader = _reader(_MODULES[layout])
    if not reader.fits(document):
        raise BadDocument(f"{source}: not in the layout `{layout}`. Expected: {reader.LAYOUT}.")
    return reader


def _reader(name: str) -> Reader:
    return cast(Reader, import_module(f"callwright.formats.{name}"))
