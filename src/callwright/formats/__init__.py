"""Public formats, one file each with paired `read` and `write`, and the way in that tells them apart."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from callwright.errors import BadDocument, unknown_name
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog

BUNDLED = "builtin/"


def read_source(source: str) -> Catalog:
    """Return the catalogue at a path, or the bundled one that `builtin/NAME` names."""
    return bundled(source.removeprefix(BUNDLED)) if source.startswith(BUNDLED) else read_catalog(Path(source))


def read_catalog(path: Path) -> Catalog:
    """Return the tools of a catalogue of ours, an OpenAPI document or a list of functions.

    Raises BadDocument or BadRecord, in one sentence, when the file cannot be read, has none of these layouts or holds
    not one usable tool.
    """
    from callwright.formats import document as documents

    return _read(documents.load(path), source=str(path))


def bundled(name: str) -> Catalog:
    """Return a catalogue that comes with the package. Raises UnknownName."""
    from callwright.formats import document as documents

    folder = resources.files("callwright") / "data"
    known = sorted(file.name.removesuffix(".json") for file in folder.iterdir() if file.name.endswith(".json"))
    if name not in known:
        raise unknown_name("bundled catalogue", BUNDLED + name, [BUNDLED + other for other in known])
    data = (folder / f"{name}.json").read_bytes()
    return _read(documents.loads(data, where=BUNDLED + name, syntax="json"), source=BUNDLED + name)


def _read(document: Json, *, source: str) -> Catalog:
    """Return the catalogue in `document`, whichever layout it has."""
    from callwright.formats import catalog, functions, openapi, wild_tools

    if catalog.is_catalog(document):
        found = catalog.read(document, source=source)
        if not found.tools:
            raise BadDocument(f"{source}: not one usable tool. The catalogue is empty; import the tools again.")
        return found
    if openapi.is_openapi(document):
        return openapi.read(document, source=source)
    if wild_tools.is_tool_lists(document):
        return wild_tools.read(document, source=source)
    if functions.is_function_list(document):
        return functions.read(document, source=source)
    raise BadDocument(
        f"{source}: no layout fits. Tried: our catalogue (needs `schema_version` and `tools`), OpenAPI (needs "
        "`openapi` or `swagger`), a function list (an array of functions, or an object with `tools` or `functions`)."
    )
