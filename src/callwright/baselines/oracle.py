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
    """Makes the gold calls that need no other at once, those of the first task that has any; else says so."""

    name = "builtin/oracle"

    def __init__(self, dialogue: Dialogue) -> None:
        golds = next((task.gold for task in dialogue.tasks if task.gold), ())
        self._calls = tuple(Call(gold.tool, encode(gold.values)) for gold in golds if not gold.after)

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the gold calls, whatever was asked."""
        return ChatReply(calls=self._calls) if self._calls else ChatReply(content=_NOTHING_FITS)
