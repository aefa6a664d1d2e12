"""Wild sessions over a catalogue without lists, whose tools document what they return."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import callwright
from callwright.app.catalogs import read_catalog
from callwright.catalog.slots import slots
from callwright.papers.wild.gold_calls import PlannedTask
from callwright.papers.wild.paper import WildOptions
from callwright.papers.wild.session_memory import CARRIED, SessionMemory
from callwright.papers.wild.session_plan import SessionPlan, SessionPlanner, prepare, remember
from callwright.papers.wild.task_builder import is_identifying
from callwright.papers.wild.wild_recipe import RECIPE
from callwright.recipe import item_ids
from callwright.recipe.unplanned import Unplanned
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool


@pytest.fixture(scope="module")
def plans() -> list[SessionPlan | Unplanned]:
    """Sessions over the bundled catalogue."""
    catalog = prepare(read_catalog("builtin/enterprise"))
    shop = SessionPlanner(catalog, WildOptions(), 7)
    return [shop.plan(item, index) for index, item in enumerate(item_ids(RECIPE, catalog, shop.options, seed=7, n=24))]


def test_tools_that_feed_no_other_have_plans_of_independent_calls() -> None:
    """Where no list can give a chain; where one can, the topologies are those of the design."""
    told = (
        "Get the {} of a city.",
        encode({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}),
    )
    things = "weather", "population", "mayor", "climate", "altitude", "transport"
    tools = tuple(Tool(name=f"get_{one}", description=told[0].format(one), parameters=told[1]) for one in things)
    shop = SessionPlanner(prepare(Catalog(tools=tools)), WildOptions(), 7)
    found = [plan for index in range(12) if isinstance(plan := shop.plan(f"x{index}", index), SessionPlan)]
    assert {one for plan in found for one in plan.scenario.annotation.topologies} == {"", "P"}  # type: ignore[union-attr]


def test_nearly_every_design_can_be_planned(plans: list[SessionPlan | Unplanned]) -> None:
    """Groups of related tools give chains and fans of several sizes; at most one design in ten has no plan."""
    assert sum(isinstance(plan, Unplanned) for plan in plans) <= len(plans) // 10
    sizes = Counter(
        len(task.gold)
        for plan in plans
        if not isinstance(plan, Unplanned)
        for task in plan.scenario.tasks
        if any(gold.after for gold in task.gold)
    )
    assert set(sizes) >= {2, 3}


def test_only_things_and_what_people_carry_over_are_hidden(plans: list[SessionPlan | Unplanned]) -> None:
    """An identifier, a place, a day or a person; a repeated wish leaves out all that stays the same."""
    catalog = prepare(read_catalog("builtin/enterprise"))
    kinds: Counter[str] = Counter()
    for plan in plans:
        for task in plan.tasks if isinstance(plan, SessionPlan) else ():
            for place in task.hidden if isinstance(task, PlannedTask) and task.again is None else ():
                call = task.calls[place.call or 0]
                kinds[slots(catalog.by_key[call.tool.key])[place.parameter].kind] += 1
    assert kinds["code"] > 20
    assert set(kinds) <= {"code", *CARRIED}


def _lookup(thing: str) -> Tool:
    place = {"type": "string", "description": f"City of the {thing}."}
    schema = {"type": "object", "properties": {"city": place}, "required": ["city"]}
    return Tool(name=f"list_{thing}s", description=f"List the {thing}s of a city.", parameters=encode(schema))


def test_where_no_result_feeds_another_call_sessions_are_planned_without_chains() -> None:
    """The scenario records the kinds and topologies of its tasks as they are; no session is all of one kind."""
    catalog = prepare(Catalog(tools=tuple(map(_lookup, ("museum", "bakery", "library", "theatre", "pharmacy")))))
    shop = SessionPlanner(catalog, WildOptions(), 7)
    ids = item_ids(RECIPE, catalog, shop.options, seed=7, n=24)
    planned = [one for one in map(shop.plan, ids, range(24)) if isinstance(one, SessionPlan)]
    assert len(planned) >= 20
    seen: Counter[str] = Counter()
    for one in planned:
        kinds = [task.kind for task in one.scenario.tasks]
        notes = one.scenario.annotation
        assert isinstance(notes, WildPlan)
        assert notes.transitions == sum(a != b for a, b in pairwise(kinds)) >= 1
        assert [bool(topology) for topology in notes.topologies] == [kind == "multi" for kind in kinds]
        seen.update(notes.topologies)
    assert seen["P"] > 0
    assert not seen["S"]
    assert not seen["S+P"]


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


@pytest.mark.parametrize("is_gone", [True, False])
def test_nobody_refers_back_to_what_was_removed(
    plans: list[SessionPlan | Unplanned], monkeypatch: pytest.MonkeyPatch, is_gone: bool
) -> None:
    """The identifier of a thing is a source for later tasks, unless the call removed the thing."""
    monkeypatch.setattr("callwright.papers.wild.session_plan.removes", lambda tool: is_gone)
    found = 0
    tasks = (task for plan in plans if isinstance(plan, SessionPlan) for task in plan.tasks)
    for task in tasks:
        if isinstance(task, PlannedTask) and len(task.calls) == 1:
            memory = SessionMemory()
            remember(memory, task)
            (call,) = task.calls
            ids = [name for name in call.values if is_identifying(call.tool, name)]
            for name in ids[-1:]:
                found += len(list(memory.sources("coreference", call.tool, name, call.values[name])))
    assert (found == 0) is is_gone
