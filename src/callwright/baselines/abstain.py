"""`builtin/abstain`: never calls a tool. It is the lower bound of every tool metric except FTR."""

from __future__ import annotations

from random import Random
from typing import Final

from callwright.models.chat import ChatReply, ChatRequest

_QUESTION: Final = "Could you tell me a little more about what you need?"


class Abstain:
    """Always asks the same neutral question."""

    name = "builtin/abstain"

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the question."""
        return ChatReply(content=_QUESTION)
