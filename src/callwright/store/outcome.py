"""The records that a run stores about rollouts: the outcome of each, and each reply of a model."""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome of one rollout: a value, or an error and the role that caused it, never both."""

    item: str
    trial: int = 0
    value: bytes | None = None
    """The encoded record; None when the rollout failed."""
    kind: str = ""
    """Short class of the error, for counts; empty when there is none."""
    role: str = ""
    """The role that caused the error (`author`, `model`, `user`, `engine`)."""
    message: str = ""

    @property
    def ok(self) -> bool:
        """True when the rollout ended with a value."""
        return self.value is not None


class Place(NamedTuple):
    """The place of one request in a run: rollout, scope and attempt. It is unique in the run."""

    item: str
    trial: int
    scope: str
    """Scope path and role, such as `user/2/vote/1@voter`."""
    attempt: int


class StoredReply(NamedTuple):
    """One reply of a model in the journal; of the request only the digest is kept."""

    place: Place
    request: str
    reply: bytes
