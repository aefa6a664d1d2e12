"""Calls that change states, under both policies, and their ceilings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.papers.fnctod.domain_functions import domain_tools, multiwoz_services
from callwright.papers.fnctod.state_updates import (
    OPEN,
    PAPER,
    StateCall,
    UpdatePolicy,
    comparable,
    state_calls,
    updated,
)
from callwright.papers.fnctod.tracking_ceiling import best_states
from callwright.papers.fnctod.tracking_turns import raw_choices
from callwright.records.dialogue import Call
from callwright.records.jsontext import encode

TOOLS = domain_tools(multiwoz_services())
CHOICES = raw_choices(TOOLS)
ONE = UpdatePolicy("one", several=False, clears=False, closed=False)


def test_known_parameters_of_known_functions_count() -> None:
    calls = [
        Call("find_book_hotel", encode({"stars": 4, "parking": True, "moon": 1, "area": ["east"], "name": None})),
        Call("fly", encode({"area": "east"})),
        Call("book_taxi", encode([1])),
        Call("find_book_train", encode({"arrive_by": "10"})),
    ]
    assert state_calls(calls, TOOLS) == [
        StateCall("hotel", {"stars": "4", "parking": "yes", "name": ""}),
        StateCall("train", {"arrive": "10"}),
    ]


@pytest.mark.parametrize(
    ("slot", "value", "same"),
    [
        ("area", " East ", "east"),
        ("area", "do n't care", "dontcare"),
        ("booktime", "5 pm", "17:00"),
        ("type", "Guest House", "guesthouse"),
        ("parking", "free", "yes"),
        ("name", "The Gonville", "gonville"),
        ("pricerange", "not mentioned", "not mentioned"),
    ],
)
def test_values_have_one_spelling(slot: str, value: str, same: str) -> None:
    assert comparable(slot, value) == same


BEFORE = {"hotel": {"area": "east", "stars": "4"}}


@pytest.mark.parametrize(
    ("policy", "calls", "after", "dropped"),
    [
        (OPEN, [StateCall("hotel", {"area": "west"})], {"hotel": {"area": "west", "stars": "4"}}, 0),
        (OPEN, [StateCall("hotel", {"area": "", "stars": ""})], {}, 0),
        (PAPER, [StateCall("hotel", {"area": "", "stars": "3"})], {"hotel": {"area": "east", "stars": "3"}}, 0),
        (OPEN, [StateCall("hotel", {"area": "dontcare"})], {"hotel": {"area": "dontcare", "stars": "4"}}, 0),
        (PAPER, [StateCall("hotel", {"area": "dontcare", "stars": "9"})], BEFORE, 2),
        (PAPER, [StateCall("hotel", {"name": "x"})], {"hotel": {"area": "east", "stars": "4", "name": "x"}}, 0),
        (
            PAPER,
            [StateCall("taxi", {"leave": "9:15"}), StateCall("hotel", {"area": "west"})],
            BEFORE | {"taxi": {"leave": "09:15"}},
            0,
        ),
        (
            PAPER,
            [StateCall("hotel", {"area": ""}), StateCall("hotel", {"area": "west"})],
            {"hotel": {"area": "west", "stars": "4"}},
            0,
        ),
    ],
)
def test_calls_change_the_state(policy: UpdatePolicy, calls: Any, after: Any, dropped: int) -> None:
    assert updated(BEFORE, calls, policy, CHOICES) == (after, dropped)


def test_the_state_before_is_left_alone() -> None:
    updated(BEFORE, [StateCall("hotel", {"area": "west"})], OPEN, CHOICES)
    assert BEFORE == {"hotel": {"area": "east", "stars": "4"}}


GOLDS = [
    {"hotel": {"area": "east"}, "train": {"day": "monday", "leave": "09:15"}},
    {"hotel": {"area": "east"}, "train": {"day": "monday", "leave": "09:15"}},
]


def test_one_function_a_turn_misses_a_domain_unless_it_repairs() -> None:
    train = {"train": GOLDS[0]["train"]}
    assert list(best_states(GOLDS, ONE, CHOICES)) == [train, train]
    assert list(best_states(GOLDS, ONE, CHOICES, repairs=True)) == [train, GOLDS[1]]


STATES = st.lists(
    st.dictionaries(
        st.sampled_from(["hotel", "train"]),
        st.dictionaries(st.sampled_from(["area", "day"]), st.sampled_from(["a", "b", "dontcare"]), min_size=1),
    ),
    max_size=5,
)


@given(STATES)
def test_right_calls_reach_every_state_under_the_open_policy(golds: list[dict[str, dict[str, str]]]) -> None:
    assert list(best_states(golds, OPEN, {})) == golds
