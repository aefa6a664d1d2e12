"""The `wild` recipe as a job of the engine: built anew from its payload in every process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Final

import msgspec

from callwright.author.assistant_turn import assistant_turn
from callwright.author.user_turn import user_turn
from callwright.engine.context import Context
from callwright.errors import bad_option
from callwright.formats import catalog as catalogs
from callwright.measure.wild_shape import wild_statistics
from callwright.models.chat import ChatModel
from callwright.recipes import Recipe
from callwright.recipes.finished import encode_finished
from callwright.recipes.wild import rollout
from callwright.recipes.wild_plan import RECIPE, Options, Workshop, item_ids, prepare
from callwright.records.jsontext import Json, parse
from callwright.records.tool import Catalog


class _Payload(msgspec.Struct, frozen=True):
    catalog: bytes
    """`catalog.json`, with a result schema on every tool."""
    options: Options
    seed: int
    n: int


class WildJob:
    """`n` sessions over the lists of one catalogue."""

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
        """Return the models by role, the same for every session; none where all is offline."""
        return self._models

    async def run(self, index: int, ctx: Context) -> bytes:
        """Return session `index`, kept or rejected (see `finished`). Raises RolloutFailed where the author fails."""
        made = await rollout(self._workshop.plan(self.ids[index], index), ctx, self._workshop)
        return encode_finished(made.dialogue, made.issues)


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Payload)
_OFFLINE: Final[Mapping[str, ChatModel]] = MappingProxyType({})


def make(payload: bytes, *, models: Mapping[str, ChatModel] = _OFFLINE) -> WildJob:
    """Return the job of a payload; `models` by role: `author` words what the writing steps ask for."""
    return WildJob(_decoder.decode(payload), models)


def encode_payload(catalog: Catalog, options: Mapping[str, Json], seed: int, n: int) -> bytes:
    """Return the payload of `n` sessions with complete options."""
    return _encoder.encode(_Payload(catalogs.write(catalog), msgspec.convert(options, Options), seed, n))


def complete_options(given: Mapping[str, Json]) -> dict[str, Json]:
    """Return all options with the given ones in place. Raises BadInput for unknown names and values out of range."""
    try:
        options: dict[str, Json] = msgspec.to_builtins(msgspec.convert(dict(given), Options))
    except msgspec.ValidationError as error:
        raise bad_option("wild", error, Options.__struct_fields__) from error
    return options


REASONS: Final = (
    "no_plan",
    "text_and_values_differ",
    *("turns_of_another_kind", "empty_text"),
    *("unknown_tool", "unknown_parameter", "type_error", "redundant_call", "result_unlike_schema", "bad_dependency"),
    *("off_the_path", "other_result", "call_left_out"),
    *("hidden_place_untrue", "nothing_hidden"),
    *("value_never_said", "hidden_value_said", "result_value_said", "missing_value_said"),
    *("nothing_missing", "not_required", "missing_value_known"),
    "change_untrue",
)
"""What a session can be rejected for, in the order of the checks."""

PROMPTS: Final = ("wild", assistant_turn.name, user_turn.name)
"""A missing value is asked for and given as in DiaFORGE."""

RECIPE_JOB: Final = Recipe(
    RECIPE,
    complete_options,
    encode_payload,
    make,
    PROMPTS,
    REASONS,
    Options.__struct_fields__,
    prepare,
    wild_statistics,
)
