"""Requests for the tests of the server, and a way to see what comes back at the socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from callwright.formats import functions
from callwright.models.chat import ChatRequest, Message
from callwright.models.conversation import encode_request

TOOL = {
    "type": "function",
    "function": {
        "name": "delete_file",
        "description": "Delete a file.",
        "parameters": {"type": "object", "properties": {"file_id": {"type": "integer"}}, "required": ["file_id"]},
    },
}
CALLS = {"role": "user", "content": "Please delete file 77."}


def body(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A request; without messages one that `builtin/retriever` answers with a call."""
    return {"model": "any", "messages": list(messages or [CALLS]), "tools": [TOOL], **fields}


def encoded(**fields: Any) -> bytes:
    """The same as bytes."""
    return json.dumps(body(**fields)).encode()


def in_words(**fields: Any) -> bytes:
    """The same as a client writes it that gives the server no tools."""
    tools = functions.read([TOOL], source="tools").tools
    request = ChatRequest((Message("user", CALLS["content"]),), tools)
    return encode_request("any", request, calling="prompted", level="prompt", settings=fields)


def deltas(stream: bytes) -> list[dict[str, Any]]:
    """The chunks of an event stream, which must end in `[DONE]`."""
    *events, done, rest = stream.decode().split("\n\n")
    assert (done, rest) == ("data: [DONE]", "")
    return [json.loads(event.removeprefix("data: ")) for event in events]


def joined(chunks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The message that the chunks of a stream add up to, with its finish reason."""
    text, thought, calls, finish = "", "", list[dict[str, Any]](), None
    for choice in (choice for chunk in chunks for choice in chunk["choices"]):
        text += choice["delta"].get("content") or ""
        thought += choice["delta"].get("reasoning_content", "")
        finish = choice["finish_reason"] or finish
        for part in choice["delta"].get("tool_calls", ()):
            if part["index"] == len(calls):
                calls.append({"id": part["id"], "name": part["function"]["name"], "arguments": ""})
            calls[part["index"]]["arguments"] += part["function"]["arguments"]
    return {"content": text, "reasoning": thought, "calls": calls, "finish_reason": finish}


async def raw(url: str, content: bytes, *, path: str = "/chat/completions", headers: str = "") -> bytes:
    """All bytes that a connection gives for one POST, until the server closes it."""
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    head = f"POST {where.path}{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    head += f"Content-Length: {len(content)}\r\n"
    writer.write(f"{head}{headers}\r\n".encode() + content)
    try:
        return await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()
