"""The protocol of chat models, independent of HTTP and providers: messages and tools in, one reply out."""

from __future__ import annotations

from random import Random
from typing import Final, Literal, Protocol

import msgspec

from callwright.records.dialogue import Call
from callwright.records.jsontext import JsonText
from callwright.records.tool import Tool

EMPTY_REPLY: Final = "the reply is empty"
"""The format error of a reply without text and calls."""

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
        """The speaker's name, on one line; empty where only one user takes part."""
        return " ".join(self.name.split()) or " ".join(self.speaker.split())


class ChatRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that a model gets for one reply."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    reply_schema: JsonText | None = None
    """JSON Schema of the object that the reply's content must be; None for plain text."""


class ChatReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """One reply of a model."""

    content: str = ""
    thought: str = ""
    calls: tuple[Call, ...] = ()
    format_errors: tuple[str, ...] = ()
    """Errors of form; the content holds the part that could be read."""
    tokens_in: int | None = None
    """The server's count, also for a malformed reply; None if it did not count."""
    tokens_out: int | None = None


class ChatModel(Protocol):
    """A model that can be asked for one reply."""

    @property
    def name(self) -> str:
        """Full name, such as `builtin/retriever`."""
        ...

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the reply. `rng` is the only source of randomness. Raises RolloutFailed if there is no reply."""
        ...
