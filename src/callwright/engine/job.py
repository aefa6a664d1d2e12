"""What the engine rolls out: a job, and how a worker process builds it anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from callwright.engine.context import Context
from callwright.models.chat import ChatModel


class Job(Protocol):
    """A list of rollouts that any worker process can rebuild from its payload."""

    @property
    def ids(self) -> Sequence[str]:
        """Unique ids of the items, in planned order."""
        ...

    def models(self, index: int) -> dict[str, ChatModel]:
        """Return the models of item `index` by role (`model`, `user`, ...); a role not named is offline.

        Called only in the parent process: rollouts that ask models run there, where their replies are journalled.
        """
        ...

    async def run(self, index: int, ctx: Context) -> bytes:
        """Roll out item `index` and return its encoded record. Raises RolloutFailed.

        The result may depend only on `ctx` and the payload, never on the clock, the order or another rollout.
        """
        ...


JobMaker = Callable[[bytes], Job]
"""An importable function that builds the same job from its payload in every process."""


class Processes(NamedTuple):
    """Worker processes, and what each builds its job from."""

    workers: int
    make: JobMaker
    payload: bytes
