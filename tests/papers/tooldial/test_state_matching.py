"""Predicted states and acts against gold ones."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.papers.tooldial.state_matching import (
    ACTS,
    Normaliser,
    plain,
    plain_act,
    read_act,
    read_mapping,
    same_state,
    state_faults,
)

NONE = {"api_confirmed": "false", "api_status": "none"}


def state(required: dict[str, Any], optional: dict[str, Any] | None = None, api: str = "Films") -> dict[str, Any]:
    status = {"api_name": api, "required_parameters": required, "optional_parameters": optional or {}}
    return {"api_confirmed": "true", "api_status": status}


# -- equality ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "unicode", "paper"),
    [
        ("New York", "new-york", True, True),
        ("東京", "大阪", False, True),  # the published normaliser erases both
        ("Ñandú", "nandu", False, False),
        ("ＡＢＣ", "abc", True, False),
        (5, "5", True, True),
        (5.0, 5, True, False),  # published: 50 and 5
        (1.0, 10, False, True),
        ("1.5", 15, False, True),
        ("-5", "5", False, True),
        ("007", 7, False, False),
        (True, "true", True, True),
        (["a", 1], "['a', 1]", True, True),
        ("", None, False, False),
        ("", " - ", True, True),
        ({"a b": 1}, {"A_B": "1"}, True, True),
    ],
)
def test_what_counts_as_equal(one: object, other: object, unicode: bool, paper: bool) -> None:
    """Two values are equal under a normaliser or not, in both orders."""
    for normaliser, expected in (("unicode", unicode), ("paper", paper)):
        mode: Normaliser = "paper" if normaliser == "paper" else "unicode"
        assert same_state(state({"x": one}), state({"x": other}), mode) == expected
        assert same_state(state({"x": other}), state({"x": one}), mode) == expected


WORDS = st.text(alphabet="aB9 _-é東.", max_size=4)
VALUES = WORDS | st.integers(-20, 20) | st.lists(WORDS, max_size=2)
STATES = st.builds(
    state, st.dictionaries(WORDS, VALUES, max_size=2), st.dictionaries(WORDS, VALUES, max_size=2), WORDS
) | st.just(NONE)


def slow_paper(value: object) -> object:
    """The published normaliser, letter by letter."""
    if isinstance(value, dict):
        return {slow_paper(name): slow_paper(one) for name, one in value.items()}
    return "".join(letter for letter in str(value).lower() if letter in "abcdefghijklmnopqrstuvwxyz0123456789")


@given(one=STATES, other=STATES)
def test_paper_is_the_published_normaliser(one: dict[str, Any], other: dict[str, Any]) -> None:
    """The `paper` mode equals a version that keeps letters and digits one by one."""
    assert same_state(one, other, "paper") == (slow_paper(one) == slow_paper(other))


@given(gold=STATES)
def test_a_state_equals_itself_in_any_writing(gold: dict[str, Any]) -> None:
    """A state matches its own JSON and its own Python literal, and has no faults."""
    for text in (json.dumps(gold), repr(gold), f"```json\n{json.dumps(gold)}\n```"):
        assert same_state(read_mapping(text), gold)
        assert state_faults(read_mapping(text), gold) == ((), ())


@given(one=STATES, other=STATES, mode=st.sampled_from(["unicode", "paper"]))
def test_faults_are_what_equality_says(one: dict[str, Any], other: dict[str, Any], mode: Normaliser) -> None:
    """A state has a fault exactly where it does not match."""
    assert bool(state_faults(one, other, mode).classes) != same_state(one, other, mode)


@given(value=st.text(alphabet="ab 12-_é", max_size=8))
def test_plain_is_stable(value: str) -> None:
    """A plain text stays as it is, and has nothing but letters, marks and digits, unless it is a number."""
    once = plain(value, "unicode")
    assert re.fullmatch(r"[ab12é]*|-\d+", once)
    assert plain(once, "paper") == plain(value, "paper")


# -- error classes (A.9) -----------------------------------------------------------------------------------------------

GOLD = state({"id": "", "day": "Monday"}, {"lang": ""})


@pytest.mark.parametrize(
    ("reply", "classes", "slots"),
    [
        ("I do not know.", ("generation",), ()),
        ("[1]", ("generation",), ()),
        (json.dumps(NONE), ("confirmation_true",), ()),
        ('{"api_confirmed": "true", "api_status": "none"}', ("format",), ()),
        ('{"api_confirmed": "maybe"}', ("format",), ()),
        ('{"api_confirmed": "true", "api_status": {"api_name": "Films"}}', ("format",), ()),
        (json.dumps({**GOLD, "more": 1}), ("format",), ()),
        (json.dumps(state({"id": "", "day": "Monday"}, {"lang": ""}, api="Other")), ("api",), ()),
        (json.dumps(state({"id": ""}, {"lang": ""})), ("slot",), ()),
        (json.dumps(state({"id": "", "lang": ""}, {"day": "Monday"})), ("slot",), ()),
        (json.dumps(state({"id": "4", "day": "Monday"}, {"lang": ""})), ("value",), ("id",)),
        (json.dumps(state({"id": "4", "day": ""})), ("slot", "value"), ("id", "day")),
        (json.dumps(state({"id": None, "day": "Monday"}, {"lang": ""})), ("value",), ("id",)),
        (repr(GOLD), (), ()),
    ],
)
def test_error_classes(reply: str, classes: tuple[str, ...], slots: tuple[str, ...]) -> None:
    """Each class of appendix A.9; slot and value errors may overlap, and empty values must be there."""
    assert state_faults(read_mapping(reply), GOLD) == (classes, slots)


def test_confirmed_too_early() -> None:
    """To confirm an API where gold has none is a class of its own."""
    assert state_faults(GOLD, NONE).classes == ("confirmation_false",)
    assert state_faults({**NONE, "api_status": {}}, NONE).classes == ("format",)


def test_huge_and_hostile_replies() -> None:
    """A reply that is too long, too deep or a program is no object."""
    for reply in ("{" * 5_000, "{'a': " + "[" * 99 + "}", "{'a': open('x')}", '{"a": 1}' + " " * 200_000):
        assert read_mapping(reply) is None


def test_the_object_is_read_among_words() -> None:
    """Words around an object do not matter, in either writing; a reply of 100,000 characters is the longest."""
    assert read_mapping("It is {'a': 1}.") == read_mapping('It is {"a": 1}.') == {"a": 1}
    assert read_mapping("{}" + " " * 99_998) == {}
    assert read_mapping("{}" + " " * 99_999) is None


# -- acts --------------------------------------------------------------------------------------------------------------


def test_acts_are_eight() -> None:
    """The acts that can be predicted are the paper's eight, all different by their letters."""
    assert len({plain_act(act) for act in ACTS}) == len(ACTS) == 8


@pytest.mark.parametrize(
    ("reply", "act"),
    [
        ('{"action": "Retriever call"}', "retrievercall"),
        ("Retriever call.", "retrievercall"),
        ("call", "call"),
        ('{"action": "request_multi"}', "request"),
        ("The next action is call", "thenextactioniscall"),
        ('{"act": "call"}', ""),
        ('{"action": ["call"]}', ""),
        ("", ""),
    ],
)
def test_acts_are_read_whole(reply: str, act: str) -> None:
    """An act is the whole word, never a part of one: `call` is not in `retrievercall`."""
    assert read_act(reply) == act
