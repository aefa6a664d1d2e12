"""Time-outs and retries: how long to wait for a reply, which failures to retry, and after which pause."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from random import Random
from typing import Final

import msgspec

from callwright.errors import BadInput
from callwright.models.attempts import FailureKind


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """Time-outs in seconds, and the number of attempts. Not part of a run's identity: they do not affect replies."""

    connect_s: float = 10.0
    idle_s: float = 300.0
    """Longest silence between two bytes; replies come in one piece, so this is also the longest wait for the first."""
    total_s: float = 900.0
    """Longest time for one attempt."""
    tries: int = 24
    """Most attempts for one reply; with the pauses below they take about 50 seconds."""
    first_pause_s: float = 0.5
    """Pause before the second attempt, in seconds; doubled before each further one."""
    longest_pause_s: float = 3.0
    """Longest pause. It is short, so that calls resume soon after a server recovers; the engine limits concurrency."""
    longest_retry_after_s: float = 120.0
    """Longest requested pause that is honoured; a longer one means that a quota is spent, not that there is a burst."""

    def __post_init__(self) -> None:
        for name in ("connect_s", "idle_s", "total_s"):
            if not (seconds := getattr(self, name)) > 0:
                raise BadInput(f"a time-out of {seconds:g} seconds is too short. Give more than 0.")
        if self.tries < 1:
            raise BadInput(f"tries is {self.tries}; at least 1 is needed.")


_FEWER_TRIES: Final[dict[FailureKind, int]] = {"timeout": 2, "bad_reply": 3}
"""A silent or malfunctioning server is retried, but not for minutes."""

_WORTH_RETRYING: Final = frozenset({"rate_limited", "unreachable", "server_error", "timeout", "bad_reply"})

_TRIES_BEFORE_FIRST_CONTACT = 2


def may_retry(
    kind: FailureKind, *, tried: int, patience: Patience, retry_after_s: float | None, answered_before: bool
) -> bool:
    """Return whether to try again after `tried` attempts; a server that never answered is given up soon."""
    if kind not in _WORTH_RETRYING or (retry_after_s or 0) > patience.longest_retry_after_s:
        return False
    most = min(patience.tries, _FEWER_TRIES.get(kind, patience.tries))
    if kind == "unreachable" and not answered_before:
        most = min(most, _TRIES_BEFORE_FIRST_CONTACT)
    return tried < most


def pause(tried: int, *, patience: Patience, retry_after_s: float | None, rng: Random) -> float:
    """Return the seconds to wait after `tried` attempts: between half and all of a pause that doubles each time.

    It is never shorter than the server requested, plus up to a quarter, so that refused calls do not return at once.
    """
    longest = min(patience.longest_pause_s, patience.first_pause_s * 2.0 ** min(tried - 1, 60))
    own = longest * (0.5 + rng.random() / 2)
    if retry_after_s is None:
        return own
    return max(own, retry_after_s * (1 + rng.random() / 4) + rng.random() * patience.first_pause_s)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds a server asks to wait (a number, or a date relative to its `Date`), or None."""
    if (exact := _seconds(headers.get("retry-after-ms"))) is not None:
        return exact / 1000
    value = headers.get("Retry-After")
    if (seconds := _seconds(value)) is not None:
        return seconds
    due = _timestamp(value)
    if due is None:
        return None
    now = _timestamp(headers.get("Date"))
    return max(0.0, due - (time.time() if now is None else now))


def _seconds(value: str | None) -> float | None:
    try:
        seconds = float(value or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _timestamp(value: str | None) -> float | None:
    try:
        return parsedate_to_datetime(value or "").timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
