"""Rows of state tracking, beside slow versions."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_tracking import slow_f1, slow_jga
from state_corpora import THREE, document, hotel, train

from callwright.errors import BadInput
from callwright.papers.fnctod.domain_functions import domain_tools, multiwoz_services
from callwright.papers.fnctod.multiwoz_reader import dialogue_21
from callwright.papers.fnctod.tracking_scoring import judge, score
from callwright.papers.fnctod.tracking_turns import FAILED
from callwright.protocol.scoring import Scoring
from callwright.records.dialogue import Call, Dialogue, Step, Turn
from callwright.records.jsontext import encode
from callwright.records.transcript import Transcript

TOOLS = domain_tools(multiwoz_services())
BY_KEY = {tool.key: tool for tool in TOOLS.values()}
SCORING = Scoring(run="r", model="m", protocol="fnctod.v2", seed=0, data="d", resamples=10)
AREAS = st.sampled_from(["east", "west", "dontcare"])
STATES = st.fixed_dictionaries({}, optional={"hotel": AREAS, "attraction": AREAS})


def dialogue_of(name: str, one: dict[str, Any]) -> Dialogue:
    return dialogue_21(name, one, TOOLS, where=name)


def transcript(dialogue: Dialogue, *steps: tuple[Step, ...]) -> Transcript:
    """Return a transcript with these steps after the user turns."""
    users = dialogue.turns[::2]
    turns = [turn for user, made in zip(users, steps, strict=True) for turn in (user, Turn("assistant", "ok", made))]
    return Transcript(dialogue=dialogue.id, protocol="fnctod.v2", model="m", turns=tuple(turns), ended="script")


def gold_transcript(dialogue: Dialogue) -> Transcript:
    return transcript(dialogue, *(turn.steps for turn in dialogue.turns[1::2]))


def values(dialogues: list[Dialogue], transcripts: list[Transcript], **more: Any) -> dict[tuple[Any, ...], Any]:
    """Return the values of all rows, by metric and slice."""
    rows = score({one.id: one for one in dialogues}, BY_KEY, transcripts, scoring=SCORING, **more)
    return {(row.metric, *sorted(row.slice.values())): row.value for row in rows}


def test_what_no_call_can_give_is_out_of_reach() -> None:
    """A gold value of a slot that no function has counts against the ceiling, as it does against every model."""
    one = dialogue_of("a", document({"hotel": hotel({"area": "east", "colour": "red"})}))
    found = values([one], [gold_transcript(one)])
    assert found["jga",] == found["ceiling",] == 0


def test_gold_calls_are_right_in_strict() -> None:
    one = dialogue_of("a", THREE)
    found = values([one], [gold_transcript(one)])
    assert found["jga",] == found["slot_f1",] == found["ceiling",] == found["function_acc",] == 1
    assert found["jga", "fnctod"] == found["ceiling", "fnctod"]
    assert found["jga_empty",] == 0
    assert [one.error for one in judge(one, gold_transcript(one), BY_KEY, {})] == ["", "", ""]


def test_a_failed_turn_is_counted_and_empty_in_mode_fnctod() -> None:
    one = dialogue_of("a", document({"hotel": hotel({"area": "east"})}, {"hotel": hotel({"area": "east"})}))
    call = Step(calls=(Call("find_book_hotel", encode({"area": "east"})),))
    found = values([one], [transcript(one, (call,), (Step(act=FAILED),))])
    assert (found["failed_turns",], found["jga",], found["jga", "fnctod"]) == (0.5, 1, 0.5)


def test_dontcare_is_right_in_strict_and_never_in_fnctod() -> None:
    one = dialogue_of("a", document({"hotel": hotel({"area": "dontcare"})}))
    found = values([one], [gold_transcript(one)])
    assert (found["jga",], found["jga", "fnctod"], found["ceiling", "fnctod"]) == (1, 0, 0)
    assert found["dropped_values",] == 1


def test_a_domain_counts_over_all_turns_where_the_last_state_has_it() -> None:
    """Empty is right before the domain comes; a domain that is gone in the end counts in strict alone."""
    states = [{"hotel": hotel({"area": "east"})}, {"train": train({"day": "monday"})}]
    one = dialogue_of("a", document(*states))
    found = values([one], [transcript(one, (), ())])
    assert found["jga", "train"] == found["jga", "fnctod", "train"] == 0.5
    assert found["jga", "hotel"] == 0.5
    assert ("jga", "fnctod", "hotel") not in found
    assert found["jga_average_empty", "fnctod"] == 0.5


def test_nothing_to_measure_has_a_reason_and_failures_are_apart() -> None:
    one = dialogue_of("a", THREE)
    rows = score({"a": one}, BY_KEY, [], failed=["a"], scoring=SCORING)
    assert rows
    assert all(row.value is None and row.why and row.n_failed == 1 for row in rows)


def test_a_cut_transcript_is_refused() -> None:
    one = dialogue_of("a", THREE)
    cut = Transcript(dialogue="a", protocol="fnctod.v2", model="m", turns=one.turns[:2], ended="script")
    with pytest.raises(BadInput, match="cut short"):
        score({"a": one}, BY_KEY, [cut], scoring=SCORING)


def _metadata(state: dict[str, str]) -> dict[str, Any]:
    return {domain: hotel({"area": area}) for domain, area in state.items()}


def _calls(before: dict[str, str], after: dict[str, str]) -> tuple[Step, ...]:
    """Return steps that lead from one state to the next under the open policy."""
    changes = {
        domain: after.get(domain, "") for domain in {**before, **after} if before.get(domain) != after.get(domain)
    }
    return tuple(Step(calls=(Call(TOOLS[name].name, encode({"area": area})),)) for name, area in changes.items())


@given(st.lists(st.lists(st.tuples(STATES, STATES), min_size=1, max_size=4), min_size=1, max_size=3))
def test_strict_rows_equal_the_slow_ones(drawn: list[list[tuple[dict[str, str], dict[str, str]]]]) -> None:
    dialogues, transcripts = [], []
    for at, pairs in enumerate(drawn):
        one = dialogue_of(f"d{at}", document(*(_metadata(gold) for _, gold in pairs)))
        predicted = [{}, *(ours for ours, _ in pairs)]
        steps = [_calls(before, after) for before, after in pairwise(predicted)]
        dialogues.append(one)
        transcripts.append(transcript(one, *steps))
    found = values(dialogues, transcripts)
    plain = [
        [tuple({name: {"area": area} for name, area in part.items()} for part in pair) for pair in pairs]
        for pairs in drawn
    ]
    assert found["jga",] == slow_jga(plain, "strict")
    assert found["slot_f1",] == pytest.approx(slow_f1(plain, "strict"))
    for domain in ("hotel", "attraction"):
        assert found.get(("jga", domain)) == slow_jga(plain, "strict", domain)


@given(st.lists(st.lists(st.tuples(AREAS, AREAS), min_size=1, max_size=4), min_size=1, max_size=3))
def test_fnctod_rows_equal_the_slow_ones(drawn: list[list[tuple[str, str]]]) -> None:
    """One domain whose slot is open: nothing is dropped or missed, so that only `dontcare` differs."""
    dialogues, transcripts, plain = [], [], []
    for at, pairs in enumerate(drawn):
        states = [{"hospital": hotel({"department": gold})} for _, gold in pairs]
        dialogues.append(dialogue_of(f"d{at}", document(*states)))
        calls = [Call("find_hospital", encode({"department": ours})) for ours, _ in pairs]
        transcripts.append(transcript(dialogues[-1], *((Step(calls=(call,)),) for call in calls)))
        plain.append([tuple({"hospital": {"department": part}} for part in pair) for pair in pairs])
    found = values(dialogues, transcripts)
    assert found["jga", "fnctod"] == found["jga", "fnctod", "hospital"] == slow_jga(plain, "fnctod")
    assert found["slot_f1", "fnctod"] == pytest.approx(slow_f1(plain, "fnctod"))


def test_the_ceilings_of_multiwoz_are_those_of_the_specification(shared_data: Path) -> None:
    """About 92.7 with one function a turn, 94.4 where it repairs, 82.2 with enums; 100 in strict; empty: 28.1, 1.5."""
    from callwright.papers.fnctod.multiwoz_reader import MultiwozReadOptions, read

    dialogues = list(read(shared_data / "multiwoz" / "test_2.1.json.zip", MultiwozReadOptions()).dialogues)
    silent = [transcript(one, *[()] * len(one.tasks)) for one in dialogues]
    found = {place: value and round(100 * value, 1) for place, value in values(dialogues, silent).items()}
    assert found["ceiling", "one function a turn"] == 92.7
    assert found["ceiling", "one function a turn, repairs later"] == 94.3
    assert found["ceiling", "paper"] == 82.1
    assert found["ceiling",] == found["ceiling", "open"] == 100
    assert (found["jga",], found["jga_average", "fnctod"], found["jga_average_empty", "fnctod"]) == (1.5, 28.1, 28.1)
