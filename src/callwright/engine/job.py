"""Protocols that the upper parts implement for the engine: jobs, writing steps and voices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Protocol, TypeVar

from callwright.models.chat import ChatModel

if TYPE_CHECKING:
    from callwright.engine.context import Context

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Job(Protocol):
    """A list of rollouts that any worker process can rebuild from its payload."""

    @property
    def ids(self) -> Sequence[str]:
        """Unique ids of the items, in planned order."""

    def models(self, index: int) -> dict[str, ChatModel]:
        """Return the models of item `index` by role (`model`, `user`, ...); a role not named is offline.

        Called only in the parent process: rollouts that ask models run there, where their replies are journalled.
        """

    async def run(self, index: int, ctx: Context) -> bytes:
        """Roll out item `index` and return its encoded record. Raises RolloutFailed.

        The result may depend only on `ctx` and the payload, never on the clock, the order or another rollout.
        """


JobMaker = Callable[[bytes], Job]
"""An importable function that builds the same job from its payload in every process."""


class WritingStep(Protocol[T_co]):
    """One writing task with two voices (see `callwright.author.step`)."""

    @property
    def name(self) -> str:
        """Name, and path of its prompt, such as `dialogue/user_turn.j2`."""

    @property
    def stream(self) -> str:
        """Key of its random stream and of its replies in the journal."""

    def offline(self, rng: Random, /, *args: object, **kwargs: object) -> T_co:
        """Write without a model."""


class Voice(Protocol):
    """Performs writing steps, offline or with a model."""

    async def write(self, step: WritingStep[T], ctx: Context, args: tuple[object, ...]) -> T:
        """Return what `step` writes about `args`. Raises RolloutFailed.

        `ctx` is the step's own place: `ctx.rng()` is its random stream, and `ctx.ask("author", ...)` asks its author.
        """


class OfflineVoice:
    """Writes without a model, with the step's grammar."""

    async def write(self, step: WritingStep[T], ctx: Context, args: tuple[object, ...]) -> T:
        return step.offline(ctx.rng(), *args)
