"""Reads catalogues from files, in a named layout or in the one that is found to fit, and the bundled ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module, resources
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from callwright.errors import BadDocument, BadInput, unknown_name
from callwright.formats import document
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog


class Reader(Protocol):
    """A module that reads a layout."""

    LAYOUT: str
    """The required parts of a document, in words."""

    def fits(self, document: Json) -> bool:
        """Return whether a document has, or claims to have, this layout."""

    def read(self, document: Json, *, source: str) -> Catalog:
        """Return its tools. Raises BadInput."""


class Layout(NamedTuple):
    """One layout: the names that users may give it, and the module that reads it."""

    names: tuple[str, ...]
    module: str


_PARTICULAR = tuple(
    Layout(tuple(names), f"callwright.formats.{module}")
    for module, *names in (
        ("catalog", "catalog"),
        ("openapi", "openapi"),
        ("toolbench", "toolbench"),
        ("toolalpaca", "toolalpaca"),
        ("taskbench", "taskbench"),
        ("schema_guided", "sgd", "multiwoz"),
    )
)
_GENERAL = (
    Layout(("jsonschema",), "callwright.formats.json_schema"),
    Layout(("functions", "openai", "anthropic", "mcp"), "callwright.formats.functions"),
)
"""Tried last: any list may be a list of functions."""


BUNDLED = "builtin/"

_URL = re.compile(r"[a-z]+://", re.IGNORECASE)


def read_source(source: str, *, layout: str | None = None, more: Sequence[Layout] = ()) -> Catalog:
    """Return the catalogue at a path or of `builtin/NAME`, in a named layout or the one it has. Raises BadInput."""
    if source.startswith(BUNDLED):
        return bundled(source.removeprefix(BUNDLED))
    if _URL.match(source):
        raise BadInput(
            f"{source}: nothing is fetched. Download the document and give its file; `mcp:URL` asks an MCP server."
        )
    path = Path(source)
    return read(document.load(path), source=str(path), layout=layout, more=more)


def bundled(name: str) -> Catalog:
    """Return a bundled catalogue. Raises UnknownName."""
    folder = resources.files("callwright") / "data"
    known = sorted(file.name.removesuffix(".json") for file in folder.iterdir() if file.name.endswith(".json"))
    where = BUNDLED + name
    if name not in known:
        raise unknown_name("bundled catalogue", where, [BUNDLED + other for other in known])
    data = (folder / f"{name}.json").read_bytes()
    return read(document.loads(data, where=where, syntax="json"), source=where, layout="catalog")


def names(more: Sequence[Layout]) -> list[str]:
    """Return what a user may call a layout; `more` are those of papers. Several names may stand for one."""
    return sorted(name for layout in (*_PARTICULAR, *more, *_GENERAL) for name in layout.names)


def read(document: Json, *, source: str, layout: str | None = None, more: Sequence[Layout] = ()) -> Catalog:
    """Return the tools of a document of the given layout, or of the first one it fits; `more` are those of papers.

    Raises BadInput if none fits, or the document has no usable tool.
    """
    known = (*_PARTICULAR, *more, *_GENERAL)
    reader = _found(document, source, known) if layout is None else _named(layout, document, source, known)
    catalog = reader.read(document, source=source)
    if not catalog.tools:
        raise BadDocument(f"{source}: no usable tools. The catalogue is empty; import the tools again.")
    return catalog


def _found(document: Json, source: str, known: Sequence[Layout]) -> Reader:
    readers = [_reader(layout) for layout in known]
    first = document[0] if isinstance(document, list) and document else None
    if isinstance(first, dict) and first.keys() >= {"turns", "participants", "tools"}:
        raise BadDocument(f"{source}: dialogues, not tools. Give the catalog.json beside them.")
    if reader := next((reader for reader in readers if reader.fits(document)), None):
        return reader
    tried = ", ".join(reader.LAYOUT for reader in readers)
    raise BadDocument(f"{source}: no known layout fits. Tried: {tried}.")


def _named(name: str, document: Json, source: str, known: Sequence[Layout]) -> Reader:
    layout = next((layout for layout in known if name in layout.names), None)
    if layout is None:
        raise unknown_name("layout", name, sorted(other for layout in known for other in layout.names))
    reader = _reader(layout)
    if not reader.fits(document):
        raise BadDocument(f"{source}: not in the layout `{name}`. Expected: {reader.LAYOUT}.")
    return reader


def _reader(layout: Layout) -> Reader:
    return cast(Reader, import_module(layout.module))
