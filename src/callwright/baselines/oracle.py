"""`builtin/oracle`: handed the gold truth, to prove that the perfect answer reaches a protocol's ceiling.

The one builtin model that sees more than a model sees, and named for it.
"""

from __future__ import annotations

from random import Random
from typing import Final

from callwright.models.chat import ChatReply, ChatRequest
from callwright.records.dialogue import Call, Dialogue
from callwright.records.jsontext import encode

_NOTHING_FITS: Final = "None of the tools I have can do that, so I will not call one."


class Oracle:
    """Makes the gold call of one dialogue at once; where no tool fits, says so."""

    name = "builtin/oracle"

    def __init__(self, dialogue: Dialogue) -> None:
        self._gold = next((gold for task in dialogue.tasks for gold in task.gold), None)

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the gold call, whatever was asked."""
        if self._gold is None:
            return ChatReply(content=_NOTHING_FITS)
        return ChatReply(calls=(Call(self._gold.tool, encode(self._gold.values)),))
