"""Dialogues of the `tooldial` recipe for tests: made once over the bundled catalogue."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

from callwright.app.catalogs import read_catalog
from callwright.engine.context import Context
from callwright.environment.returns import with_returns
from callwright.papers.tooldial.scenario_plan import PlannedDialogue, ToolDialWorkshop
from callwright.papers.tooldial.tooldial_options import ToolDialOptions
from callwright.papers.tooldial.tooldial_recipe import RECIPE
from callwright.papers.tooldial.tooldial_rollout import rollout
from callwright.recipe import Made, item_ids
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Catalog, Tool

SEED = 7


@cache
def catalog() -> Catalog:
    """Return the bundled catalogue with a result schema on every tool."""
    return with_returns(read_catalog("builtin/enterprise"))


@cache
def workshop(**options: Any) -> ToolDialWorkshop:
    """Return the workshop of these options."""
    return ToolDialWorkshop(catalog(), ToolDialOptions(**options), SEED)


@cache
def plan(index: int, **options: Any) -> PlannedDialogue:
    """Return the plan of dialogue `index`."""
    shop = workshop(**options)
    return shop.plan(item_ids(RECIPE, catalog(), shop.options, seed=SEED, n=index + 1)[index], index)


@cache
def made(index: int, **options: Any) -> Made:
    """Return dialogue `index`."""
    planned = plan(index, **options)
    ctx = Context.detached(planned.scenario.id, seed=SEED)
    return asyncio.run(rollout(planned, ctx, workshop(**options)))


def dialogues(count: int) -> list[Dialogue]:
    """Return the first dialogues."""
    return [made(index).dialogue for index in range(count)]


def tools_of(dialogue: Dialogue) -> dict[str, Tool]:
    """Return the documents of a dialogue by shown name."""
    return {shown.name: catalog().by_key[shown.key] for shown in dialogue.tools}
