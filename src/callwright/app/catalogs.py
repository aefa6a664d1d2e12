"""Catalogues: reading tools from anywhere, writing them, and finding what looks alike in them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from callwright.records.tool import Catalog

if TYPE_CHECKING:
    from callwright.catalog.lint import Formula, LintReport
    from callwright.formats.exports import Export


SERVER = "mcp:"
"""Prefix of the command or the URL of an MCP server."""


def read_catalog(source: str | Path, *, layout: str | None = None, timeout_s: float = 120.0) -> Catalog:
    """Return the tools of a file in any layout that `callwright import` reads, or of `builtin/enterprise`.

    `layout` (such as `toolbench`) says which layout it has; None finds out. `mcp:COMMAND` and `mcp:URL` ask an MCP
    server, which has `timeout_s` seconds to start and answer. What was left out or altered on the way stands in
    `left_out` and `altered`. Raises BadInput.

    >>> len(read_catalog("builtin/enterprise").tools) >= 60
    True
    """
    if str(source).startswith(SERVER):
        from callwright.engine.in_process import run_blocking
        from callwright.formats import mcp_server

        return run_blocking(mcp_server.read(str(source).removeprefix(SERVER).strip(), timeout_s=timeout_s))

    from callwright.formats.layouts import read_source
    from callwright.papers.registry import layouts

    return read_source(str(source), layout=layout, more=layouts())


def write_catalog(catalog: Catalog, path: str | Path) -> None:
    """Write a catalogue as JSON that `read_catalog` reads without loss. Raises StorageFailed."""
    from callwright.formats import catalog as catalogs
    from callwright.store.files import write_atomically

    write_atomically(path, [catalogs.write(catalog)])


def export_catalog(catalog: Catalog | str | Path, layout: str, path: str | Path | None = None) -> Export:
    """Return a catalogue in the layout `openai`, `anthropic`, `mcp` or `openapi`, and what that has no place for.

    `catalog` may also be what `read_catalog` takes. Where `path` is given, the document is written there as JSON.
    Of each tool the required parameters come first, in the order of its document, the others after them by name.
    Raises BadInput and StorageFailed.

    >>> export_catalog("builtin/enterprise", "openai").document[0]["type"]
    'function'
    """
    from callwright.formats import exports
    from callwright.store.files import write_atomically

    tools = catalog if isinstance(catalog, Catalog) else read_catalog(catalog)
    found = exports.export(tools, layout)
    if path is not None:
        write_atomically(path, [exports.text(found)])
    return found


def lint(
    catalog: Catalog | str | Path,
    *,
    formula: Formula = "meaning",
    threshold: float | None = None,
    encoder: str | None = None,
) -> LintReport:
    """Return tools that are taken for one another, what tells them apart, and what to mend in single documents.

    `catalog` may also be what `read_catalog` takes. `formula` is `meaning`, or `paper`: the composite similarity of
    DiaFORGE's appendix A.4. `threshold` is the least score of a pair, in [0, 1], .15 or .70 unless given. `encoder`
    names the model that compares descriptions: `minilm`, a folder, or a name in the local cache; lexical unless given.
    The report holds the 10,000 most alike pairs. Raises BadInput where an encoder is not on this machine.
    """
    from callwright.catalog import lint as linting
    from callwright.catalog.sentence_encoder import load

    tools = catalog if isinstance(catalog, Catalog) else read_catalog(catalog)
    return linting.lint(tools, formula=formula, threshold=threshold, encoder=None if encoder is None else load(encoder))
