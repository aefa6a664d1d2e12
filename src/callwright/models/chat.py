"""What every chat model looks like to the rest: messages and tools in, one reply out.

Nothing here knows HTTP or any provider; `builtin/` models implement the same protocol in-process.
"""

from __future__ import annotations

from random import Random
from typing import Final, Literal, Protocol

import msgspec

from callwright.records.dialogue import Call
from callwright.records.jsontext import JsonText
from callwright.records.tool import Tool

EMPTY_REPLY: Final = "the reply is empty"
"""The format error of a reply without words and calls."""

MessageRole = Literal["system", "user", "assistant", "tool"]


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message of a conversation, as a model sees it."""

    role: MessageRole
    content: str = ""
    calls: tuple[Call, ...] = ()
    call_id: str = ""
    """For role `tool`: the call that is answered."""
    speaker: str = ""
    """For role `user`: id of the participant who speaks; empty where only one user takes part."""
    name: str = ""
    """For role `user`: name of that participant, where it has one."""

    @property
    def said_by(self) -> str:
        """What the speaker is called, on one line; empty where only one user takes part."""
        return " ".join(self.name.split()) or " ".join(self.speaker.split())


class ChatRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything a model is shown for one reply."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    reply_schema: JsonText | None = None
    """JSON Schema of an object that the reply's content must be; None where plain text is asked for."""


class ChatReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reply of a model."""

    content: str = ""
    thought: str = ""
    calls: tuple[Call, ...] = ()
    format_errors: tuple[str, ...] = ()
    """What was malformed; the content is given as far as it could be read."""
    tokens_in: int | None = None
    """As the server counted, also where the reply is malformed; None where it did not count."""
    tokens_out: int | None = None


class ChatModel(Protocol):
    """A model that can be asked for one reply."""

    @property
    def name(self) -> str:
        """Full name, such as `builtin/retriever`."""
        ...

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the reply. `rng` is the only source of chance. Raises RolloutFailed when there is none."""
        ...
