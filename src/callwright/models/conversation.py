"""Encodes requests for the chat-completions API, in one of four ways of calling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from callwright.models.chat import ChatRequest, Message
from callwright.models.prompted import function_of, messages_in_words, tools_in_words, with_speaker, with_system
from callwright.models.schema_calling import calls_by_schema, calls_in_object
from callwright.models.structured import Level, instruction, response_format
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

Calling = Literal["native", "prompted", "schema", "object"]
"""`native`: the server gets the tools; `prompted`: the prompt describes them, and calls are written as text; `schema`:
the prompt describes them, and the whole reply is an object of a JSON Schema; `object`: the same words to the model, and
nothing enforces the form."""

CALLING_NAMES: Final[Mapping[Calling, str]] = MappingProxyType(
    {"native": "native", "prompted": "prompted.v2", "schema": "schema.v2", "object": "object.v2"}
)
"""Names in signatures and in the identity of runs; another wording of the rules gets another version."""

OBJECT_CALLING: Final[Mapping[Calling, Callable[[ChatRequest], ChatRequest]]] = MappingProxyType(
    {"schema": calls_by_schema, "object": calls_in_object}
)
"""Ways of calling in which the whole reply is an object, and what each sends."""

_encoder = msgspec.json.Encoder()

_NONE: Final[Mapping[str, Json]] = MappingProxyType({})


def encode_request(
    model: str, request: ChatRequest, *, calling: Calling, level: Level, settings: Mapping[str, Json] = _NONE
) -> bytes:
    """Return the body of a request for one reply; `settings` are further fields."""
    body: dict[str, Json] = {"model": model, **settings}
    request = OBJECT_CALLING[calling](request) if calling in OBJECT_CALLING else request
    messages = list(request.messages)
    if request.reply_schema is not None:
        messages = with_system(messages, instruction(request.reply_schema, level))
        if (wanted := response_format(request.reply_schema, level)) is not None:
            body["response_format"] = wanted
    if calling != "native":
        body["messages"] = _in_words(messages, request.tools)
    else:
        body["messages"] = _native(messages)
        if request.tools:
            body["tools"] = _native_tools(request.tools)
    return _encoder.encode(body)


def told_in_words(request: ChatRequest, calling: Calling) -> list[dict[str, Json]]:
    """Return role and content of what a model is sent that does not call by the server: tools and calls are text."""
    request = OBJECT_CALLING[calling](request) if calling in OBJECT_CALLING else request
    return _in_words(request.messages, request.tools)


def _in_words(messages: Sequence[Message], tools: tuple[Tool, ...]) -> list[dict[str, Json]]:
    return messages_in_words(with_system(messages, tools_in_words(tools)) if tools else messages)


@lru_cache(maxsize=1024)
def _native_tools(tools: tuple[Tool, ...]) -> msgspec.Raw:
    """Return the field `tools`, encoded once for all turns of a dialogue."""
    return msgspec.Raw(b"[%b]" % b",".join(map(_native_tool, tools)))


@lru_cache(maxsize=4096)
def _native_tool(tool: Tool) -> bytes:
    return _encoder.encode({"type": "function", "function": function_of(tool)})


def _native(messages: Sequence[Message]) -> list[dict[str, Json]]:
    """Return the messages with an id for every call; results without ids answer the calls in order.

    Where several users take part, their names stand before their words: most chat templates ignore a field `name`.
    """
    written: list[dict[str, Json]] = []
    open_ids: list[str] = []
    for at, message in enumerate(messages):
        fields: dict[str, Json] = {"role": message.role, "content": with_speaker(message)}
        if message.calls:
            open_ids = [call.id or f"call_{at}_{nth}" for nth, call in enumerate(message.calls)]
            fields["content"] = message.content or None
            fields["tool_calls"] = [
                {"id": identity, "type": "function", "function": {"name": call.tool, "arguments": call.arguments}}
                for identity, call in zip(open_ids, message.calls, strict=True)
            ]
        elif message.role == "tool":
            identity = message.call_id or (open_ids[0] if open_ids else f"call_{at}")
            open_ids = [other for other in open_ids if other != identity]
            fields["tool_call_id"] = identity
        written.append(fields)
    return written
