"""Where the wrong values of a state come from."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from cinema_corpus import SEQUENCES, corpus_of

from callwright.papers.tooldial.prediction_points import notes_of, prediction_points
from callwright.papers.tooldial.value_origins import value_kinds
from callwright.records.dialogue import Dialogue, Result
from callwright.records.jsontext import encode

MULTI = next(acts for acts in SEQUENCES if "request_multi" in acts and acts.count("request") > 1)
SINGLE = next(acts for acts in SEQUENCES if "fail_inform" in acts and acts.count("request") == 3)
ADDED = next(acts for acts in SEQUENCES if "inform_intent_clear_add" in acts and "request" in acts)
PLAIN = next(acts for acts in SEQUENCES if len(acts) == 8 and acts[0] == "inform_intent_clear")


def dialogue_of(acts: tuple[str, ...], result: Any = None, act: str = "") -> Dialogue:
    """A dialogue, with another result of its first call and another act after it."""
    (one,) = corpus_of([acts]).dialogues
    turns, is_after = [], False
    for turn in one.turns:
        steps = []
        for step in turn.steps:
            if is_after and act:
                step = msgspec.structs.replace(step, act=act)
            is_after = bool(step.calls) and result is not None
            if is_after:
                step = msgspec.structs.replace(step, results=(Result(value=encode(result)),))
                result = None
            steps.append(step)
        turns.append(msgspec.structs.replace(turn, steps=tuple(steps)))
    return msgspec.structs.replace(one, turns=tuple(turns))


def kinds(dialogue: Dialogue, *slots: str, api: str = "Films—CinemaShowings") -> set[tuple[str, ...]]:
    """The kinds of errors in these slots, over all states of a tool."""
    states = [point.turn for point in prediction_points(dialogue, "state")]
    of_tool = [at for at in states if (state := notes_of(dialogue).turns[at].state) and state.api == api]
    assert of_tool
    return {value_kinds(dialogue, at, slots, lambda value: value) for at in of_tool}


def test_a_value_of_several_results() -> None:
    """The slot that the user had to choose for, in every state of its tool; no other slot, no other tool."""
    dialogue = dialogue_of(MULTI)

    assert kinds(dialogue, "cinema_id") == {("value_multiple",)}
    assert kinds(dialogue, "date") == {("value_other",)}
    assert kinds(dialogue, "cinema_id", "date") == {("value_multiple", "value_other")}
    assert kinds(dialogue, "city", api="Films—ListCinemas") == {("value_other",)}
    assert kinds(dialogue) == {()}


ROWS = [{"id": "K9"}, {"id": "K4"}]


@pytest.mark.parametrize(
    ("result", "act", "kind"),
    [
        ({"cinemas": ROWS}, "request", "value_multiple"),  # released dialogues may have no act of its own
        (["K9", "K4"], "request", "value_multiple"),
        ({"cinemas": ROWS[:1]}, "request", "value_other"),
        ({"cinemas": ROWS[:1]}, "request_multi", "value_multiple"),
        ({"cinemas": ROWS}, "clarify", "value_other"),
        ({"cinemas": [{"id": "K1"}, {"id": "K2"}]}, "request_multi", "value_other"),  # the value is none of them
        ({"cinema": {"id": "K9", "name": "Lux"}}, "request", "value_other"),
    ],
)
def test_what_several_results_are(result: Any, act: str, kind: str) -> None:
    """The user was asked to choose, or asked anything while a list has several members that hold the value."""
    assert kinds(dialogue_of(SINGLE, result, act), "cinema_id") == {(kind,)}


def test_a_value_given_with_the_intent() -> None:
    """What the first state after such an intent has; not what was given later, nor in dialogues without one."""
    assert kinds(dialogue_of(ADDED), "date") == {("value_added",)}
    assert kinds(dialogue_of(ADDED), "cinema_id") == {("value_other",)}
    assert kinds(dialogue_of(ADDED), "cinema_id", "date") == {("value_added", "value_other")}
    assert kinds(dialogue_of(PLAIN), "date") == {("value_other",)}
    first = (added := dialogue_of(ADDED)).turns[0]
    clear = msgspec.structs.replace(first, steps=(msgspec.structs.replace(first.steps[0], act="inform_intent_clear"),))
    assert kinds(msgspec.structs.replace(added, turns=(clear, *added.turns[1:])), "date") == {("value_other",)}
    vague = next(acts for acts in SEQUENCES if acts[0].endswith("vague") and "inform_intent_clear_add" in acts)
    assert kinds(dialogue_of(vague), "date") == {("value_added",)}


def test_a_choice_wins_over_the_intent() -> None:
    """A slot counts once, in the order of A.9."""
    dialogue = dialogue_of(MULTI)
    first = dialogue.turns[0]
    added = msgspec.structs.replace(first.steps[0], act="inform_intent_clear_add")
    turns = (msgspec.structs.replace(first, steps=(added,)), *dialogue.turns[1:])
    changed = msgspec.structs.replace(dialogue, turns=turns)

    assert kinds(changed, "cinema_id") == {("value_multiple",)}
