"""A recipe as a job of the engine, built anew from its payload in every process, and what its rollouts leave."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

import msgspec

from callwright.author.prompts import Prompts
from callwright.engine.context import Context
from callwright.formats import catalog as catalogs
from callwright.models.chat import ChatModel
from callwright.recipe import Made, Planner, Recipe, item_ids
from callwright.records.codec import to_line
from callwright.records.dialogue import SCHEMA_VERSION, Dialogue
from callwright.records.issue import Issue
from callwright.records.jsontext import Json, parse
from callwright.records.judgement import Judgement
from callwright.records.persona import Persona
from callwright.records.tool import Catalog

OFFLINE: Final[Mapping[str, ChatModel]] = MappingProxyType({})
"""The models of a job that asks none."""


class RecipeJob:
    """`n` items of a recipe over one catalogue."""

    def __init__(
        self,
        recipe: Recipe,
        payload: bytes,
        models: Mapping[str, ChatModel] = OFFLINE,
        prompts: Prompts | None = None,
    ) -> None:
        """`models` by role are asked in this process alone: `author` words what the writing steps ask for.

        Where `prompts` are given, models play the roles of a recipe that has agents.
        """
        found = _decoder.decode(payload)
        self._recipe = recipe
        self._models = dict(models)
        self._prompts = prompts
        self._options = msgspec.convert(found.options, recipe.options)
        self._seed = found.seed
        self.catalog = catalogs.read(parse(found.catalog, where="catalogue"), source="catalogue")
        self._personas = found.personas
        self.ids = item_ids(recipe, self.catalog, self._options, seed=found.seed, n=found.n, personas=found.personas)

    @cached_property
    def workshop(self) -> Planner:
        """The data that all items share.

        Built at the first rollout: a process that only hands out work, or finds none left, does without.
        """
        personas = (self._personas,) if self._recipe.with_personas else ()
        agents = self._recipe.agents if self._prompts is not None else None
        build = (agents and agents.workshop) or self._recipe.workshop
        return build(self.catalog, self._options, self._seed, *personas)

    def models(self, index: int) -> dict[str, ChatModel]:
        """Return the models by role, the same for every item; none where all is offline."""
        return self._models

    def plan(self, index: int) -> Any:
        """Return all that is fixed of item `index` before its first word."""
        return self.workshop.plan(self.ids[index], index)

    async def run(self, index: int, ctx: Context) -> bytes:
        """Return item `index`, kept or rejected (see `Finished`). Raises RolloutFailed."""
        made = await self._made(self.plan(index), ctx)
        return encode_finished(made.dialogue, made.issues)

    def _made(self, plan: Any, ctx: Context) -> Awaitable[Made]:
        agents = self._recipe.agents
        if agents is None or self._prompts is None:
            return self._recipe.rollout(plan, ctx, self.workshop)
        return agents.play(plan, ctx, self.workshop, self._prompts)


class _Payload(msgspec.Struct, frozen=True):
    catalog: bytes
    options: dict[str, Json]
    seed: int
    n: int
    personas: tuple[Persona, ...]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Payload)


def encode_payload(
    catalog: Catalog, options: Mapping[str, Json], *, seed: int, n: int, personas: tuple[Persona, ...] = ()
) -> bytes:
    """Return what a job of `n` items with complete options is built from; no `personas`: the bundled ones."""
    return _encoder.encode(_Payload(catalogs.write(catalog), dict(options), seed, n, personas))


# -- what a rollout leaves in the journal --------------------------------------------------------------------------


class Finished(msgspec.Struct, frozen=True, array_like=True):
    """One finished dialogue; kept where there is no issue."""

    line: bytes
    issues: tuple[Issue, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    """The critics' verdicts, for and against; empty where none was asked."""

    @property
    def rejected_line(self) -> bytes:
        """The line of `rejected.jsonl`: the dialogue with every reason."""
        return to_line(_RejectedLine(msgspec.Raw(self.line), self.issues))


class _RejectedLine(msgspec.Struct, frozen=True):
    """`callwright.store.dataset.Rejected`, with the dialogue encoded already."""

    dialogue: msgspec.Raw
    issues: tuple[Issue, ...]
    schema_version: int = SCHEMA_VERSION


_finished_decoder = msgspec.msgpack.Decoder(Finished)


def encode_finished(dialogue: Dialogue, issues: Iterable[Issue], *, judgements: tuple[Judgement, ...] = ()) -> bytes:
    """Return what the journal keeps."""
    return _encoder.encode(Finished(to_line(dialogue), tuple(issues), judgements))


def decode_finished(value: bytes) -> Finished:
    """Return what `encode_finished` was given."""
    return _finished_decoder.decode(value)
