from __future__ import annotations

from typing import Any

import msgspec
import pytest

from callwright.catalog.fix_plan import FixPlan, Propose, fix_plan, pointer
from callwright.catalog.lint import lint
from callwright.catalog.rewording import keeps
from callwright.formats.layouts import read_source
from callwright.records.tool import Catalog, Tool

ENTERPRISE = read_source("builtin/enterprise")


def planned(catalog: Catalog, *, top: int = 20, propose: Propose = pointer, **options: Any) -> FixPlan:
    return fix_plan(catalog, lint(catalog, most_pairs=top, **options), propose=propose, **options)


@pytest.fixture(scope="module")
def plan() -> FixPlan:
    """The plan for the worst pairs of the bundled catalogue."""
    return planned(ENTERPRISE, top=30)


TWO = Catalog(
    tools=(
        Tool(name="list_paid_orders", description="Lists paid orders. At most 50."),
        Tool(name="list_open_orders", description="Lists open orders. Deprecated."),
        Tool(name="weather", description="Tells whether it rains in a city."),
    )
)


def test_two_tools_that_point_to_each_other_are_told_apart() -> None:
    """Each description names the other tool and what it is for; a new lint counts the two no more."""
    orders = Catalog(tools=(TWO.tools[0], msgspec.structs.replace(TWO.tools[1], description="Lists open orders.")))
    made = planned(orders)
    assert [one.to for one in made.suggestions] == [
        "Lists paid orders. At most 50. To list open orders, use list_open_orders.",
        "Lists open orders. To list paid orders, use list_paid_orders.",
    ]
    assert (made.pairs_before, made.pairs_after, made.still_near) == (1, 0, ())


def test_nothing_points_to_a_retired_tool() -> None:
    """It only points to what is to be used in its place; the two are not told apart by that."""
    made = planned(TWO)
    assert [one.tool for one in made.suggestions] == ["list_open_orders"]
    assert [(pair.a, pair.b) for pair in made.still_near] == [("list_paid_orders", "list_open_orders")]


def test_descriptions_only_grow(plan: FixPlan) -> None:
    """Whatever a tool said it says still, word for word; names stay."""
    assert len(plan.suggestions) > 20
    assert all(one.to.startswith(one.from_.rstrip(".")) and keeps(one.from_, one.to) for one in plan.suggestions)
    assert [tool.name for tool in plan.changed.tools] == [tool.name for tool in ENTERPRISE.tools]


def test_changes_are_what_makes_the_changed_catalogue(plan: FixPlan) -> None:
    """Making the listed changes gives the changed catalogue; no tool is changed more than twice."""
    tools = {tool.name: tool for tool in ENTERPRISE.tools}
    for one in plan.suggestions:
        assert tools[one.tool].description == one.from_
        tools[one.tool] = msgspec.structs.replace(tools[one.tool], description=one.to)
    assert tuple(tools.values()) == plan.changed.tools
    names = [one.tool for one in plan.suggestions]
    assert max(map(names.count, names)) == 2


def test_totals_are_those_of_a_new_lint(plan: FixPlan) -> None:
    """Totals before and after are those of lint over the catalogue as it was and as it is with all changes."""
    assert plan.pairs_before == lint(ENTERPRISE).pairs_total
    assert plan.pairs_after == lint(plan.changed).pairs_total < plan.pairs_before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Lists paid orders. At most 50.",
        "Lists paid orders of the shop.",
        "Lists open orders. At most 50.",
    ],
)
def test_what_loses_a_fact_or_says_nothing_new_is_not_taken(text: str) -> None:
    """Nothing, the same, without the limit, or only what the other tool says too."""
    made = planned(TWO, propose=lambda tool, _: (text if tool.name == "list_paid_orders" else "", "why"))
    assert made.suggestions == ()
    assert made.changed == TWO


def test_a_first_sentence_may_be_rephrased() -> None:
    """Where it says something that neither description says, and the rest stays."""
    text = "Lists orders whose invoice is settled. At most 50."
    made = planned(TWO, propose=lambda tool, _: (text if tool.name == "list_paid_orders" else "", "why"))
    assert [one.to for one in made.suggestions] == [text]


def test_a_catalogue_without_look_alikes_needs_no_plan() -> None:
    """Where nothing is alike nothing is suggested."""
    made = planned(Catalog(tools=TWO.tools[2:]))
    assert (made.suggestions, made.pairs, made.pairs_before, made.pairs_after) == ((), 0, 0, 0)
