"""Finds the part of a conversation that belongs to the current request."""

from __future__ import annotations

from itertools import pairwise

import msgspec

from callwright.models.chat import ChatRequest


def current_part(request: ChatRequest) -> ChatRequest | None:
    """Return the conversation since the last report of a tool result; None if a result has just arrived."""
    messages = request.messages
    if messages and messages[-1].role == "tool":
        return None
    reported = [
        at
        for at, (before, message) in enumerate(pairwise(messages), 1)
        if before.role == "tool" and message.role == "assistant" and not message.calls
    ]
    if not reported:
        return request
    told = tuple(message for message in messages if message.role == "system")
    return msgspec.structs.replace(request, messages=(*told, *messages[reported[-1] + 1 :]))
