"""Wild sessions for tests: made once, over the published lists where they are here, else over the bundled tools."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from callwright.app.catalogs import read_catalog
from callwright.engine.context import Context, Voice
from callwright.papers.wild.paper import WildOptions
from callwright.papers.wild.session_plan import SessionPlan, SessionPlanner, prepare
from callwright.papers.wild.session_rollout import Made, rollout
from callwright.papers.wild.wild_recipe import RECIPE
from callwright.recipe import item_ids
from callwright.recipe.unplanned import Unplanned
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.dialogue import Dialogue, Scenario
from callwright.records.tool import Catalog, Tool

PUBLISHED = Path(__file__).parents[2] / "shared" / "data" / "wild" / "tools_en.jsonl"
needs_lists = pytest.mark.skipif(not PUBLISHED.exists(), reason="the published tool lists are not here")
SEED = 7
EXTRAS = {"minefields": True, "tool_failures": True, "value_changes": 1.0}
"""Options with every extra: what is planned with them serves all tests of extras."""


@cache
def catalog() -> Catalog:
    """Return a catalogue with a result schema on every tool."""
    return prepare(read_catalog(PUBLISHED if PUBLISHED.exists() else "builtin/enterprise"))


@cache
def workshop(**options: bool | float) -> SessionPlanner:
    """Return the workshop of these options."""
    return SessionPlanner(catalog(), WildOptions(**options), SEED)  # type: ignore[arg-type]


@cache
def items(**options: bool | float) -> list[str]:
    """Return the ids of the first sessions."""
    return item_ids(RECIPE, catalog(), workshop(**options).options, seed=SEED, n=96)


def plan(index: int, **options: bool | float) -> SessionPlan | Unplanned:
    """Return the plan of session `index`, which takes most of the time that a session takes."""
    return _planned_once(workshop(**options), items(**options)[index], index)


def make(index: int, *, voice: Voice | None = None, **options: bool | float) -> Made:
    """Return session `index`."""
    ctx = Context.detached(items(**options)[index], seed=SEED, voice=voice)
    return asyncio.run(rollout(plan(index, **options), ctx, workshop(**options)))


@cache
def _planned_once(shop: SessionPlanner, item: str, index: int) -> SessionPlan | Unplanned:
    return shop.plan(item, index)


def planned(shop: SessionPlanner, wanted: Callable[[WildPlan], bool], count: int = 1) -> Iterator[Dialogue]:
    """Yield the first kept sessions whose plan is as wanted; only those are worded. Fails where there are too few."""
    found = 0
    for index, item in enumerate(item_ids(RECIPE, shop.catalog, shop.options, seed=SEED, n=400)):
        found_plan = _planned_once(shop, item, index)
        if isinstance(found_plan, Unplanned) or not wanted(notes_of(found_plan.scenario)):
            continue
        made = asyncio.run(rollout(found_plan, Context.detached(item, seed=SEED), shop))
        if not made.issues:
            yield made.dialogue
            found += 1
        if found == count:
            return
    raise AssertionError(f"{found} of {count} sessions found")


def notes_of(made: Dialogue | Scenario) -> WildPlan:
    """Return what a session records beside its tasks."""
    assert isinstance(made.annotation, WildPlan)
    return made.annotation


_made_once = cache(make)


@cache
def sessions(count: int = 24) -> tuple[Made, ...]:
    """Return the first sessions."""
    return tuple(_made_once(index) for index in range(count))


def first_session(wanted: Callable[[Dialogue], bool]) -> Made:
    """Return the first kept session that is as wanted; no later one is made."""
    made = map(_made_once, range(96))
    return next(one for one in made if not one.issues and wanted(one.dialogue))


def tools_of(made: Made | Dialogue) -> dict[str, Tool]:
    """Return the documents by the names they were shown under."""
    dialogue = made if isinstance(made, Dialogue) else made.dialogue
    return {shown.name: catalog().by_key[shown.key] for shown in dialogue.tools}
