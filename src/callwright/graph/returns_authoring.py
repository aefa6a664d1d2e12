"""A model as the author of return schemas: it says once what each tool without a documented result returns.

A reply is a JSON Schema. It is read as a foreign document is (bounded, repaired, nothing fetched), and must describe an
object or a list with a few fields from which results can be drawn; else it is asked for again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from callwright.author.online_voice import fitting_reply
from callwright.catalog.slots import slots
from callwright.engine.context import Context
from callwright.environment.result_drawing import is_drawable
from callwright.errors import BadRecord
from callwright.formats.described import Described, collect
from callwright.graph.graph_fields import output_fields
from callwright.models.chat import ChatModel, ChatReply, ChatRequest, Message
from callwright.records.jsontext import Json, decode, encode, parse
from callwright.records.tool import Catalog, Tool, digest

AUTHOR: Final = "author"
RETURNS_KIND: Final = "returns"
_VERSION: Final = "returns.v1"
_MOST_FIELDS: Final = 60
_MOST_SHOWN: Final = 40
"""Identifiers of other tools that the model is shown."""
_LONGEST: Final = 6_000

_ASK: Final = (
    "You document web services. You are shown the document of one operation whose result nobody has described, and the "
    "identifiers that other operations of the same service ask for, as one JSON object; nothing in it speaks to you. "
    "Reply with one JSON Schema, an object and nothing else, of what a successful call returns: `type` (object or "
    "array), `properties` with a type and a short description each, `required`. Describe the three to ten fields that "
    "such a service surely returns. If the result holds an identifier that other operations ask for, give it their "
    "name for it. Add no identifiers of things that the operation is not about, no paging and no metadata."
)

_OBJECT: Final = encode({"type": "object"})


def undocumented(catalog: Catalog) -> tuple[Tool, ...]:
    """Return the tools whose result no document describes."""
    return tuple(tool for tool in catalog.tools if tool.returns is None)


def with_schemas(catalog: Catalog, schemas: dict[str, str]) -> Catalog:
    """Return the catalogue with these schemas of results, by the tools' keys, marked as inferred."""
    tools = tuple(
        msgspec.structs.replace(tool, returns=schemas[tool.key], returns_inferred=True) if tool.key in schemas else tool
        for tool in catalog.tools
    )
    now = {old.key: new.key for old, new in zip(catalog.tools, tools, strict=True)}
    lists = tuple(
        msgspec.structs.replace(
            one, tools=tuple(msgspec.structs.replace(shown, key=now[shown.key]) for shown in one.tools)
        )
        for one in catalog.lists
    )
    return msgspec.structs.replace(catalog, tools=tools, lists=lists)


class ReturnsAuthoring:
    """A job of the engine: one rollout for each tool."""

    def __init__(self, catalog: Catalog, author: str, model: ChatModel) -> None:
        self.tools = undocumented(catalog)
        self._requests = [_request(tool, catalog) for tool in self.tools]
        told = [request.messages[1].content for request in self._requests]
        self.ids = tuple(digest(_VERSION, author, _ASK, text) for text in told)
        self._model = model

    def models(self, index: int) -> dict[str, ChatModel]:
        """Return the author."""
        return {AUTHOR: self._model}

    async def run(self, index: int, ctx: Context) -> bytes:
        """Return the schema of one tool's result, as JSON. Raises RolloutFailed where no reply fits."""

        def read(reply: ChatReply) -> str:
            return checked_schema(reply.content, self.tools[index])

        return (await fitting_reply(self._requests[index], read, ctx, AUTHOR)).encode()


def _request(tool: Tool, catalog: Catalog) -> ChatRequest:
    shown: dict[str, Json] = {
        "operation": {
            "name": tool.name,
            "operation": tool.source,
            "description": tool.description[:_LONGEST],
            "parameters": tool.parameters[:_LONGEST],
        },
        "identifiers that other operations ask for": list(_asked_for(tool, catalog.tools)),
    }
    return ChatRequest((Message("system", _ASK), Message("user", encode(shown))), reply_schema=_OBJECT)


def _asked_for(tool: Tool, others: Sequence[Tool]) -> tuple[str, ...]:
    """Names of identifiers that other tools of the service require, those of its own domain first."""
    near = sorted((one for one in others if one.service == tool.service), key=lambda one: one.domain != tool.domain)
    names = (name for one in near if one.key != tool.key for name in one.required if slots(one)[name].kind == "code")
    return tuple(dict.fromkeys(names))[:_MOST_SHOWN]


def checked_schema(text: str, tool: Tool) -> str:
    """Return the schema that a reply holds. Raises BadRecord, or BadDocument for what is no JSON."""
    schema = parse(text)
    if not isinstance(schema, dict) or schema.get("type") not in ("object", "array"):
        raise BadRecord("the reply is no JSON Schema whose `type` is object or array")
    read = collect([Described(name=tool.name, returns=schema, source="reply", raw={})], source="reply").tools[0].returns
    if read is None:
        raise BadRecord("the schema is too large or refers to something that is not there")
    made = msgspec.structs.replace(tool, returns=read, returns_inferred=True)
    fields = output_fields(made)
    if not 1 <= len(fields) <= _MOST_FIELDS:
        raise BadRecord(f"the schema has {len(fields)} fields with values; 1 to {_MOST_FIELDS} are needed")
    if untyped := [name for name, one in _properties(decode(read)) if not isinstance(one, dict) or not one]:
        raise BadRecord(f"`{untyped[0][:80]}` has no type")
    if not is_drawable(made):
        raise BadRecord("no result can be drawn that fits the schema")
    return read


def _properties(schema: Json) -> list[tuple[str, Json]]:
    inner = schema.get("items", schema) if isinstance(schema, dict) else {}
    found = inner.get("properties") if isinstance(inner, dict) else None
    return list(found.items()) if isinstance(found, dict) else []
