"""Wild sessions over a catalogue without lists, whose tools document what they return."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import callwright
from callwright.app.catalogs import read_catalog
from callwright.papers.wild.paper import WildOptions
from callwright.papers.wild.session_plan import SessionPlan, SessionPlanner, Unplanned, prepare
from callwright.papers.wild.wild_recipe import RECIPE
from callwright.recipe import item_ids
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool


@pytest.fixture(scope="module")
def plans() -> list[SessionPlan | Unplanned]:
    """Sessions over the bundled catalogue."""
    catalog = prepare(read_catalog("builtin/enterprise"))
    shop = SessionPlanner(catalog, WildOptions(), 7)
    return [shop.plan(item, index) for index, item in enumerate(item_ids(RECIPE, catalog, shop.options, seed=7, n=48))]


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
        (tasks[place.task].gold[place.call].tool, {gold.tool for gold in tasks[place.origin.task].gold})
        for plan in plans
        if isinstance(plan, SessionPlan) and isinstance(plan.scenario.annotation, WildPlan)
        for tasks in [plan.scenario.tasks]
        for place in plan.scenario.annotation.hidden
        if place.parameter in ("title", "subject") and tasks[place.origin.task].gold
    ]
    assert pairs
    assert all(hidden in sources for hidden, sources in pairs)


LAMP = Tool(
    name="switch_lamp",
    description="Switch a lamp on.",
    parameters=encode({"type": "object", "properties": {"room": {"type": "string", "description": "The room."}}}),
)


def test_what_no_list_can_give_is_rejected(tmp_path: Path) -> None:
    """Nothing failed, every planned session is counted, and what is kept of it names itself and its maker."""
    made = callwright.synthesize("wild", Catalog(tools=(LAMP,)), n=8, seed=7, out=tmp_path / "ds")
    assert made.failed == {}
    assert made.rejected["no_plan"] > 0
    assert made.planned == made.kept + sum(made.rejected.values())
    lines = [json.loads(line) for line in (tmp_path / "ds" / "rejected.jsonl").read_text().splitlines()]
    unplanned = [line for line in lines if line["issues"][0]["code"] == "no_plan"]
    assert len(unplanned) == made.rejected["no_plan"]
    for line in unplanned:
        dialogue = line["dialogue"]
        assert (dialogue["turns"], dialogue["recipe"], len(dialogue["id"])) == ([], "wild.v1", 16)
        assert [one["role"] for one in dialogue["participants"]] == ["user", "assistant"]
        assert (dialogue["provenance"]["author"], dialogue["provenance"]["seed"]) == ("offline", 7)
        assert "Give more tools" in line["issues"][0]["message"]


def test_the_same_command_gives_the_same_again(tmp_path: Path) -> None:
    """Sessions without a plan are not tried again."""
    first, again = (
        callwright.synthesize("wild", Catalog(tools=(LAMP,)), n=4, seed=7, out=tmp_path / "ds") for _ in range(2)
    )
    assert first == again
