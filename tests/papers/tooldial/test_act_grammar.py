"""The act grammar against the published sequences (ToolDial, tables 11 to 13)."""

from __future__ import annotations

import json
from itertools import combinations
from statistics import mean

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from callwright.cli import main
from callwright.papers.tooldial.act_grammar import (
    EXTRAS,
    MOST_ACTS,
    SYNTHESISED,
    SYSTEM_ACTS,
    USER_ACTS,
    Extra,
    accepts,
    sequences,
    user_turns,
)

ACTS = {
    "V": "inform_intent_vague",
    "C": "inform_intent_clear",
    "A": "inform_intent_clear_add",
    "R": "retriever_call",
    "y": "clarify",
    "s": "suggest",
    "a": "affirm",
    "n": "negate",
    "q": "request",
    "m": "request_multi",
    "i": "inform",
    "f": "fail_inform",
    "c": "call",
    "r": "response",
    "x": "response_fail",
    "u": "user_bye",
    "e": "system_bye",
}
TWO = (
    "VRsaqfRqiccrue VRsaqfRcqicrue VRyCRqfRcqicrue VRyCRqfRqicmicrue VRyCRqfRqicqicrue CRqfRcmicrue CRqfRqicqicrue "
    "CRqfRqiccrue CRqfRcqicrue VRsaqfRqicmicrue VRyCRqfRqiccrue VRsaqfRqicqicrue CRqfRqicmicrue VRyCRqfRcmicrue "
    "VRsaqfRcmicrue"
)
ONE = "VRyCRqicrue VRyARcrue VRsaqicrue VRyARqicrue ARqicrue ARcrue CRqicrue"
FAILED = "VRsnx"


def spelt(words: str) -> set[tuple[str, ...]]:
    """Return the sequences that a text of initials stands for."""
    return {tuple(ACTS[one] for one in word) for word in words.split()}


PUBLISHED = spelt(" ".join((TWO, ONE, FAILED)))


def test_two_tools_give_exactly_the_published_sequences() -> None:
    """15 with two tools, 7 with one, 1 without: each once, and nothing else."""
    assert [len(spelt(words)) for words in (TWO, ONE, FAILED)] == [15, 7, 1]
    found = list(sequences(2))

    assert len(found) == 23
    assert set(found) == PUBLISHED
    assert set(sequences(1)) == spelt(f"{ONE} {FAILED}")


def test_the_mean_length_is_that_of_the_paper() -> None:
    """Two turns for each act of the user: 8.783 on average over the 23."""
    assert round(mean(2 * user_turns(acts) for acts in sequences(2)), 3) == 8.783


def test_the_released_code_has_three_more() -> None:
    """A source without inputs that returns one value, where the target needs nothing more."""
    assert set(sequences(2, extras=["unlisted"])) - PUBLISHED == spelt("CRqfRccrue VRyCRqfRccrue VRsaqfRccrue")


def test_a_source_can_lack_an_input_too() -> None:
    """With three tools there are chains of two links, and all of two tools."""
    longer = set(sequences(3)) - PUBLISHED

    assert {acts.count("fail_inform") for acts in longer} == {2}
    assert set(sequences(3)) >= PUBLISHED
    assert spelt("CRqfRqfRqiccmicrue") <= longer


def test_several_failures_are_of_one_tool_or_one_wish() -> None:
    """Two lacking values of one tool, each from another tool, need three tools; two declined suggestions need none."""
    longer = set(sequences(3, extras=["several"])) - set(sequences(3))

    assert spelt("CRqfRqicqfRqiccrue CRqfRcqfRqiccrue VRsaqfRqicqfRcmicrue VRsnyVRsnx") <= longer
    assert all(acts.count("fail_inform") == 2 or acts.count("negate") == 2 for acts in longer)
    assert set(sequences(2, extras=["several"])) - PUBLISHED == spelt("VRsnyVRsnx")


