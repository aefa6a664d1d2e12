"""What the engine rolls out: a job, and how a worker process builds it anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from callwright.engine.context import Context
from callwright.models.chat import ChatModel


class Job(Protocol):
    """A list of rollouts, which any worker process can build anew from its payload."""

    @property
    def ids(self) -> Sequence[str]:
        """Ids of the items, in planned order; no two are equal."""
        ...

    def models(self, index: int) -> dict[str, ChatModel]:
        """Return the models of item `index` by role (`model`, `user`, ...); a role not named is offline.

        Called in the first process alone: rollouts that ask models run there, where their replies are journalled.
        """
        ...

    async def run(self, index: int, ctx: Context) -> bytes:
        """Roll out item `index` and return its encoded record. Raises RolloutFailed.

        Only what comes from `ctx` and from the payload may decide the result: no clock, no order, no other rollout.
        """
        ...


JobMaker = Callable[[bytes], Job]
"""An importable function that builds a job from its payload: the same job in every process."""


class Processes(NamedTuple):
    """Worker processes, and what each builds its job from."""

    workers: int
    make: JobMaker
    payload: bytes
