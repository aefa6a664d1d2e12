"""Replies of the chat-completions protocol, which depend only on the request: one body, or a stream of events."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from callwright import __version__
from callwright.lang.tokens import words
from callwright.models.chat import ChatReply
from callwright.models.prompted import call_in_words
from callwright.records.jsontext import Json

FINGERPRINT: Final = f"callwright-{__version__}"

_WORDS_A_CHUNK: Final = 4
_CHARACTERS_A_CHUNK: Final = 24
_WORD = re.compile(r"\S*\s*")

DONE: Final = b"data: [DONE]\n\n"


class WireCall(msgspec.Struct, frozen=True):
    """A call in the response format: `arguments` is JSON text, possibly damaged by a fault."""

    id: str
    name: str
    arguments: str


class Completion(msgspec.Struct, frozen=True):
    """One reply, before encoding."""

    id: str
    model: str
    content: str
    calls: tuple[WireCall, ...]
    tokens_in: int
    tokens_out: int
    thought: str = ""
    """Sent in the field `reasoning_content`, where there is one."""

    @property
    def finish_reason(self) -> Literal["tool_calls", "stop"]:
        return "tool_calls" if self.calls else "stop"


def completion(reply: ChatReply, *, digest: str, model: str, tokens_in: int) -> Completion:
    """Return the reply to the request with this digest. Its tokens are the words of its texts, calls and arguments.

    A lone surrogate, quoted from a tool, has no UTF-8 and is replaced.
    """
    calls = tuple(WireCall(f"call_{digest}{at}", call.tool, str(call.arguments)) for at, call in enumerate(reply.calls))
    tokens_out = len(words(reply.content)) + sum(len(words(call.name)) + len(words(call.arguments)) for call in calls)
    tokens_out += len(words(reply.thought))
    content, thought = (text.encode("utf-8", "replace").decode() for text in (reply.content, reply.thought))
    return Completion(f"chatcmpl-{digest}", model, content, calls, tokens_in, tokens_out, thought)


def in_words(reply: Completion) -> Completion:
    """Return the reply for prompted calling: its calls are part of its text."""
    calls = (call_in_words(call.name, call.arguments) for call in reply.calls)
    return msgspec.structs.replace(reply, content="\n".join(filter(None, (reply.content, *calls))), calls=())


def to_body(reply: Completion) -> bytes:
    message: dict[str, Json] = {"role": "assistant", "content": reply.content or None, "refusal": None}
    if reply.thought:
        message["reasoning_content"] = reply.thought
    if reply.calls:
        message["tool_calls"] = [_tool_call(call, call.arguments) for call in reply.calls]
    elif not reply.content:
        message["content"] = ""
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.finish_reason}
    return msgspec.json.encode(_head(reply, "chat.completion") | {"choices": [choice], "usage": _usage(reply)})


def to_events(reply: Completion, *, include_usage: bool) -> list[bytes]:
    """Return the reply as server-sent events, `[DONE]` at their end."""
    head = _head(reply, "chat.completion.chunk")
    if include_usage:
        head["usage"] = None
    chunks = [head | {"choices": [_choice(delta)]} for delta in _deltas(reply)]
    chunks.append(head | {"choices": [_choice({}, reply.finish_reason)]})
    if include_usage:
        chunks.append(head | {"choices": [], "usage": _usage(reply)})
    return [*map(to_event, chunks), DONE]


def to_event(chunk: Json) -> bytes:
    return b"data: " + msgspec.json.encode(chunk) + b"\n\n"


def error_body(message: str, *, kind: str, code: str | None = None, param: str | None = None) -> bytes:
    return msgspec.json.encode({"error": {"message": message, "type": kind, "param": param, "code": code}})


def _head(reply: Completion, kind: str) -> dict[str, Json]:
    return {"id": reply.id, "object": kind, "created": 0, "model": reply.model, "system_fingerprint": FINGERPRINT}


def _usage(reply: Completion) -> dict[str, int]:
    return {
        "prompt_tokens": reply.tokens_in,
        "completion_tokens": reply.tokens_out,
        "total_tokens": reply.tokens_in + reply.tokens_out,
    }


def _choice(delta: Json, finish_reason: str | None = None) -> Json:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}


def _tool_call(call: WireCall, arguments: str) -> dict[str, Json]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _deltas(reply: Completion) -> Iterator[Json]:
    """Yield the role, reasoning and text some words at a time, then each call: its name, its arguments in pieces."""
    yield {"role": "assistant", "content": None if reply.calls and not reply.content else "", "refusal": None}
    for field, said in (("reasoning_content", reply.thought), ("content", reply.content)):
        pieces = _WORD.findall(said)
        for at in range(0, len(pieces), _WORDS_A_CHUNK):
            if text := "".join(pieces[at : at + _WORDS_A_CHUNK]):
                yield {field: text}
    for index, call in enumerate(reply.calls):
        yield {"tool_calls": [{"index": index, **_tool_call(call, "")}]}
        for at in range(0, len(call.arguments), _CHARACTERS_A_CHUNK):
            piece = call.arguments[at : at + _CHARACTERS_A_CHUNK]
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
