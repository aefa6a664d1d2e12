"""The act grammar against the published sequences (ToolDial, tables 11 to 13)."""

from __future__ import annotations

import json
from statistics import mean

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from callwright.cli import main
from callwright.papers.tooldial.act_grammar import MOST_ACTS, SYSTEM_ACTS, USER_ACTS, accepts, sequences, user_turns

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
    assert set(sequences(2, unlisted=True)) - PUBLISHED == spelt("CRqfRccrue VRyCRqfRccrue VRsaqfRccrue")


def test_a_source_can_lack_an_input_too() -> None:
    """With three tools there are chains of two links, and all of two tools."""
    longer = set(sequences(3)) - PUBLISHED

    assert {acts.count("fail_inform") for acts in longer} == {2}
    assert set(sequences(3)) >= PUBLISHED
    assert spelt("CRqfRqfRqiccmicrue") <= longer


@pytest.mark.parametrize("unlisted", [False, True])
@pytest.mark.parametrize("tools", [1, 2, 3, 4])
def test_what_is_generated_is_accepted(tools: int, *, unlisted: bool) -> None:
    """Every sequence, each different, made of known acts; without its last act none is."""
    found = list(sequences(tools, unlisted=unlisted))

    assert len(found) == len(set(found)) > 0
    assert all(accepts(acts, unlisted=unlisted) and not accepts(acts[:-1], unlisted=unlisted) for acts in found)
    assert {act for acts in found for act in acts} <= {*USER_ACTS, *SYSTEM_ACTS}


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
    assert CliRunner().invoke(main, ["acts", "--tools", "0"]).exit_code == 2
    assert "acts" in CliRunner().invoke(main, ["--help"]).stdout
