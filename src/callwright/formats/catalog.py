"""Callwright's `catalog.json`: writes and reads catalogues without loss."""

from __future__ import annotations

import json

from callwright.errors import BadRecord
from callwright.formats.names import VALID_NAME
from callwright.records.dialogue import SCHEMA_VERSION, ShownTool
from callwright.records.jsontext import Json, JsonText, encode
from callwright.records.tool import Altered, Catalog, LeftOut, Tool, ToolList

LAYOUT = "our catalogue (an object with `schema_version` and `tools`)"

_TEXTS = ("name", "description", "domain", "source")
_DOCUMENTS = ("parameters", "returns", "raw")
_TOOL = {*_TEXTS, *_DOCUMENTS, "returns_inferred"}
_CATALOG = {"schema_version", "source", "tools", "left_out", "altered", "lists"}


def fits(document: Json) -> bool:
    """True when a document claims to be a Callwright catalogue."""
    return isinstance(document, dict) and "schema_version" in document and "tools" in document


def write(catalog: Catalog) -> bytes:
    """Return the bytes of `catalog.json`; the same catalogue gives the same bytes."""
    document: dict[str, Json] = {
        "schema_version": SCHEMA_VERSION,
        "source": catalog.source,
        "tools": [_tool_out(tool) for tool in catalog.tools],
        "left_out": [{"where": entry.where, "reason": entry.reason} for entry in catalog.left_out],
        "altered": [{"tool": entry.tool, "what": entry.what} for entry in catalog.altered],
    }
    if catalog.lists:
        document["lists"] = [
            {"name": one.name, "tools": [{"key": tool.key, "name": tool.name} for tool in one.tools]}
            for one in catalog.lists
        ]
    try:
        return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False).encode() + b"\n"
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8 form, but its escape has
        return json.dumps(document, ensure_ascii=True, indent=1, allow_nan=False).encode() + b"\n"


def read(document: Json, *, source: str) -> Catalog:
    """Return the catalogue that `write` wrote; `source` is named in errors.

    Raises BadRecord for other versions, unknown fields, ill-typed values and names that are invalid or duplicate.
    """
    if not fits(document):
        raise BadRecord(
            f"{source}: not a catalogue: `schema_version` or `tools` is missing. Make one with `callwright import`."
        )
    if document["schema_version"] != SCHEMA_VERSION:
        raise BadRecord(
            f"{source}: schema_version is {document['schema_version']!r}; this version of callwright reads "
            f"{SCHEMA_VERSION}. Import the tools again, or use the version of callwright that wrote it."
        )
    _refuse_unknown(document, _CATALOG, source)
    tools = tuple(_tool_in(node, f"{source}: tools[{i}]") for i, node in enumerate(_items(document, "tools", source)))
    _refuse_repeated(tools, source)
    left_out = [_pair(node, ("where", "reason"), source) for node in _items(document, "left_out", source)]
    altered = [_pair(node, ("tool", "what"), source) for node in _items(document, "altered", source)]
    return Catalog(
        tools=tools,
        left_out=tuple(LeftOut(*pair) for pair in left_out),
        altered=tuple(Altered(*pair) for pair in altered),
        source=_text(document, "source", source),
        lists=_lists_in(document, {tool.key for tool in tools}, source),
    )


def _lists_in(document: dict[str, Json], keys: set[str], source: str) -> tuple[ToolList, ...]:
    lists = []
    for node in _items(document, "lists", source):
        if not isinstance(node, dict) or set(node) != {"name", "tools"}:
            raise BadRecord(f"{source}: a list of tools needs exactly `name` and `tools`.")
        where = f"{source}: list {_text(node, 'name', source)[:80]!r}"
        shown = tuple(ShownTool(*_pair(one, ("key", "name"), where)) for one in _items(node, "tools", where))
        if unknown := [one.name for one in shown if one.key not in keys]:
            raise BadRecord(f"{where}: {unknown[0][:80]!r} is not the key of a tool. Import the tools again.")
        lists.append(ToolList(_text(node, "name", source), shown))
    return tuple(lists)


def _tool_out(tool: Tool) -> dict[str, Json]:
    node: dict[str, Json] = {key: getattr(tool, key) for key in _TEXTS}
    for key in _DOCUMENTS:
        text: JsonText | None = getattr(tool, key)
        if text is not None:
            node[key] = json.loads(text)
        if key == "returns" and tool.returns_inferred:
            node["returns_inferred"] = True
    return node


def _tool_in(node: Json, where: str) -> Tool:
    if not isinstance(node, dict):
        raise BadRecord(f"{where}: expected an object.")
    _refuse_unknown(node, _TOOL, where)
    name = _text(node, "name", where)
    if not VALID_NAME.fullmatch(name):
        raise BadRecord(f"{where}.name: {name!r:.80} is not a name. Use letters, digits, `_` and `-`, at most 64.")
    if not isinstance(node.get("parameters", {}), dict):
        raise BadRecord(f"{where}.parameters: expected an object, a JSON Schema.")
    inferred = node.get("returns_inferred", False)
    if not isinstance(inferred, bool):
        raise BadRecord(f"{where}.returns_inferred: expected true or false.")
    return Tool(
        name=name,
        description=_text(node, "description", where),
        parameters=encode(node.get("parameters", {})),
        returns=encode(node["returns"]) if "returns" in node else None,
        returns_inferred=inferred,
        domain=_text(node, "domain", where),
        source=_text(node, "source", where),
        raw=encode(node["raw"]) if "raw" in node else None,
    )


def _pair(node: Json, keys: tuple[str, str], where: str) -> tuple[str, str]:
    if not isinstance(node, dict) or set(node) != set(keys):
        raise BadRecord(f"{where}: an entry of this list needs exactly `{keys[0]}` and `{keys[1]}`.")
    return _text(node, keys[0], where), _text(node, keys[1], where)


def _items(document: dict[str, Json], key: str, where: str) -> list[Json]:
    value = document.get(key, [])
    if not isinstance(value, list):
        raise BadRecord(f"{where}: `{key}` is not an array.")
    return value


def _text(node: dict[str, Json], key: str, where: str) -> str:
    value = node.get(key, "")
    if not isinstance(value, str):
        raise BadRecord(f"{where}.{key}: expected text.")
    return value


def _refuse_unknown(node: dict[str, Json], known: set[str], where: str) -> None:
    unknown = sorted(set(node) - known)
    if unknown:
        raise BadRecord(f"{where}: unknown field {unknown[0]!r:.80}. Known: {', '.join(sorted(known))}.")


def _refuse_repeated(tools: tuple[Tool, ...], where: str) -> None:
    seen: set[str] = set()
    for tool in tools:
        if tool.name in seen:
            raise BadRecord(f"{where}: two tools are called {tool.name!r}. Rename one.")
        seen.add(tool.name)
