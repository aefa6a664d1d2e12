"""A request in the words of the protocol: messages and tools, for servers that call natively and for any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from callwright.models.chat import ChatRequest, Message
from callwright.models.structured import Level, instruction, response_format
from callwright.records.dialogue import Call
from callwright.records.jsontext import EMPTY_OBJECT, Json
from callwright.records.tool import Tool

Calling = Literal["native", "prompted"]
"""Whether the server is given the tools, or the prompt describes them."""

_NO_PARAMETERS = '{"properties":{},"type":"object"}'

_encoder = msgspec.json.Encoder()


_NONE: Final[Mapping[str, Json]] = MappingProxyType({})


def encode_request(
    model: str, request: ChatRequest, *, calling: Calling, level: Level, settings: Mapping[str, Json] = _NONE
) -> bytes:
    """Return the body of a request for one reply; `settings` are further fields of it."""
    body: dict[str, Json] = {"model": model, **settings}
    messages = list(request.messages)
    if request.reply_schema is not None:
        messages = _with_system(messages, instruction(request.reply_schema, level))
        if (wanted := response_format(request.reply_schema, level)) is not None:
            body["response_format"] = wanted
    if calling == "prompted":
        if request.tools:
            messages = _with_system(messages, _tools_in_words(request.tools))
        body["messages"] = [_prompted(message) for message in messages]
    else:
        body["messages"] = _native(messages)
        if request.tools:
            body["tools"] = _native_tools(request.tools)
    return _encoder.encode(body)


def _with_system(messages: list[Message], more: str) -> list[Message]:
    """The messages with `more` at the end of the system message, which is made where there is none."""
    if not more:
        return messages
    if messages and messages[0].role == "system":
        return [Message("system", f"{messages[0].content}\n\n{more}"), *messages[1:]]
    return [Message("system", more), *messages]


@lru_cache(maxsize=1024)
def _native_tools(tools: tuple[Tool, ...]) -> msgspec.Raw:
    """The field `tools`, encoded once for all turns of a dialogue."""
    return msgspec.Raw(b"[%b]" % b",".join(map(_native_tool, tools)))


@lru_cache(maxsize=4096)
def _native_tool(tool: Tool) -> bytes:
    return _encoder.encode({"type": "function", "function": _function(tool)})


@lru_cache(maxsize=1024)
def _tools_in_words(tools: tuple[Tool, ...]) -> str:
    return "\n".join([_rules().strip(), *(_encoder.encode(_function(tool)).decode() for tool in tools)])


def _function(tool: Tool) -> dict[str, Json]:
    parameters = _NO_PARAMETERS if tool.parameters == EMPTY_OBJECT else tool.parameters
    return {"name": tool.name, "description": tool.description, "parameters": msgspec.Raw(parameters.encode())}


@cache
def _rules() -> str:
    return (files("callwright.models") / "data" / "prompted_calling.txt").read_text(encoding="utf-8")


def _prompted(message: Message) -> dict[str, Json]:
    """A message for a model that knows no calls but in its text."""
    if message.role == "tool":
        return {"role": "user", "content": f"<tool_result>{message.content}</tool_result>"}
    lines = [message.content, *map(_call_in_words, message.calls)]
    return {"role": message.role, "content": "\n".join(filter(None, lines))}


def _call_in_words(call: Call) -> str:
    written = {"name": call.tool, "arguments": msgspec.Raw(call.arguments.encode())}
    return f"<tool_call>{_encoder.encode(written).decode()}</tool_call>"


def _native(messages: Sequence[Message]) -> list[dict[str, Json]]:
    """The messages with an id for every call; results without one answer the calls in their order."""
    written: list[dict[str, Json]] = []
    open_ids: list[str] = []
    for at, message in enumerate(messages):
        fields: dict[str, Json] = {"role": message.role, "content": message.content}
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
