"""What a run stores about rollouts: how each ended, and each reply of a model on the way."""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """How one rollout ended: with a value, or with an error and who is to blame. Never both."""

    item: str
    trial: int = 0
    value: bytes | None = None
    """The encoded record; None when the rollout failed."""
    kind: str = ""
    """Short class of the error, for counts; empty when there is none."""
    role: str = ""
    """Who is to blame for the error (`author`, `model`, `user`, `engine`)."""
    message: str = ""

    @property
    def ok(self) -> bool:
        """True when the rollout ended with a value."""
        return self.value is not None


class Place(NamedTuple):
    """Where in which rollout a model was asked: no two asks of a run share one."""

    item: str
    trial: int
    scope: str
    """Scope path and role, such as `user/2/vote/1@voter`."""
    attempt: int


class StoredReply(NamedTuple):
    """One reply of a model as the journal keeps it: the request only as a digest."""

    place: Place
    request: str
    """Digest of what was asked."""
    reply: bytes
