"""Requests of an evaluation as they were sent, with the replies that were kept."""

from __future__ import annotations

import msgspec

from callwright.models.chat import ChatReply, ChatRequest


class SentRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One request of a rollout, with the reply that was kept."""

    role: str
    model: str
    place: str
    """Where in the rollout it was sent: scope, and the number of the attempt after `~` from the second on."""
    request: ChatRequest
    reply: ChatReply
    is_as_sent: bool
    """Whether the rebuilt request is the one that was answered; it differs after a change of prompts or rules."""
    usd: float | None
    """By the prices given; None where there is none, or the server did not count."""
