"""A builtin model whose replies follow a protocol's own rules; like any model, it sees the request alone."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from callwright.models.chat import ChatReply, ChatRequest


class Ruled:
    """Replies by a rule."""

    def __init__(self, name: str, rule: Callable[[ChatRequest], str]) -> None:
        self.name = name
        self._rule = rule

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return what the rule makes of the request."""
        return ChatReply(content=self._rule(request))
