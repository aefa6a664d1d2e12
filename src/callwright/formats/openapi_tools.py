"""Catalogues as OpenAPI documents, and back: an operation `POST /NAME` for each tool.

Such documents are marked by `x-callwright-tools`, and read unchanged: descriptions are plain text, not Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from callwright.formats.described import Described, collect
from callwright.formats.functions import argument_schema, in_order
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Catalog, LeftOut, Tool

_MARK = "x-callwright-tools"
_INFERRED = "x-callwright-inferred"
_JSON = "application/json"


def is_ours(document: Json) -> bool:
    """True when the document is marked as written by `write`."""
    return isinstance(document, dict) and document.get(_MARK) is True and isinstance(document.get("paths"), dict)


def write(tools: Sequence[Tool]) -> Json:
    """Return an OpenAPI 3.1 document with an operation for each tool; their names are valid and differ."""
    return {
        "openapi": "3.1.0",
        _MARK: True,
        "info": {"title": "Tools", "version": "1"},
        "paths": {f"/{tool.name}": {"post": _operation(tool)} for tool in tools},
    }


def read(document: Json, *, source: str) -> Catalog:
    """Return the catalogue that `write` wrote. Raises BadDocument when there is no usable tool."""
    return collect(_entries(document["paths"]), source=source)


def _operation(tool: Tool) -> dict[str, Json]:
    out: dict[str, Json] = {"operationId": tool.name, "description": tool.description}
    if tool.domain:
        out["tags"] = [tool.domain]
    answer: dict[str, Json] = {"description": "The result."}
    if tool.returns is not None:
        answer["content"] = {_JSON: {"schema": in_order(decode(tool.returns))}}
    if tool.returns_inferred:
        answer[_INFERRED] = True
    body = {"required": True, "content": {_JSON: {"schema": argument_schema(tool)}}}
    return {**out, "requestBody": body, "responses": {"200": answer}}


def _entries(paths: dict[str, Json]) -> Iterator[Described | LeftOut]:
    for path, item in paths.items():
        operation = _at(item, "post")
        name = _at(operation, "operationId")
        if not isinstance(name, str):
            yield LeftOut(path[:100], "no tool: there is no `post` with an `operationId`")
            continue
        answer, tags = _at(operation, "responses", "200"), _at(operation, "tags")
        yield Described(
            name=name,
            description=_at(operation, "description"),
            parameters=_at(operation, "requestBody", "content", _JSON, "schema"),
            returns=_at(answer, "content", _JSON, "schema"),
            returns_inferred=_at(answer, _INFERRED) is True,
            domain=tags[0] if isinstance(tags, list) and tags and isinstance(tags[0], str) else "",
            source=f"POST {path[:100]}",
            raw=operation,
            root=item,
        )


def _at(node: Json, *keys: str) -> Json:
    for key in keys:
        node = node.get(key) if isinstance(node, dict) else None
    return node
