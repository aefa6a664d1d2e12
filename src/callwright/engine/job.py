"""The three things the engine needs from above: jobs, writing steps and models, as protocols."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Protocol, TypeVar

from callwright.models.chat import ChatModel

if TYPE_CHECKING:
    from callwright.engine.context import Context

T_co = TypeVar("T_co", covariant=True)


class Job(Protocol):
    """A list of rollouts, which any worker process can build anew from its payload."""

    @property
    def ids(self) -> Sequence[str]:
        """Ids of the items, in planned order."""
        ...

    def models(self, index: int) -> dict[str, ChatModel]:
        """Return the models of item `index` by role (`model`, `user`, ...); a role not named is offline."""
        ...

    async def run(self, index: int, ctx: Context) -> bytes:
        """Roll out item `index` and return its encoded record. Raises RolloutFailed."""
        ...


JobMaker = Callable[[bytes], Job]
"""An importable function that builds a job from its payload: the same job in every process."""


class WritingStep(Protocol[T_co]):
    """One writing task with two voices (see `callwright.author.step`)."""

    @property
    def name(self) -> str:
        """Name, and path of its prompt, such as `diaforge/user_turn.j2`."""
        ...

    def offline(self, rng: Random, /, *args: object, **kwargs: object) -> T_co:
        """Write without a model."""
        ...
