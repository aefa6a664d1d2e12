"""The context of a rollout: its random streams, writing steps, models and journal, seen from one place in it.

    ctx                        the rollout of one item, one trial
    └─ ctx.at("user/2")        a place with its own random stream and journal entries
       └─ .at("vote", attempt=1)

Each place may write with a step once and ask a role once per attempt; repetitions need another scope.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Protocol, TypeVar

from callwright.engine.journal import Journal, Unjournalled
from callwright.engine.randomness import LateStream, stream
from callwright.errors import CallwrightError, unknown_name
from callwright.models.chat import ChatModel, ChatReply, ChatRequest
from callwright.store.outcome import Place

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_RESERVED = frozenset("#@~")  # separators between scopes, step names, roles and attempts


class WritingStep(Protocol[T_co]):
    """One writing task with two voices (see `callwright.author.step`)."""

    @property
    def name(self) -> str:
        """Path of its prompt, such as `diaforge/goal.j2`; empty: rules write it."""

    @property
    def stream(self) -> str:
        """Key of its random stream and of its replies in the journal."""

    def offline(self, rng: Random, /, *args: object, **kwargs: object) -> T_co:
        """Write without a model."""


class Voice(Protocol):
    """Performs writing steps, offline or with a model."""

    async def write(self, step: WritingStep[T], ctx: Context, args: tuple[object, ...]) -> T:
        """Return what `step` writes about `args`, asking from its own place `ctx`. Raises RolloutFailed."""


class OfflineVoice:
    """Writes without a model, with the step's grammar."""

    async def write(self, step: WritingStep[T], ctx: Context, args: tuple[object, ...]) -> T:
        return step.offline(ctx.rng(), *args)


class Rollout:
    """The data that all places of one rollout share."""

    __slots__ = ("item", "journal", "models", "seed", "trial", "used", "voice")

    def __init__(
        self, item: str, *, trial: int = 0, seed: int, models: Mapping[str, ChatModel], voice: Voice, journal: Journal
    ) -> None:
        self.item = item
        self.trial = trial
        self.seed = seed
        self.models = models
        self.voice = voice
        self.journal = journal
        self.used: set[tuple[str, int]] = set()


class Context:
    """One place in one rollout."""

    __slots__ = ("_rollout", "attempt", "scope")

    def __init__(self, rollout: Rollout, scope: str = "", attempt: int = 0) -> None:
        self._rollout = rollout
        self.scope = scope
        """Path of the place; empty for the rollout itself."""
        self.attempt = attempt
        """Number of earlier attempts at this place."""

    @classmethod
    def detached(
        cls,
        item: str,
        *,
        seed: int = 0,
        trial: int = 0,
        models: Mapping[str, ChatModel] | None = None,
        voice: Voice | None = None,
    ) -> Context:
        """Return the context of a rollout outside any run, without a journal."""
        voice = voice or OfflineVoice()
        return cls(Rollout(item, trial=trial, seed=seed, models=models or {}, voice=voice, journal=Unjournalled()))

    @property
    def item(self) -> str:
        """Id of the item that is rolled out."""
        return self._rollout.item

    @property
    def trial(self) -> int:
        """Which repetition of the item this is, from 0."""
        return self._rollout.trial

    @property
    def seed(self) -> int:
        """Seed of the whole run."""
        return self._rollout.seed

    @property
    def models(self) -> Mapping[str, ChatModel]:
        """The models by role; a role not named is offline."""
        return self._rollout.models

    def at(self, scope: str, *, attempt: int = 0) -> Context:
        """Return the place `scope`, such as `user/2`, inside this one; outer attempts are part of its path."""
        if not scope or not _RESERVED.isdisjoint(scope):
            raise CallwrightError(f"scope {scope!r}: a scope must not be empty or contain '#', '@' or '~'.")
        path = f"{self.scope}~{self.attempt}" if self.attempt else self.scope
        return Context(self._rollout, f"{path}/{scope}" if self.scope else scope, attempt)

    def rng(self) -> Random:
        """Return this place's random stream, from its start: keyed by seed, item, trial, scope and attempt."""
        rollout = self._rollout
        return stream(rollout.seed, rollout.item, self.scope, self.attempt, trial=rollout.trial)

    async def write(self, step: WritingStep[T], *args: object) -> T:
        """Return what `step` writes about `args`. Raises RolloutFailed, CallwrightError if it wrote here before."""
        place = self.writing(step)
        place._claim("write with a step")
        return await self._rollout.voice.write(step, place, args)

    def writing(self, step: WritingStep[T]) -> Context:
        """Return the place at which `step` writes, from which its voice asks models."""
        return Context(self._rollout, f"{self.scope}#{step.stream}", self.attempt)

    async def ask(self, role: str, request: ChatRequest) -> ChatReply:
        """Return the reply of the model that plays `role`: the journalled one, or a new one once it is committed.

        Raises RolloutFailed when the model has none, UnknownName where no model plays `role`, Interrupted after a
        request to stop, CallwrightError for the same role at the same place again.
        """
        rollout = self._rollout
        model = rollout.models.get(role)
        if model is None:
            raise unknown_name("role with a model", role, list(rollout.models))
        place = Context(rollout, f"{self.scope}@{role}", self.attempt)
        place._claim("ask a role")
        key = Place(rollout.item, rollout.trial, place.scope, place.attempt)
        chance = LateStream(rollout.seed, rollout.item, place.scope, place.attempt, rollout.trial)
        return await rollout.journal.ask(key, model, request, chance)

    def forget(self, role: str) -> None:
        """Drop an unusable reply of `role`: if this rollout fails, the next session requests it again."""
        rollout = self._rollout
        rollout.journal.forget(Place(rollout.item, rollout.trial, f"{self.scope}@{role}", self.attempt))

    def _claim(self, what: str) -> None:
        place = (self.scope, self.attempt)
        if place in self._rollout.used:
            raise CallwrightError(
                f"{self.scope!r}, attempt {self.attempt}: a place may {what} once, or both would get the same "
                "answer. Use ctx.at(...) with another scope or attempt."
            )
        self._rollout.used.add(place)
