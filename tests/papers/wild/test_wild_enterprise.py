"""Wild sessions over a catalogue without lists, whose tools document what they return."""

from __future__ import annotations

from collections import Counter

import pytest

from callwright.app.catalogs import read_catalog
from callwright.papers.wild.session_plan import SessionPlan, Unplanned, Workshop, prepare
from callwright.papers.wild.wild_options import WildOptions
from callwright.papers.wild.wild_recipe import RECIPE
from callwright.recipe import item_ids
from callwright.records.annotations.wild_notes import WildPlan


@pytest.fixture(scope="module")
def plans() -> list[SessionPlan | Unplanned]:
    """Sessions over the bundled catalogue."""
    catalog = prepare(read_catalog("builtin/enterprise"))
    shop = Workshop(catalog, WildOptions(), 7)
    return [shop.plan(item, index) for index, item in enumerate(item_ids(RECIPE, catalog, shop.options, seed=7, n=96))]


def test_every_design_can_be_planned(plans: list[SessionPlan | Unplanned]) -> None:
    """Groups of related tools give chains, joins and four chats in a row alike."""
    assert not any(isinstance(plan, Unplanned) for plan in plans)
    sizes = Counter(
        len(task.gold)
        for plan in plans
        if not isinstance(plan, Unplanned)
        for task in plan.scenario.tasks
        if any(gold.after for gold in task.gold)
    )
    assert set(sizes) >= {2, 3, 4}


def test_a_title_is_hidden_only_where_it_is_that_of_the_same_sort_of_thing(
    plans: list[SessionPlan | Unplanned],
) -> None:
    """`The same risk` names no milestone."""
    pairs = [
        (tasks[place.task].gold[place.call].tool, tasks[place.origin.task].gold[0].tool)
        for plan in plans
        if isinstance(plan, SessionPlan) and isinstance(plan.scenario.annotation, WildPlan)
        for tasks in [plan.scenario.tasks]
        for place in plan.scenario.annotation.hidden
        if place.parameter in ("title", "subject") and tasks[place.origin.task].gold
    ]
    assert pairs
    assert all(hidden == source for hidden, source in pairs)
