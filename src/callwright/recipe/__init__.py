"""A recipe: options, plan, rollout, and reasons for rejecting its dialogues."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from callwright.errors import BadInput, bad_option
from callwright.measure.shape import Statistics, exchange_statistics
from callwright.recipe.panels import CriteriaPanels
from callwright.recipe.staged_funnel import Stages
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.jsontext import Json, encode
from callwright.records.persona import Persona
from callwright.records.tool import Catalog, Tool, digest

if TYPE_CHECKING:
    from callwright.author.prompts import Prompts
    from callwright.engine.context import Context
    from callwright.models.chat import ChatRequest


class Made(msgspec.Struct, frozen=True):
    """The result of a rollout: a dialogue, and the reason where it is rejected."""

    dialogue: Dialogue
    issues: tuple[Issue, ...] = ()


class Planner(Protocol):
    """A catalogue with all that is computed from it once; it plans every item."""

    def plan(self, item: str, index: int) -> Any:
        """Return all that is fixed of an item, by id and index, before its first word."""
        ...


def _as_it_is(catalog: Catalog) -> Catalog:
    return catalog


def _as_chosen(options: Any, catalog: Catalog) -> Any:
    return options


def _any_options(options: Any) -> None:
    pass


def _any_catalog(options: Any, catalog: Catalog) -> None:
    pass


def _none(about: Any) -> frozenset[str]:
    return frozenset()


def _nothing(catalog: Catalog) -> dict[str, str]:
    return {}


class RoleRequest(NamedTuple):
    """One request of a role, and about how long its reply is."""

    role: str
    request: ChatRequest
    reply_bytes: int


class Agents(NamedTuple):
    """How models play the roles of a recipe, where a model is the author."""

    roles: tuple[str, ...]
    """The roles; the author plays those for which no other model is named."""
    play: Callable[[Any, Context, Any, Prompts], Awaitable[Made]]
    """As the recipe's rollout, with the prompts. Raises RolloutFailed."""
    asked: Callable[[Dialogue, Any, Prompts], Iterable[RoleRequest]]
    """Returns what models would have been asked for a dialogue that the recipe made offline with the workshop."""
    most_calls: Callable[[Any], int]
    """Returns the most replies that one dialogue takes under these options."""
    refuses: tuple[str, ...] = ()
    """Options that only rules carry out."""
    workshop: Callable[..., Planner] | None = None
    """The recipe's workshop where models play; None: the same as offline."""


class NativeAgents(NamedTuple):
    """How models play the roles of a recipe where the assistant calls natively, and the prompts that asks with."""

    agents: Agents
    prompts: tuple[str, ...]


