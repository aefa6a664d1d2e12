"""What became of each request to a server: told to whoever steers concurrency, counts cost or keeps statistics."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Literal, Protocol, runtime_checkable

import msgspec

from callwright.models.chat import ChatModel

FailureKind = Literal[
    "auth",  # no key, or a wrong one
    "no_credit",  # nothing left to spend, or a daily limit
    "rate_limited",  # too many requests
    "no_such_model",
    "no_such_route",  # the server has no chat completions there
    "context_too_long",
    "bad_request",  # anything else the server refuses
    "unreachable",  # no connection, or one that was cut
    "server_error",
    "timeout",
    "bad_reply",  # a reply that is none: cut, no JSON, of another shape, too large
]
"""Why a request got no reply."""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One request and its end. Retries are attempts of their own."""

    model: str
    """Full name of the model."""
    role: str
    failure: FailureKind | None = None
    """None when a reply came."""
    seconds: float
    size: int = 0
    """Bytes that were sent."""
    retry_after_s: float | None = None
    """How long the server asked to wait."""
    will_retry: bool = False
    tokens_in: int | None = None
    """As the server counted, also where its reply could not be used; None where it did not count."""
    tokens_out: int | None = None


class AttemptObserver(Protocol):
    """Is told of every attempt as it ends, in the event loop: it must return at once."""

    def on_attempt(self, outcome: Attempt) -> None:
        """Take note."""
        ...


class Gate(Protocol):
    """Who lets attempts in."""

    def passage(self, role: str, size: int) -> AbstractAsyncContextManager[object]:
        """Return what an attempt of `size` bytes happens inside of: entering may wait, and may raise Interrupted."""
        ...

    async def rest(self, seconds: float) -> None:
        """Pause between two attempts. May raise Interrupted."""
        ...


@runtime_checkable
class ObservableModel(Protocol):
    """A model whose attempts can be watched and held back; builtin models make none."""

    def observed_by(self, observer: AttemptObserver, *, gate: Gate | None = None) -> ChatModel:
        """Return the same model, telling `observer` besides those it told before; `gate` replaces its own gate."""
        ...
