"""What the engine needs from above, as protocols: jobs, writing steps and the voice that speaks them."""

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


class WritingStep(Protocol[T_co]):
    """One writing task with two voices (see `callwright.author.step`)."""

    @property
    def name(self) -> str:
        """Name, and path of its prompt, such as `dialogue/user_turn.j2`."""
        ...

    @property
    def stream(self) -> str:
        """Key of its random stream and of its replies in the journal."""
        ...

    def offline(self, rng: Random, /, *args: object, **kwargs: object) -> T_co:
        """Write without a model."""
        ...


class Voice(Protocol):
    """Who puts into words what a writing step asks for."""

    async def write(self, step: WritingStep[T], ctx: Context, args: tuple[object, ...]) -> T:
        """Return what `step` writes about `args`. Raises RolloutFailed.

        `ctx` is the step's own place: `ctx.rng()` is its chance, and `ctx.ask("author", ...)` a call of its author.
        """
        ...


class OfflineVoice:
    """Speaks without a model, by the step's own grammar."""

    async def write(self, step: WritingStep[T], ctx: Context, args: tuple[object, ...]) -> T:
        """Return what the step's offline voice says."""
        return step.offline(ctx.rng(), *args)