class Recipe(NamedTuple):
    """One recipe, as those see it who only run it. All its functions are importable: worker processes load them."""

    version: str
    options: type[msgspec.Struct]
    """Its options with their defaults and bounds; they are part of every item's identity."""
    workshop: Callable[..., Planner]
    """Data that all items share, of catalogue, options and seed; a recipe `with_personas` is given these as well."""
    rollout: Callable[[Any, Context, Any], Awaitable[Made]]
    """One planned item through all its turns and checks: plan, context and workshop. Raises RolloutFailed."""
    prompts: tuple[str, ...]
    """The prompts it asks with: groups, and single ones of other groups. Their texts identify the dataset."""
    reasons: tuple[str, ...]
    """Reasons for rejection in the order of the checks; one that ends in `*` stands for all that begin so."""
    only_leave_out: tuple[str, ...] = ()
    """Options that only leave something out afterwards: they keep the items, and so the ids, as they are."""
    prepare: Callable[[Catalog], Catalog] = _as_it_is
    """Returns the catalogue that dialogues are made over: what the recipe needs and the documents lack is inferred."""
    identity: Callable[[Any, Catalog], Any] = _as_chosen
    """Returns options as they identify items: of a file what it holds counts, not where it lies. Raises BadInput."""
    check: Callable[[Any], None] = _any_options
    """Raises BadInput for options that cannot be carried out on this machine."""
    fits: Callable[[Any, Catalog], object] = _any_catalog
    """Raises BadInput where nothing can be made over the prepared catalogue with these options; else any value."""
    statistics: Callable[[Iterable[Dialogue], Mapping[str, Tool]], Statistics] = exchange_statistics
    """Returns the card's table of shapes. Dialogues come one at a time, as a dataset may be large; tools are by key."""
    unshown_tools: Callable[[Dialogue], frozenset[str]] = _none
    """Returns the keys of tools that a dialogue is about without showing them: parts of a dataset do not share them."""
    planned_tools: Callable[[Any], frozenset[str]] = _none
    """Returns the keys of the tools that a planned item is about; none where only its rollout decides."""
    left_out: Callable[[Catalog], Mapping[str, str]] = _nothing
    """Returns by key the tools of the prepared catalogue that it never plans, each with the reason."""
    departures: Callable[[Dialogue], Iterable[str]] = _none
    """Returns what a dialogue has otherwise than it was designed, with the reasons."""
    with_personas: bool = False
    """Whether its users have personas; without any the workshop takes the bundled ones."""
    is_even: bool = False
    """Whether tools take turns: as many items as tools plan one for each."""
    cells: Callable[[Any], int] | None = None
    """Returns how many cells the design has under these options; items take turns. None: no design."""
    keeps_all: str = ""
    """Option with which nothing is rejected, so that no judge is asked; empty where there is none."""
    critics: tuple[str, ...] = ()
    """Criteria its dialogues are judged by where a judge is named and no criteria are; none: they must be named."""
    panels: CriteriaPanels | None = None
    """Panels that judge in place of `critics`."""
    stages: Stages | None = None
    """The stages of its cascade, which the funnel counts apart; None: each reason is a step."""
    agents: Agents | None = None
    """How models play its roles; None: an author model words what the rollout decides."""
    native: NativeAgents | None = None
    """The same with native calls of the assistant; None: it calls in the object that it replies with."""

    @property
    def name(self) -> str:
        """Name without version."""
        return self.version.rpartition(".v")[0]


def with_native_calls(recipe: Recipe) -> Recipe:
    """Return the recipe as it is made where the assistant calls natively. Raises BadInput where it cannot."""
    if recipe.native is None:
        raise BadInput(f"in {recipe.name} no assistant calls natively. Leave calling out.")
    return recipe._replace(agents=recipe.native.agents, prompts=recipe.native.prompts)


def item_ids(
    recipe: Recipe, catalog: Catalog, options: msgspec.Struct, *, seed: int, n: int, personas: tuple[Persona, ...] = ()
) -> tuple[str, ...]:
    """Return the ids of items 0 to `n` - 1: known before the run. No `personas` stand for the bundled ones."""
    fields = msgspec.structs.fields(recipe.options)
    usual = {field.name: field.default for field in fields if field.name in recipe.only_leave_out}
    found = msgspec.structs.replace(recipe.identity(options, catalog), **usual)
    chosen = digest(encode(msgspec.to_builtins(found)))
    chosen = digest(chosen, personas_digest(personas)) if personas else chosen
    return tuple(digest(recipe.version, catalog.digest, chosen, str(seed), str(index)) for index in range(n))


def personas_digest(personas: Iterable[Persona]) -> str:
    """Return what tells these personas in this order from any others."""
    return digest(*(encode(msgspec.to_builtins(persona)) for persona in personas))


def complete_options(recipe: Recipe, given: Mapping[str, Json]) -> dict[str, Json]:
    """Return all options with the given ones in place. Raises BadInput for unknown names and values out of range."""
    try:
        options = msgspec.convert(dict(given), recipe.options)
    except msgspec.ValidationError as error:
        raise bad_option(recipe.name, error, recipe.options) from error
    recipe.check(options)
    complete: dict[str, Json] = msgspec.to_builtins(options)
    return complete
