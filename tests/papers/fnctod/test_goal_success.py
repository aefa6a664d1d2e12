"""Inform and Success of one dialogue."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_multiwoz import slow_goal

from callwright.papers.fnctod.goal_success import DomainGoal, GoalTurn, outcome
from callwright.papers.fnctod.venue_database import VenueDatabase, VenueTable

HOTELS = [
    {"id": "h1", "name": "alpha lodge", "area": "east"},
    {"id": "h2", "name": "beta house", "area": "east"},
    {"id": "h3", "name": "gamma inn", "area": "west"},
]
TRAINS = [{"trainid": "TR1", "day": "monday"}, {"trainid": "TR2", "day": "sunday"}]
ROWS = {"hotel": HOTELS, "train": TRAINS}
DATABASE = VenueDatabase(
    {
        domain: VenueTable(
            tuple(row["trainid" if domain == "train" else "id"] for row in rows),
            {name: tuple(row[name] for row in rows) for name in rows[0]},
        )
        for domain, rows in ROWS.items()
    }
)
EAST = {"hotel": DomainGoal({"area": "east"}, frozenset({"PHONE", "REFERENCE"}))}


def turn(response: str, state: Any = None, active: Any = ("hotel",), booked: Any = ()) -> GoalTurn:
    return GoalTurn(response, {"hotel": {"area": "east"}} if state is None else state, active, booked)


def rates(goal: dict[str, DomainGoal], *turns: GoalTurn) -> tuple[bool, bool]:
    found = outcome(goal, turns, DATABASE)
    return found.informed, found.succeeded


@pytest.mark.parametrize(
    ("turns", "found"),
    [
        ([turn("NAME PHONE REFERENCE", booked=("hotel",))], (True, True)),
        ([turn("NAME PHONE REFERENCE")], (True, False)),  # the number of a booking that was not made
        ([turn("NAME PHONE"), turn("REFERENCE", booked=("hotel",))], (True, True)),
        ([turn("PHONE REFERENCE", booked=("hotel",))], (False, False)),  # nothing offered
        ([turn("NAME", active=())], (False, False)),
        ([turn("NAME", state={})], (False, False)),
        ([turn("NAME", state={"hotel": {}})], (False, False)),  # offers all hotels, also in the west
        ([turn("NAME", state={"hotel": {}}), turn("NAME")], (True, False)),  # the west is offered no more
        ([turn("NAME"), turn("NAME", state={"hotel": {}})], (True, False)),  # all that was offered still is
        ([turn("NAME"), turn("NAME", state={"hotel": {"area": "west"}})], (False, False)),
        ([turn("NAME", state={"hotel": {"name": "alpha lodge"}})], (True, False)),
    ],
)
def test_what_is_offered_and_provided(turns: list[GoalTurn], found: tuple[bool, bool]) -> None:
    assert rates(EAST, *turns) == found


def test_a_goal_with_a_name_is_informed() -> None:
    assert rates({"hotel": DomainGoal({"name": "x"}, frozenset())}) == (True, True)


@pytest.mark.parametrize("domain", ["taxi", "police", "hospital"])
def test_a_domain_without_table_is_informed(domain: str) -> None:
    goal = {domain: DomainGoal({}, frozenset({"PHONE"}))}
    assert rates(goal) == (True, False)
    assert rates(goal, turn("PHONE", active=(domain,))) == (True, True)


def test_a_train_need_not_be_offered_unless_its_number_is_asked_for() -> None:
    wanted = {"day": "monday"}
    assert rates({"train": DomainGoal(wanted, frozenset())}) == (True, True)
    assert rates({"train": DomainGoal(wanted, frozenset({"TRAINID"}))}) == (False, False)
    wrong = turn("TRAINID", state={"train": {"day": "sunday"}}, active=("train",))
    assert rates({"train": DomainGoal(wanted, frozenset())}, wrong) == (False, False)


def test_a_name_offers_no_train() -> None:
    offered = turn("NAME", state={"train": {"day": "monday"}}, active=("train",))
    assert rates({"train": DomainGoal({"day": "monday"}, frozenset({"TRAINID"}))}, offered) == (False, False)


def test_every_domain_must_match() -> None:
    goal = EAST | {"train": DomainGoal({}, frozenset({"TRAINID"}))}
    assert rates(goal, turn("NAME PHONE REFERENCE", booked=("hotel",))) == (False, False)


SLOTS = st.dictionaries(st.sampled_from(["area", "day", "name"]), st.sampled_from(["east", "west", "monday", "?"]))
DOMAIN = st.sampled_from(["hotel", "train", "taxi"])
TURNS = st.fixed_dictionaries(
    {
        "response": st.lists(st.sampled_from(["NAME", "TRAINID", "PHONE", "REFERENCE"])).map(" ".join),
        "state": st.dictionaries(DOMAIN, SLOTS),
        "active": st.lists(DOMAIN),
        "booked": st.lists(DOMAIN),
    }
)
GOAL = st.dictionaries(
    DOMAIN, st.tuples(SLOTS, st.sets(st.sampled_from(["PHONE", "REFERENCE", "TRAINID"]), max_size=2))
)


@given(GOAL, st.lists(TURNS, max_size=4))
def test_the_outcome_equals_the_slow_one(goal: dict[str, Any], turns: list[dict[str, Any]]) -> None:
    ours = {domain: DomainGoal(informable, frozenset(words)) for domain, (informable, words) in goal.items()}
    assert rates(ours, *(GoalTurn(**one) for one in turns)) == slow_goal(goal, turns, ROWS)
