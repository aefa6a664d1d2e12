"""The `diaforge` recipe as a job of the engine: built anew from its payload in every process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Final

import msgspec

from callwright.catalog.sentence_encoder import locate
from callwright.engine.context import Context
from callwright.errors import bad_option
from callwright.formats import catalog as catalogs
from callwright.models.chat import ChatModel
from callwright.recipes import Recipe
from callwright.recipes.diaforge import rollout
from callwright.recipes.diaforge_plan import RECIPE, Options, Workshop, item_ids
from callwright.recipes.finished import encode_finished
from callwright.records.jsontext import Json, parse
from callwright.records.tool import Catalog


class _Payload(msgspec.Struct, frozen=True):
    catalog: bytes
    """`catalog.json`."""
    options: Options
    seed: int
    n: int


class DiaforgeJob:
    """`n` dialogues over one catalogue."""

    def __init__(self, payload: _Payload, models: Mapping[str, ChatModel]) -> None:
        self._payload = payload
        self._models = dict(models)
        self._catalog = catalogs.read(parse(payload.catalog, where="catalogue"), source="catalogue")
        self.ids = item_ids(self._catalog, payload.options, seed=payload.seed, n=payload.n)

    @cached_property
    def _workshop(self) -> Workshop:
        """Built at the first rollout: a process that only hands out work, or finds none left, does without."""
        return Workshop(self._catalog, self._payload.options, self._payload.seed)

    def models(self, index: int) -> dict[str, ChatModel]:
        """Return the models by role, the same for every dialogue; none where all is offline."""
        return self._models

    async def run(self, index: int, ctx: Context) -> bytes:
        """Return dialogue `index`, kept or rejected (see `finished`). Raises RolloutFailed where no value fits."""
        made = await rollout(self._workshop.plan(index), ctx, self._workshop)
        return encode_finished(made.dialogue, made.issues)


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Payload)


_OFFLINE: Final[Mapping[str, ChatModel]] = MappingProxyType({})


def make(payload: bytes, *, models: Mapping[str, ChatModel] = _OFFLINE) -> DiaforgeJob:
    """Return the job of a payload; `models` by role: `author` words what the writing steps ask for."""
    return DiaforgeJob(_decoder.decode(payload), models)


def encode_payload(catalog: Catalog, options: Mapping[str, Json], seed: int, n: int) -> bytes:
    """Return the payload of `n` dialogues with complete options."""
    return _encoder.encode(_Payload(catalogs.write(catalog), msgspec.convert(options, Options), seed, n))


def complete_options(given: Mapping[str, Json]) -> dict[str, Json]:
    """Return all options with the given ones in place. Raises BadInput for unknown names and values out of range."""
    try:
        options = msgspec.convert(dict(given), Options)
    except msgspec.ValidationError as error:
        raise bad_option("diaforge", error, Options.__struct_fields__) from error
    if options.encoder is not msgspec.UNSET:
        locate(options.encoder)  # before anything is made
    complete: dict[str, Json] = msgspec.to_builtins(options)
    return complete


REASONS: Final = (
    *("seed_tool_not_retrieved", "tools_not_told_apart", "wrong_tool_selected", "not_finished"),
    "text_and_values_differ",
    *("bad_record", "no_turns", "turns_do_not_alternate", "ends_with_user", "empty_text"),
    *("user_acts_as_assistant", "no_thought", "thought_is_public"),
    *("call_where_none_fits", "no_call", "call_too_early", "unknown_tool", "wrong_tool", "several_calls"),
    *("seed_tool_not_in_pool", "argument_*"),
    *("assistant_does_not_ask", "assistant_still_asks"),
    *("value_never_said", "value_not_said_when_due", "value_too_early", "value_out_of_place", "value_not_gold"),
    *("goal_drifts", "identifier_leaked", "opening_tells_all", "turn_repeated"),
    *("schema_words", "word_doubled", "article_clashes"),
)
"""What a dialogue can be rejected for, in the order of the checks."""

RECIPE_JOB: Final = Recipe(
    RECIPE,
    complete_options,
    encode_payload,
    make,
    ("diaforge",),
    REASONS,
    Options.__struct_fields__,
    critics=("relevancy", "critique"),
)
