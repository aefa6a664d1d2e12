"""Jobs of recipes over the bundled catalogue, and single planned items, for tests that run them by hand."""

from __future__ import annotations

from callwright.app.catalogs import read_catalog
from callwright.papers.diaforge.diaforge_recipe import RECIPE
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop
from callwright.papers.registry import find_recipe
from callwright.recipe import complete_options, item_ids
from callwright.recipe.recipe_job import RecipeJob, encode_payload
from callwright.records.dialogue import Scenario


def recipe_job(name: str, *, n: int, seed: int, **options: bool | float) -> RecipeJob:
    """The job of a recipe's first `n` items."""
    recipe = find_recipe(name)
    catalog = recipe.prepare(read_catalog("builtin/enterprise"))
    return RecipeJob(recipe, encode_payload(catalog, complete_options(recipe, options), seed=seed, n=n))


def diaforge_scenario(shop: DialogueWorkshop, index: int) -> Scenario:
    """Scenario `index` of a workshop of DiaFORGE."""
    *_, item = item_ids(RECIPE, shop.catalog, shop.options, seed=shop.seed, n=index + 1)
    return shop.plan(item, index)
