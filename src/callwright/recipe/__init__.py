"""What a recipe is: all that turns it into a job of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Protocol

from callwright.engine.job import Job
from callwright.measure.shape import Statistics, exchange_statistics
from callwright.models.chat import ChatModel
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog, Tool


class RecipeJobMaker(Protocol):
    """An importable function that builds a recipe's job from its payload: the same job in every process."""

    def __call__(self, payload: bytes, *, models: Mapping[str, ChatModel] = ...) -> Job:
        """Return the job; `models` by role are asked in this process alone, and a role not named is offline."""
        ...


def _as_it_is(catalog: Catalog) -> Catalog:
    return catalog


def _none(dialogue: Dialogue) -> frozenset[str]:
    return frozenset()


class Recipe(NamedTuple):
    """One recipe, as those see it who only run it."""

    version: str
    """Name and version, such as `name.v1`."""
    complete: Callable[[Mapping[str, Json]], dict[str, Json]]
    """Checks options by name, and returns them with the defaults of all others. Raises BadInput."""
    payload: Callable[[Catalog, Mapping[str, Json], int, int], bytes]
    """Encodes catalogue, complete options, seed and number of items: what `make` builds the job from."""
    make: RecipeJobMaker
    prompts: tuple[str, ...]
    """The prompts it asks with: groups, and single ones of other groups. What they say makes another dataset."""
    reasons: tuple[str, ...]
    """Reasons for rejection in the order of the checks; one that ends in `*` stands for all that begin so."""
    options: tuple[str, ...]
    """Names of its options."""
    prepare: Callable[[Catalog], Catalog] = _as_it_is
    """Returns the catalogue that dialogues are made over: what the recipe needs and the documents lack is inferred."""
    statistics: Callable[[Iterable[Dialogue], Mapping[str, Tool]], Statistics] = exchange_statistics
    """Returns the card's table of shapes. Dialogues come one at a time, as a dataset may be large; tools are by key."""
    unshown_tools: Callable[[Dialogue], frozenset[str]] = _none
    """Returns the keys of tools that a dialogue is about without showing them: parts of a dataset do not share them."""
    critics: tuple[str, ...] = ()
    """Criteria its dialogues are judged by where a judge is named and no criteria are; none: they must be named."""