def test_mixed_failures_go_on_or_end() -> None:
    """A declined suggestion before a call, or a lacking value that no tool supplies."""
    mixed = set(sequences(1, extras=["mixed"])) - PUBLISHED

    assert mixed == spelt("VRsnyCRqicrue VRsnyARqicrue VRsnyARcrue CRqfRx VRyCRqfRx VRsaqfRx VRsnyCRqfRx")
    assert spelt("VRsnyCRqfRqicmicrue") <= set(sequences(2, extras=["mixed"]))


def test_synthesis_numbers_the_published_sequences_first() -> None:
    """Then those of the released code, then those without inputs."""
    assert SYNTHESISED[:23] == tuple(sequences(2))
    assert set(SYNTHESISED[23:26]) == set(sequences(2, extras=["unlisted"])) - PUBLISHED
    assert set(SYNTHESISED[26:]) == spelt("CRcrue VRyCRcrue VRsacrue")


@pytest.mark.parametrize("extras", [extras for size in range(5) for extras in combinations(EXTRAS, size)])
@pytest.mark.parametrize("tools", [1, 2, 3])
def test_what_is_generated_is_accepted(tools: int, extras: tuple[Extra, ...]) -> None:
    """Every sequence, each different, made of known acts; without its last act none is."""
    found = list(sequences(tools, extras=extras))

    assert len(found) == len(set(found)) > 0
    assert all(accepts(acts, extras=extras) and not accepts(acts[:-1], extras=extras) for acts in found)
    assert {act for acts in found for act in acts} <= {*USER_ACTS, *SYSTEM_ACTS}


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_is_extra_is_accepted_only_where_it_is_wanted(extra: Extra) -> None:
    """No sequence that an option adds is one of the grammar without it."""
    added = set(sequences(3, extras=[extra])) - set(sequences(3))

    assert added
    assert not any(map(accepts, added))


@given(st.lists(st.sampled_from(sorted(ACTS.values())), max_size=14))
def test_what_is_not_generated_is_not_accepted(acts: list[str]) -> None:
    """The acceptor agrees with the list of all sequences; 14 acts have room for three tools at most."""
    assert accepts(acts) == (tuple(acts) in ALL_SHORT)


ALL_SHORT = frozenset(acts for acts in sequences(4) if len(acts) <= 14)


@given(st.sampled_from(sorted(ALL_SHORT)), st.integers(0, 13), st.sampled_from(sorted(ACTS.values())))
def test_one_changed_act_is_noticed(acts: tuple[str, ...], place: int, other: str) -> None:
    """Changed sequences are accepted where the change is another sequence of the grammar, and only there."""
    at = place % len(acts)
    changed = (*acts[:at], other, *acts[at + 1 :])

    assert accepts(changed) == (changed in ALL_SHORT)


def test_endless_sequences_are_refused() -> None:
    """A hostile dialogue of thousands of acts is no dialogue, and no crash."""
    assert not accepts(spelt("CRqfR").pop() * MOST_ACTS)
    with pytest.raises(ValueError, match="at least 1"):
        list(sequences(0))


def test_the_command_prints_them() -> None:
    """As lines, as JSON, within bounds, and in the list of commands."""
    rows = json.loads(CliRunner().invoke(main, ["acts", "--tools", "2", "--json"]).stdout)
    assert {tuple(row) for row in rows} == PUBLISHED
    lines = CliRunner().invoke(main, ["acts", "--tools", "1"]).stdout.splitlines()
    assert {tuple(line.split()) for line in lines} == spelt(f"{ONE} {FAILED}")
    assert len(json.loads(CliRunner().invoke(main, ["acts", "--unlisted", "--json"]).stdout)) == 26
    every = ["acts", "--tools", "1", "--several", "--mixed", "--inputless", "--json"]
    assert len(json.loads(CliRunner().invoke(main, every).stdout)) == 20
    assert CliRunner().invoke(main, ["acts", "--tools", "0"]).exit_code == 2
    assert "acts" in CliRunner().invoke(main, ["--help"]).stdout
