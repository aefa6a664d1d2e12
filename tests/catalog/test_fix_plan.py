from __future__ import annotations

from typing import Any

import msgspec
import pytest

from callwright.catalog.fix_plan import FixPlan, Propose, fix_plan
from callwright.catalog.lint import lint
from callwright.catalog.rewording import Proposal, proposals
from callwright.catalog.similarity import Weights, description_encoder, pair_similarity
from callwright.formats.layouts import read_source
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog, Tool
from near_pairs import near_duplicates

ENTERPRISE = read_source("builtin/enterprise")


def tool(name: str, description: str, *required: str) -> Tool:
    properties: dict[str, Json] = {key: {"type": "string"} for key in required}
    return Tool(
        name=name,
        description=description,
        parameters=encode({"type": "object", "properties": properties, "required": [*required]}),
    )


def planned(catalog: Catalog, *, top: int = 20, propose: Propose = proposals, **options: Any) -> FixPlan:
    return fix_plan(catalog, lint(catalog, most_pairs=top, **options), propose=propose, **options)


@pytest.fixture(scope="module")
def plan() -> FixPlan:
    """The plan for the worst pairs of the bundled catalogue."""
    return planned(ENTERPRISE, top=30)


def test_a_plan_tells_tools_apart() -> None:
    """Two tools that are told apart by what one requires are no near-duplicates after the plan."""
    catalog = Catalog(
        tools=(
            tool("get_client", "Finds a client", "client_number"),
            tool("get_clients", "Looks up the client", "email_address"),
            tool("weather", "Tells whether it rains in a city"),
        )
    )
    made = planned(catalog, threshold=0.6)
    assert made.pairs_before == 1
    assert made.pairs_after == 0
    assert made.still_near == ()
    assert {suggestion.tool for suggestion in made.suggestions} <= {"get_client", "get_clients"}


def test_every_change_lowers_the_similarity(plan: FixPlan) -> None:
    """Each change lowers the similarity of its pair, and its figures follow on one another."""
    assert plan.suggestions
    assert all(one.similarity_after < one.similarity_before - 0.01 for one in plan.suggestions)
    for one, following in zip(plan.suggestions, plan.suggestions[1:], strict=False):
        if {one.tool, one.against} == {following.tool, following.against}:
            assert following.similarity_before == pytest.approx(one.similarity_after, abs=1e-12)


def test_figures_are_those_of_a_new_lint() -> None:
    """The similarity after the changes is what the definition gives over the changed catalogue."""
    made = planned(ENTERPRISE, top=1)
    after, position = made.changed.tools, {tool.name: at for at, tool in enumerate(ENTERPRISE.tools)}
    last = made.suggestions[-1] if made.suggestions else None
    assert made.still_near
    for pair in made.still_near:
        a, b = after[position[pair.a]], after[position[pair.b]]
        assert pair_similarity(a, b, description_encoder(after)).score == pytest.approx(pair.score, abs=1e-12)
        assert last is None or last.similarity_after == pytest.approx(pair.score, abs=1e-12)


def test_totals_are_those_of_a_new_lint(plan: FixPlan) -> None:
    """Totals before and after are those of lint over the catalogue as it was and as it is with all changes."""
    assert plan.pairs_before == lint(ENTERPRISE).pairs_total
    assert plan.pairs_after == lint(plan.changed).pairs_total < plan.pairs_before


def test_no_new_near_duplicates(plan: FixPlan) -> None:
    """The changed catalogue has no near-duplicates that it did not have before."""
    before, after = ({pair[:2] for pair in near_duplicates(one.tools)} for one in (ENTERPRISE, plan.changed))
    assert after < before


def test_changes_are_what_makes_the_changed_catalogue(plan: FixPlan) -> None:
    """Making the listed changes gives the changed catalogue; names stay unique, each field is changed once."""
    tools = {tool.name: tool for tool in ENTERPRISE.tools}
    for one in plan.suggestions:
        assert getattr(tools[one.tool], one.change) == one.from_
        tools[one.tool] = msgspec.structs.replace(tools[one.tool], **{one.change: one.to})
    assert tuple(tools.values()) == plan.changed.tools
    assert len({tool.name.lower() for tool in plan.changed.tools}) == len(plan.changed.tools)
    assert len({(one.tool, one.change) for one in plan.suggestions}) == len(plan.suggestions)


@pytest.mark.parametrize("name", ["get client", "", "x" * 65, "get_order", "getOrders", "größe"])
def test_invalid_and_taken_names_are_not_taken(name: str) -> None:
    """A name that no interface accepts, or that another tool has in other spelling, is no suggestion."""
    catalog = Catalog(tools=(tool("list_file", "One two"), tool("list_files", "Three four"), tool("get_order", "Five")))
    made = planned(catalog, threshold=0.5, propose=lambda *_: (Proposal("name", name, "because"),))
    assert made.suggestions == ()
    assert made.pairs_after == made.pairs_before >= 1


def test_a_change_that_makes_another_pair_near_is_not_made() -> None:
    """What tells two tools apart and makes one of them like a third is refused."""
    tools = (tool("list_file", "One two"), tool("list_files", "Three four"), tool("get_my_order", "Five six"))
    made = planned(
        Catalog(tools=tools),
        weights=Weights(1.0, 0.0, 0.0),
        propose=lambda one, _: (Proposal("name", "get_no_orders", "why"),) if one.name == "list_file" else (),
    )
    assert made.suggestions == ()
    assert [(pair.a, pair.b) for pair in made.still_near] == [("list_file", "list_files")]


def test_a_catalogue_without_near_duplicates_needs_no_plan() -> None:
    """Where nothing is alike nothing is suggested."""
    made = planned(Catalog(tools=(tool("weather", "Tells whether it rains"),)))
    assert (made.suggestions, made.pairs, made.pairs_before, made.pairs_after) == ((), 0, 0, 0)
