"""`builtin/abstain`: never calls a tool. The floor of every tool metric but FTR."""

from __future__ import annotations

from random import Random
from typing import Final

from callwright.models.chat import ChatReply, ChatRequest

_QUESTION: Final = "Could you tell me a little more about what you need?"


class Abstain:
    """Asks the same harmless question for ever."""

    name = "builtin/abstain"

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the question."""
        return ChatReply(content=_QUESTION)
