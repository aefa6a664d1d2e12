"""OpenAPI 2.0 (Swagger), 3.0 and 3.1 documents: each operation under `paths` is a tool, or is left out with a reason.

Webhooks and callbacks are ignored. Nothing is fetched: an operation that needs another document, or a missing part of
this one, is left out; an optional argument that does is dropped, with a note. `raw` keeps the markup of descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from callwright.errors import BadDocument
from callwright.formats import openapi_tools
from callwright.formats.described import LONGEST_DESCRIPTION, Built, Draft, assemble, usable_arguments, usable_result
from callwright.formats.keywords import Schema
from callwright.formats.names import valid_name
from callwright.formats.operation_arguments import Operation, argument_object, media_type
from callwright.formats.plaintext import describe, plain, shorten
from callwright.formats.schema_completion import BrokenReference, Expander, Memo, Role, TooLarge
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog, LeftOut, Tool

LAYOUT = "OpenAPI (an object with `openapi` or `swagger`)"

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

LEVELS = (10, 6, 4, 3, 2, 1)
"""Depths of properties to try until a schema is small enough; depth 0 finds those that are always too large."""

MOST_NODES: dict[Role, int] = {"request": 600, "response": 700}
"""Most schemas in the arguments and the result of one tool (long descriptions count as several)."""

_VERSION = re.compile(r"(2\.0|3\.[01])(\.[0-9]+)?(-.*)?")
_VERSION_SEGMENT = re.compile(r"v?[0-9]+([._][0-9]+)*|api|rest", re.IGNORECASE)


MOST_TEXT = 256 * 1024 * 1024
"""Most characters of all tools of a document."""


_LONGEST_TITLE = 100


class _Service(NamedTuple):
    document: dict[str, Json]
    credentials: frozenset[tuple[str, str]]
    memo: Memo

    def expander(self, role: Role, levels: int) -> Expander:
        return Expander(self.document, role=role, levels=levels, nodes=MOST_NODES[role], memo=self.memo, words=_words)


def fits(document: Json) -> bool:
    """True when a document claims to be OpenAPI."""
    return isinstance(document, dict) and ("openapi" in document or "swagger" in document)


def read(document: Json, *, source: str) -> Catalog:
    """Return the tools of an OpenAPI document. Raises BadDocument for other versions and when no tool is left."""
    if openapi_tools.is_ours(document):
        return openapi_tools.read(document, source=source)
    drafts, left_out = read_drafts(document, source=source)
    return assemble(drafts, left_out, source=source)


def read_drafts(document: Json, *, source: str) -> tuple[list[Draft], list[LeftOut]]:
    """Return the drafts and the left-out operations of a document. Raises BadDocument as `read` does."""
    _check_version(document, source)
    drafts: list[Draft] = []
    left_out: list[LeftOut] = []
    size = 0
    service = _Service(document, _credentials(document), {})
    for found in _operations(service):
        entry = found if isinstance(found, LeftOut) else _draft(found, service)
        if isinstance(entry, LeftOut):
            left_out.append(entry)
        else:
            drafts.append(entry)
            size += sum(len(text or "") for text in (entry.tool.parameters, entry.tool.returns, entry.tool.raw))
            if size > MOST_TEXT:
                raise BadDocument(
                    f"{source}: expands to over {MOST_TEXT // 1024 // 1024} MiB of tools. Split the document."
                )
    return drafts, left_out


def _check_version(document: Json, source: str) -> None:
    said = document.get("openapi", document.get("swagger")) if isinstance(document, dict) else None
    if not _VERSION.fullmatch(str(said)[:40]):
        raise BadDocument(f"{source}: OpenAPI version {said!r:.40} is not known. Convert it to 2.0, 3.0 or 3.1.")
    if not isinstance(document.get("paths", {}), dict):
        raise BadDocument(f"{source}: `paths` is not an object. Give the paths of the service there.")


def _operations(service: _Service) -> Iterator[Operation | LeftOut]:
    for path, node in service.document.get("paths", {}).items():
        if path.startswith("x-"):
            continue
        try:
            item = _path_item(node, service)
        except BrokenReference as error:
            yield LeftOut(path, str(error))
            continue
        if not isinstance(item, dict):
            yield LeftOut(path, "the path item is no object")
            continue
        shared = item.get("parameters")
        for method in METHODS:
            if method not in item:
                continue
            if isinstance(item[method], dict):
                yield Operation(method, path, item[method], tuple(shared) if isinstance(shared, list) else ())
            else:
                yield LeftOut(f"{method.upper()} {path}", "the operation is no object")


def _path_item(node: Json, service: _Service) -> Json:
    """Return a path item merged with its reference; its own entries take precedence."""
    if not isinstance(node, dict) or not isinstance(node.get("$ref"), str):
        return node
    target = service.expander("request", 0).resolved(node)
    own = {key: value for key, value in node.items() if key != "$ref"}
    return {**target, **own} if isinstance(target, dict) else target


def _draft(operation: Operation, service: _Service) -> Draft | LeftOut:
    def arguments(expander: Expander) -> Schema:
        return argument_object(operation, service.credentials, expander)

    too_large = f"are too large (over {MOST_NODES['request']:,} schemas)"
    found = usable_arguments(lambda: _fitted(arguments, service, "request"), operation.where, too_large)
    return found if isinstance(found, LeftOut) else _tool(operation, service, *found)


def _fitted(build: Callable[[Expander], Schema | None], service: _Service, role: Role) -> Built:
    """Return the schema at the greatest depth at which it is small enough, with notes; raises TooLarge."""
    shallowest = None
    for levels in LEVELS:
        expander = service.expander(role, levels)
        try:
            return build(expander), expander.notes
        except TooLarge:
            if shallowest is None:
                last = service.expander(role, 0)
                shallowest = build(last), last.notes
    if shallowest is None:
        raise TooLarge
    return shallowest


def _tool(operation: Operation, service: _Service, parameters: Schema, notes: list[str]) -> Draft:
    node = operation.node
    returns, returns_notes = _returns(node, service)
    name, name_notes = _name(operation)
    description = describe(_text(node, "summary"), _text(node, "description"))
    if len(description) > LONGEST_DESCRIPTION:
        notes = [f"description shortened to {LONGEST_DESCRIPTION:,} characters", *notes]
    tool = Tool(
        name=name,
        description=shorten(description, LONGEST_DESCRIPTION),
        parameters=encode(parameters),
        returns=None if returns is None else encode(returns),
        domain=_domain(operation),
        service=_title(service.document),
        source=operation.where,
        raw=encode(node),
    )
    return Draft(tool, (*name_notes, *notes, *(f"returns: {note}" for note in returns_notes)))


def _title(document: dict[str, Json]) -> str:
    info = document.get("info")
    return (_text(info, "title") if isinstance(info, dict) else "")[:_LONGEST_TITLE]


def _returns(node: dict[str, Json], service: _Service) -> Built:
    """Return the schema of the first successful JSON response, with notes."""

    def success(expander: Expander) -> Schema | None:
        schema = _success(node, expander)
        return None if schema is None else expander.expand(schema, "")

    return usable_result(lambda: _fitted(success, service, "response"), MOST_NODES["response"])


def _success(node: dict[str, Json], expander: Expander) -> Json:
    responses = node.get("responses")
    if not isinstance(responses, dict):
        return None
    for status in sorted(status for status in responses if status[:1] == "2"):
        response = expander.resolved(responses[status])
        if not isinstance(response, dict):
            continue
        content = response.get("content")
        if isinstance(content, dict) and content:
            kind = media_type(content)
            media = content[kind] if "json" in kind or kind.startswith("*") else None
            response = media if isinstance(media, dict) else {}
        if response.get("schema") is not None:
            return response["schema"]
    return None


def _name(operation: Operation) -> tuple[str, list[str]]:
    """Return a valid name, from the method and the path if the operation has no id."""
    wish = operation.node.get("operationId")
    if not isinstance(wish, str) or not wish.strip():
        words = re.sub(r"\{([^{}]*)\}", r"by_\1", operation.path)
        return valid_name(f"{operation.method}{words}"), []
    name = valid_name(wish)
    return name, [] if name == wish else [f"renamed from `{wish[:200]}`, which is no valid name"]


def _domain(operation: Operation) -> str:
    """Return the first tag, or else the first word of the path that is not a version."""
    tags = operation.node.get("tags")
    if isinstance(tags, list) and tags and isinstance(tags[0], str):
        return tags[0]
    words = [word for word in operation.path.strip("/").split("/") if word and not word.startswith("{")]
    return next((word for word in words if not _VERSION_SEGMENT.fullmatch(word)), "")


def _credentials(document: dict[str, Json]) -> frozenset[tuple[str, str]]:
    """Return name and place of every API key that the document's security schemes speak of."""
    components = document.get("components")
    schemes = components.get("securitySchemes") if isinstance(components, dict) else None
    schemes = schemes if isinstance(schemes, dict) else document.get("securityDefinitions")
    if not isinstance(schemes, dict):
        return frozenset()
    keys = [scheme for scheme in schemes.values() if isinstance(scheme, dict) and scheme.get("type") == "apiKey"]
    return frozenset((str(key.get("name")), str(key.get("in"))) for key in keys)


def _words(text: str) -> str:
    return shorten(plain(text), LONGEST_DESCRIPTION)


def _text(node: dict[str, Json], key: str) -> str:
    value = node.get(key)
    return value if isinstance(value, str) else ""
