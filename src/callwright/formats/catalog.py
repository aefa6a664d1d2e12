"""Callwright's `catalog.json`: writes and reads catalogues without loss."""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from callwright.errors import BadRecord
from callwright.formats.names import VALID_NAME
from callwright.records.dialogue import SCHEMA_VERSION
from callwright.records.jsontext import Json, JsonText, encode
from callwright.records.tool import Altered, Catalog, LeftOut, Tool, ToolList

LAYOUT = "our catalogue (an object with `schema_version` and `tools`)"

_TEXTS = ("name", "description", "domain", "service", "source")
_DOCUMENTS = ("parameters", "returns", "raw")


class _ToolDocument(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A tool in the file: its schemas are JSON, not text."""

    name: str
    description: str = ""
    domain: str = ""
    service: str = ""
    source: str = ""
    parameters: dict[str, Json] = {}
    returns: Json = msgspec.UNSET
    returns_inferred: bool = False
    raw: Json = msgspec.UNSET


class _Document(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The file; `read` checks its version first."""

    schema_version: int
    tools: tuple[_ToolDocument, ...]
    source: str = ""
    left_out: tuple[LeftOut, ...] = ()
    altered: tuple[Altered, ...] = ()
    lists: tuple[ToolList, ...] = ()


def fits(document: Json) -> bool:
    """True when a document claims to be a Callwright catalogue."""
    return isinstance(document, dict) and "schema_version" in document and "tools" in document


def write(catalog: Catalog) -> bytes:
    """Return the bytes of `catalog.json`; the same catalogue gives the same bytes."""
    document: dict[str, Json] = {
        "schema_version": SCHEMA_VERSION,
        "source": catalog.source,
        "tools": [_tool_out(tool) for tool in catalog.tools],
        "left_out": msgspec.to_builtins(catalog.left_out),
        "altered": msgspec.to_builtins(catalog.altered),
    }
    if catalog.lists:
        document["lists"] = msgspec.to_builtins(catalog.lists)
    return indented(document, 1)


def indented(document: Json, spaces: int) -> bytes:
    """Return a document as indented JSON with a line's end; keys stay in their order."""
    try:
        return json.dumps(document, ensure_ascii=False, indent=spaces, allow_nan=False).encode() + b"\n"
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8 form, but its escape has
        return json.dumps(document, ensure_ascii=True, indent=spaces, allow_nan=False).encode() + b"\n"


def read(document: Json, *, source: str) -> Catalog:
    """Return the catalogue that `write` wrote; `source` is named in errors. Raises BadRecord for any other document."""
    if not fits(document):
        raise BadRecord(
            f"{source}: not a catalogue: `schema_version` or `tools` is missing. Make one with `callwright import`."
        )
    if document["schema_version"] != SCHEMA_VERSION:
        raise BadRecord(
            f"{source}: schema_version is {document['schema_version']!r}; this version of callwright reads "
            f"{SCHEMA_VERSION}. Make the file again with the command that made it, such as `callwright import`."
        )
    try:
        whole = msgspec.convert(document, _Document)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # a field's name may hold a lone surrogate
        raise BadRecord(f"{source}: {error}. Correct it, or import the tools again.") from error
    _check_names([tool.name for tool in whole.tools], source)
    _check_texts(whole.tools, source)
    tools = tuple(_tool_in(tool) for tool in whole.tools)
    keys = {tool.key for tool in tools}
    for one in whole.lists:
        if unknown := [shown.key for shown in one.tools if shown.key not in keys]:
            where = f"{source}: list {one.name[:80]!r}"
            raise BadRecord(f"{where}: {unknown[0][:80]!r} is not the key of a tool. Import the tools again.")
    return Catalog(tools=tools, left_out=whole.left_out, altered=whole.altered, source=whole.source, lists=whole.lists)


def _tool_out(tool: Tool) -> dict[str, Json]:
    node: dict[str, Json] = {key: getattr(tool, key) for key in _TEXTS if key != "service" or tool.service}
    for key in _DOCUMENTS:
        text: JsonText | None = getattr(tool, key)
        if text is not None:
            node[key] = json.loads(text)
        if key == "returns" and tool.returns_inferred:
            node["returns_inferred"] = True
    return node


def _tool_in(tool: _ToolDocument) -> Tool:
    return Tool(
        name=tool.name,
        description=tool.description,
        parameters=encode(tool.parameters),
        returns=None if tool.returns is msgspec.UNSET else encode(tool.returns),
        returns_inferred=tool.returns_inferred,
        domain=tool.domain,
        service=tool.service,
        source=tool.source,
        raw=None if tool.raw is msgspec.UNSET else encode(tool.raw),
    )


def _check_texts(tools: Sequence[_ToolDocument], where: str) -> None:
    """Raise BadRecord for a text that no file in UTF-8 can hold; importing replaces such characters."""
    for at, tool in enumerate(tools):
        for key in _TEXTS:
            if not _is_whole(getattr(tool, key)):
                raise BadRecord(
                    f"{where}: tools[{at}].{key}: half of a surrogate pair, which is no character. Replace it."
                )


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_names(names: list[str], where: str) -> None:
    seen: set[str] = set()
    for at, name in enumerate(names):
        if not VALID_NAME.fullmatch(name):
            raise BadRecord(
                f"{where}: tools[{at}].name: {name!r:.80} is not a name. Use letters, digits, `_` and `-`, at most 64."
            )
        if name in seen:
            raise BadRecord(f"{where}: two tools are called {name!r}. Rename one.")
        seen.add(name)
