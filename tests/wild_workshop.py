"""Wild sessions for tests: made once, over the published lists where they are here, else over the bundled tools."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path

from callwright.app.catalogs import read_catalog
from callwright.engine.context import Context
from callwright.recipes.wild import Made, rollout
from callwright.recipes.wild_plan import Options, Workshop, item_ids, prepare
from callwright.records.tool import Catalog, Tool

PUBLISHED = Path(__file__).parents[2] / "shared" / "data" / "wild" / "tools_en.jsonl"
SEED = 7


@cache
def catalog() -> Catalog:
    """Return a catalogue with a result schema on every tool."""
    return prepare(read_catalog(PUBLISHED if PUBLISHED.exists() else "builtin/enterprise"))


@cache
def workshop(**options: bool | float) -> Workshop:
    """Return the workshop of these options."""
    return Workshop(catalog(), Options(**options), SEED)  # type: ignore[arg-type]


def make(index: int, **options: bool | float) -> Made:
    """Return session `index`."""
    shop = workshop(**options)
    item = item_ids(catalog(), shop.options, seed=SEED, n=index + 1)[index]
    return asyncio.run(rollout(shop.plan(item, index), Context.detached(item, seed=SEED), shop))


@cache
def sessions(count: int = 48) -> tuple[Made, ...]:
    """Return the first sessions."""
    return tuple(make(index) for index in range(count))


def tools_of(made: Made) -> dict[str, Tool]:
    """Return the documents by the names they were shown under."""
    return {shown.name: catalog().by_key[shown.key] for shown in made.dialogue.tools}
