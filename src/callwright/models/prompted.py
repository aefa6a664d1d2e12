"""Prompted calling, for models whose server does not support tools: writing it, and reading it back in a server.

The system message ends in the rules and the tools, one a line. The form is that of Hermes, which many open models were
trained on: calls between `<tool_call>` tags, results between `<tool_response>` tags in a user message. The rules do not
speak of results: told of them, small models invent some. A message with results says what it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby
from typing import Final

import msgspec

from callwright.errors import BadDocument
from callwright.models.brackets import Work
from callwright.models.chat import ChatRequest, Message
from callwright.models.tool_calls import find_calls
from callwright.records.jsontext import EMPTY_OBJECT, Json, encode, parse
from callwright.records.tool import Tool

_NO_PARAMETERS = '{"properties":{},"type":"object"}'
_CALL, _CALL_END = "<tool_call>\n", "\n</tool_call>"
_RETURNED: Final = "What the tools returned:"
_RESULT, _RESULT_END = "\n<tool_response>\n", "\n</tool_response>"
_CLOSING, _CLOSING_INSIDE = "</tool_response>", r"<\/tool_response>"
"""The tag, and how a result writes it that holds it: JSON reads both as the same string."""
_SPACE: Final = "\n\n"

_encoder = msgspec.json.Encoder()


# -- writing ---------------------------------------------------------------------------------------------------------


def function_of(tool: Tool) -> dict[str, Json]:
    """Return the description of a tool for a model."""
    parameters = _NO_PARAMETERS if tool.parameters == EMPTY_OBJECT else tool.parameters
    return {"name": tool.name, "description": tool.description, "parameters": msgspec.Raw(parameters.encode())}


def with_system(messages: Sequence[Message], more: str) -> list[Message]:
    """Return the messages with `more` at the end of the system message, which is added if there is none."""
    if not more:
        return [*messages]
    if messages and messages[0].role == "system":
        return [Message("system", f"{messages[0].content}{_SPACE}{more}"), *messages[1:]]
    return [Message("system", more), *messages]


@lru_cache(maxsize=1024)
def tools_in_words(tools: tuple[Tool, ...]) -> str:
    """Return the calling rules and the tools, as text."""
    return with_documents(_rules(), tools)


def with_documents(rules: str, tools: Sequence[Tool]) -> str:
    """Return rules of calling with the tools after them, one a line."""
    return rules + "".join(f"\n{_encoder.encode(function_of(tool)).decode()}" for tool in tools)


def messages_in_words(messages: Sequence[Message]) -> list[dict[str, Json]]:
    """Return messages with their calls and results written as text; results in a row become one message."""
    written: list[dict[str, Json]] = []
    for is_result, some in groupby(messages, lambda message: message.role == "tool"):
        if is_result:
            written.append({"role": "user", "content": results_in_words(some)})
        else:
            written += map(_message_in_words, some)
    return written


def results_in_words(results: Iterable[Message]) -> str:
    """Return what a message says that brings results of tools."""
    told = (message.content.replace(_CLOSING, _CLOSING_INSIDE) for message in results)
    return _RETURNED + "".join(f"{_RESULT}{text}{_RESULT_END}" for text in told)


def _message_in_words(message: Message) -> dict[str, Json]:
    lines = [with_speaker(message), *(call_in_words(call.tool, call.arguments) for call in message.calls)]
    return {"role": message.role, "content": "\n".join(filter(None, lines))}


def with_speaker(message: Message) -> str:
    """Return the words of a message, after the speaker's name where several users take part."""
    return f"{speaker}: {message.content}" if (speaker := message.said_by) else message.content


def call_in_words(tool: str, arguments: str) -> str:
    """Return a call as a model writes it; `arguments` is inserted unchanged, even if it is not JSON."""
    written = {"name": tool, "arguments": msgspec.Raw(arguments.encode())}
    return f"{_CALL}{_encoder.encode(written).decode()}{_CALL_END}"


@cache
def _rules() -> str:
    return (files("callwright.models") / "data" / "prompted_calling.txt").read_text(encoding="utf-8").strip()


# -- reading ---------------------------------------------------------------------------------------------------------


def read_words(messages: Sequence[Message]) -> ChatRequest | None:
    """Return the messages and tools that were written as text; None if the first message has no tools.

    A line after the rules that holds only name, description and parameters is a tool; schemas are not checked. The work
    of finding calls is bounded for all messages together; calls beyond it stay words.
    """
    if not messages or messages[0].role != "system":
        return None
    before, rules, after = messages[0].content.rpartition(f"{_rules()}\n")
    if not rules:
        return None
    lines = [(line, _described(line)) for line in after.split("\n")]  # a tool's line may contain other line separators
    tools = tuple(tool for _, tool in lines if tool is not None)
    if not tools:
        return None
    words = "\n".join(line for line, tool in lines if tool is None).strip()
    told = Message("system", _SPACE.join(filter(None, (before.removesuffix(_SPACE), words))))
    work = Work()
    rest = (read for message in messages[1:] for read in _read_message(message, work))
    return ChatRequest((*((told,) if before or words else ()), *rest), tools)


def _described(line: str) -> Tool | None:
    if not line.startswith("{"):
        return None
    try:
        match parse(line):
            case {"name": str(name), "description": str(description), "parameters": dict(parameters), **rest}:
                return None if rest else Tool(name=name, description=description, parameters=encode(parameters))
    except BadDocument:
        pass
    return None


def _read_message(message: Message, work: Work) -> list[Message]:
    said = message.content
    if message.role == "user" and said.startswith(_RETURNED + _RESULT) and said.endswith(_RESULT_END):
        inner = said[len(_RETURNED + _RESULT) : -len(_RESULT_END)]
        results = inner.split(_RESULT_END + _RESULT)
        return [Message("tool", text.replace(_CLOSING_INSIDE, _CLOSING)) for text in results]
    if message.role == "assistant" and not message.calls and _CALL in said:
        found = find_calls(said, work)
        return [Message("assistant", found.content, found.calls)]
    return [message]
