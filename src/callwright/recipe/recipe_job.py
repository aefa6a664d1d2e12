"""A recipe as a job of the engine: built anew from its payload in every process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, TypeVar

import msgspec

from callwright.engine.context import Context
from callwright.errors import bad_option
from callwright.formats import catalog as catalogs
from callwright.models.chat import ChatModel
from callwright.records.jsontext import Json, parse
from callwright.records.tool import Catalog

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)
WorkshopT = TypeVar("WorkshopT")

OFFLINE: Final[Mapping[str, ChatModel]] = MappingProxyType({})
"""The models of a job that asks none."""


class Parts(NamedTuple, Generic[OptionsT, WorkshopT]):
    """What is a recipe's own in its job."""

    options: type[OptionsT]
    item_ids: Callable[..., Sequence[str]]
    """Ids of the items, of catalogue, options, `seed` and `n`."""
    workshop: Callable[[Catalog, OptionsT, int], WorkshopT]
    """What all items share: catalogue, options and seed."""
    make: Callable[[WorkshopT, str, int, Context], Awaitable[bytes]]
    """One item, by id and index, kept or rejected (see `finished`). Raises RolloutFailed."""


class RecipeJob(Generic[OptionsT, WorkshopT]):
    """`n` items over one catalogue."""

    def __init__(self, parts: Parts[OptionsT, WorkshopT], payload: bytes, models: Mapping[str, ChatModel]) -> None:
        found = _decoder.decode(payload)
        self._parts = parts
        self._models = dict(models)
        self._options = msgspec.convert(found.options, parts.options)
        self._seed = found.seed
        self._catalog = catalogs.read(parse(found.catalog, where="catalogue"), source="catalogue")
        self.ids = parts.item_ids(self._catalog, self._options, seed=found.seed, n=found.n)

    @cached_property
    def _workshop(self) -> WorkshopT:
        """Built at the first rollout: a process that only hands out work, or finds none left, does without."""
        return self._parts.workshop(self._catalog, self._options, self._seed)

    def models(self, index: int) -> dict[str, ChatModel]:
        """Return the models by role, the same for every item; none where all is offline."""
        return self._models

    async def run(self, index: int, ctx: Context) -> bytes:
        """Return item `index`, kept or rejected (see `finished`). Raises RolloutFailed."""
        return await self._parts.make(self._workshop, self.ids[index], index, ctx)


class _Payload(msgspec.Struct, frozen=True):
    catalog: bytes
    """`catalog.json`, as the recipe prepared it."""
    options: dict[str, Json]
    """Complete."""
    seed: int
    n: int


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Payload)


def encode_payload(catalog: Catalog, options: Mapping[str, Json], seed: int, n: int) -> bytes:
    """Return what a job of `n` items with complete options is built from."""
    return _encoder.encode(_Payload(catalogs.write(catalog), dict(options), seed, n))


def read_options(recipe: str, options: type[OptionsT], given: Mapping[str, Json]) -> OptionsT:
    """Return all options with the given ones in place. Raises BadInput for unknown names and values out of range."""
    try:
        return msgspec.convert(dict(given), options)
    except msgspec.ValidationError as error:
        raise bad_option(recipe, error, options.__struct_fields__) from error
