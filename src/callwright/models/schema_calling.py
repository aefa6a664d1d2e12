"""Calling by schema: the whole reply is one object, whose form the server enforces where it can.

    {"say": "For which night?", "calls": []}
    {"say": "", "calls": [{"name": "book_telescope", "arguments": {"hours": 3}}]}

A model without native calling then cannot write a call that is not read. The tools stand in the system message, results
in a user message, as with prompted calling.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

import msgspec

from callwright.errors import BadDocument
from callwright.models.chat import EMPTY_REPLY, ChatReply, ChatRequest, Message
from callwright.models.prompted import with_documents, with_system
from callwright.models.tool_calls import MAX_CALLS, find_calls, read_calls
from callwright.records.jsontext import EMPTY_OBJECT, Json, JsonText, decode, parse
from callwright.records.tool import Tool

LONGEST_TEXT: Final = 600
"""Longest string of a reply, in characters: a grammar without bounds lets a string run on to the limit of tokens."""

_MOST_CALLS_ASKED: Final = 8
"""Small models repeat a call until the list is full."""

_encoder = msgspec.json.Encoder()


def calls_by_schema(request: ChatRequest) -> ChatRequest:
    """Return the request with its tools in the system message and the schema of a reply that may call them.

    A request without tools, or for a reply of another form, is returned as it is.
    """
    if not request.tools or request.reply_schema is not None:
        return request
    told = with_system(request.messages, _tools_in_words(request.tools))
    return ChatRequest(tuple(map(_as_object, told)), reply_schema=reply_schema(request.tools))


def calls_in_object(request: ChatRequest) -> ChatRequest:
    """Return the same words to the model as `calls_by_schema`, without a schema that a server would enforce."""
    return msgspec.structs.replace(calls_by_schema(request), reply_schema=request.reply_schema)


@lru_cache(maxsize=1024)
def _tools_in_words(tools: tuple[Tool, ...]) -> str:
    return with_documents(_rules(), tools)


@cache
def _rules() -> str:
    return (files("callwright.models") / "data" / "schema_calling.txt").read_text(encoding="utf-8").strip()


def _as_object(message: Message) -> Message:
    """An assistant's message in the form in which replies are asked for."""
    if message.role != "assistant":
        return message
    calls = [{"name": call.tool, "arguments": msgspec.Raw(call.arguments.encode())} for call in message.calls]
    return Message("assistant", _encoder.encode({"say": message.content, "calls": calls}).decode())


@lru_cache(maxsize=1024)
def reply_schema(tools: tuple[Tool, ...]) -> JsonText:
    """Return the JSON Schema of a reply. Its keys keep their order: models write them as they come."""
    calls = {"type": "array", "maxItems": _MOST_CALLS_ASKED, "items": {"anyOf": [_call_schema(tool) for tool in tools]}}
    properties = {"say": {"type": "string", "maxLength": LONGEST_TEXT}, "calls": calls}
    return JsonText(_encoder.encode(_closed(properties)).decode())


def _call_schema(tool: Tool) -> dict[str, Json]:
    arguments: Json = {"type": "object", "properties": {}}
    if tool.parameters != EMPTY_OBJECT:
        arguments = _bounded(decode(tool.parameters))
    return _closed({"name": {"type": "string", "enum": [tool.name]}, "arguments": arguments})


def _closed(properties: dict[str, Json]) -> dict[str, Json]:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


_INNER: Final = ("items", "additionalProperties")
_INNER_LISTS: Final = ("anyOf", "oneOf", "allOf")
_OWN_BOUND: Final = frozenset(("enum", "const", "pattern", "format", "maxLength"))


def _bounded(schema: Json) -> Json:
    """The schema with a greatest length for each string that has no other bound."""
    if not isinstance(schema, dict):
        return schema
    bounded = dict(schema)
    if schema.get("type") == "string" and not _OWN_BOUND & {*schema}:
        bounded["maxLength"] = LONGEST_TEXT
    if isinstance(named := schema.get("properties"), dict):
        bounded["properties"] = {name: _bounded(one) for name, one in named.items()}
    for key in _INNER:
        if key in schema:
            bounded[key] = _bounded(schema[key])
    for key in _INNER_LISTS:
        if isinstance(listed := schema.get(key), list):
            bounded[key] = [_bounded(one) for one in listed]
    return bounded


_CUT: Final = re.compile(r'\s*+\{\s*+"say"\s*+:\s*+"((?:[^"\\]++|\\.)*+)\Z', re.DOTALL)
"""An object that was cut off within what is said."""


def _said(text: str) -> str:
    """Return the content of a cut JSON string; the text itself where its last escape was cut too."""
    try:
        value = parse(f'"{text}"')
    except BadDocument:
        return text
    return value.strip() if isinstance(value, str) else text


def called_by_schema(reply: ChatReply) -> ChatReply:
    """Return what a reply in this form says and calls; one in another form is searched for calls."""
    try:
        value: Json = parse(reply.content)
    except BadDocument:
        value = None
    match value:
        case {"say": str(said), "calls": list(calls), **rest} if not rest:
            found = read_calls(calls[:MAX_CALLS])._replace(content=said.strip())
        case _:
            found = find_calls(reply.content)
            if not found.calls and (cut := _CUT.match(reply.content)):
                found = found._replace(content=_said(cut[1]))
    errors = (*reply.format_errors, *found.errors)
    if not found.content and not found.calls and EMPTY_REPLY not in errors:
        errors += (EMPTY_REPLY,)
    return msgspec.structs.replace(reply, content=found.content, calls=found.calls, format_errors=errors)
