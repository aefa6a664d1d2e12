"""Public formats, one file each with paired `read` and `write`, and the functions that detect the format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from callwright.errors import BadInput, unknown_name
from callwright.records.tool import Catalog

if TYPE_CHECKING:
    from callwright.formats.layouts import Layout

BUNDLED = "builtin/"


def read_source(source: str, *, layout: str | None = None, more: Sequence[Layout] = ()) -> Catalog:
    """Return the catalogue at a path, or the bundled one that `builtin/NAME` names. Raises BadInput.

    `layout` names the layout of the file, None finds it out; `more` are the layouts of papers.
    """
    if source.startswith(BUNDLED):
        return bundled(source.removeprefix(BUNDLED))
    if _URL.match(source):
        raise BadInput(
            f"{source}: nothing is fetched. Download the document and give its file; `mcp:URL` asks an MCP server."
        )
    return read_catalog(Path(source), layout=layout, more=more)


_URL = re.compile(r"[a-z]+://", re.IGNORECASE)


def read_catalog(path: Path, *, layout: str | None = None, more: Sequence[Layout] = ()) -> Catalog:
    """Return the tools of a file in the given layout (`layouts.names`), or in the one it is found to have.

    Raises BadDocument or BadRecord, in one sentence, when the file cannot be read, has no known layout or no
    usable tool.
    """
    from callwright.formats import document, layouts

    return layouts.read(document.load(path), source=str(path), layout=layout, more=more)


def bundled(name: str) -> Catalog:
    """Return a bundled catalogue. Raises UnknownName."""
    from callwright.formats import document, layouts

    folder = resources.files("callwright") / "data"
    known = sorted(file.name.removesuffix(".json") for file in folder.iterdir() if file.name.endswith(".json"))
    if name not in known:
        raise unknown_name("bundled catalogue", BUNDLED + name, [BUNDLED + other for other in known])
    data = (folder / f"{name}.json").read_bytes()
    where = BUNDLED + name
    return layouts.read(document.loads(data, where=where, syntax="json"), source=where, layout="catalog")
