"""Records of requests to servers, for observers that control concurrency, count cost or keep statistics."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Final, Literal, Protocol, get_args, runtime_checkable

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
    "bad_certificate",  # a server whose certificate is not accepted
    "server_error",
    "timeout",
    "bad_reply",  # not a reply: cut, not JSON, another shape, too large
]
"""Why a request got no reply."""

UNPAID: Final[frozenset[FailureKind]] = frozenset(get_args(FailureKind)) - {"timeout", "bad_reply"}
"""Failures of requests that no server answers for money: they were refused, or never arrived."""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One request and its result. Each retry is another attempt."""

    model: str
    role: str
    failure: FailureKind | None = None
    """None if a reply came."""
    seconds: float
    size: int = 0
    retry_after_s: float | None = None
    will_retry: bool = False
    tokens_in: int | None = None
    """The server's count, also for an unusable reply; None if it did not count."""
    tokens_out: int | None = None


class AttemptObserver(Protocol):
    """Gets every attempt when it ends, in the event loop, so it must return at once."""

    def on_attempt(self, outcome: Attempt) -> None:
        """Take note."""


class Gate(Protocol):
    """Admits attempts."""

    def passage(self, role: str, size: int) -> AbstractAsyncContextManager[object]:
        """Return the context manager for an attempt of `size` bytes; entering may wait, and may raise Interrupted."""

    async def rest(self, seconds: float) -> None:
        """Pause between two attempts. May raise Interrupted."""


@runtime_checkable
class ObservableModel(Protocol):
    """A model whose attempts can be observed and delayed; builtin models make no attempts."""

    def observed_by(self, observer: AttemptObserver, *, gate: Gate | None = None) -> ChatModel:
        """Return the same model with `observer` added to its observers; `gate` replaces its gate."""
