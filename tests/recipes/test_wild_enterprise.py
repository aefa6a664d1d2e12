"""Wild sessions over a catalogue without lists, whose tools document what they return."""

from __future__ import annotations

from collections import Counter

from callwright.app.catalogs import read_catalog
from callwright.recipes.wild_plan import Options, Unplanned, Workshop, item_ids, prepare


def test_every_design_can_be_planned() -> None:
    """Groups of related tools give chains, joins and four chats in a row alike."""
    catalog = prepare(read_catalog("builtin/enterprise"))
    shop = Workshop(catalog, Options(), 7)
    ids = item_ids(catalog, shop.options, seed=7, n=64)
    plans = [shop.plan(item, index) for index, item in enumerate(ids)]
    assert not any(isinstance(plan, Unplanned) for plan in plans)
    sizes = Counter(
        len(task.gold)
        for plan in plans
        if not isinstance(plan, Unplanned)
        for task in plan.scenario.tasks
        if any(gold.after for gold in task.gold)
    )
    assert set(sizes) >= {2, 3, 4}
