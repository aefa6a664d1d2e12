"""Chat messages as turns and back.

An assistant's calls up to its next text without a call form one turn of several steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from callwright.errors import BadDocument
from callwright.records.dialogue import Call, Result, Step, Turn
from callwright.records.jsontext import Json, JsonText, decode, encode, parse

_ROLES: Final = ("system", "user", "assistant", "tool")


def read_messages(messages: Sequence[Json], names: Mapping[str, str], where: str) -> tuple[Turn, ...]:
    """Return the turns of a conversation; `names` are documented names of tools to shown ones.

    Raises BadDocument for a message of another layout, and a tool's result that no call stands before.
    """
    turns: list[Turn] = []
    steps: list[Step] = []
    for at, message in enumerate(messages):
        role = message.get("role") if isinstance(message, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        if role not in _ROLES or not isinstance(content, str | None):
            raise BadDocument(f"{where}: message {at} has no known role, or its content is not text.")
        if role == "tool":
            if not steps or len(steps[-1].results) >= len(steps[-1].calls):
                raise BadDocument(f"{where}: message {at} is a tool's result, but no call is open before it.")
            result = Result(str(message.get("tool_call_id") or ""), _value(content or ""))
            steps[-1] = msgspec.structs.replace(steps[-1], results=(*steps[-1].results, result))
        elif role == "assistant" and message.get("tool_calls"):
            steps.append(Step(calls=_calls(message["tool_calls"], names, f"{where}: message {at}"), text=content or ""))
        else:
            if steps and role != "assistant":
                turns.append(Turn("assistant", "", tuple(steps)))
                steps = []
            turns.append(Turn(role, content or "", tuple(steps)))
            steps = []
    return (*turns, Turn("assistant", "", tuple(steps))) if steps else tuple(turns)


def write_messages(turns: Sequence[Turn], names: Mapping[str, str]) -> list[dict[str, Json]]:
    """Return turns as messages; `names` are shown names of tools to documented ones."""
    return [message for turn in turns for message in _messages(turn, names)]


def _messages(turn: Turn, names: Mapping[str, str]) -> Iterator[dict[str, Json]]:
    for step in turn.steps:
        calls = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": names.get(call.tool, call.tool), "arguments": call.arguments},
            }
            for call in step.calls
        ]
        yield {"role": "assistant", "content": step.text or None, "tool_calls": calls}
        for result in step.results:
            yield {"role": "tool", "tool_call_id": result.call, "content": _text(result.value)}
    if turn.text or not turn.steps:
        yield {"role": turn.speaker, "content": turn.text}


def _calls(listed: Json, names: Mapping[str, str], where: str) -> tuple[Call, ...]:
    calls = []
    for one in listed if isinstance(listed, list) else [None]:
        function = one.get("function") if isinstance(one, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(one, dict) or not isinstance(function, dict) or not isinstance(name, str):
            raise BadDocument(f"{where} has `tool_calls` in another layout. Each needs `function` with a `name`.")
        calls.append(Call(names.get(name, name), _arguments(function.get("arguments")), str(one.get("id") or "")))
    return tuple(calls)


def _arguments(written: Json) -> JsonText:
    """Arguments as an object, or as the JSON text of one."""
    return _value(written) if isinstance(written, str) else encode({} if written is None else written)


def _value(content: str) -> JsonText:
    """What JSON text stands for; other text, and a text in quotes, is a text as it is."""
    try:
        value = parse(content)
    except BadDocument:
        return encode(content)
    return encode(content if isinstance(value, str) else value)


def _text(value: JsonText | None) -> str:
    if value is None:
        return ""
    decoded = decode(value)
    return decoded if isinstance(decoded, str) else value
