"""The cascade finds what is planted in a clean dialogue."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from callwright.papers.tooldial.tooldial_cascade import check_tooldial
from callwright.records.annotations.tooldial_notes import RetrieverStatus, ToolDialNotes
from callwright.records.dialogue import Dialogue, Step, Turn
from callwright.records.dialogue_state import ApiState
from callwright.records.jsontext import encode
from callwright.records.retrieved import Retrieved
from tooldial_workshop import dialogues, tools_of

replace = msgspec.structs.replace


def linked() -> Dialogue:
    """Return a clean dialogue with two tools."""
    return next(one for one in dialogues(20) if len(one.tools) == 2)


def with_turn(dialogue: Dialogue, position: int, turn: Turn) -> Dialogue:
    """Return the dialogue with another turn."""
    return replace(dialogue, turns=(*dialogue.turns[:position], turn, *dialogue.turns[position + 1 :]))


def wrong_act(dialogue: Dialogue) -> Dialogue:
    """Let the user affirm in place of the goodbye."""
    return with_turn(dialogue, -2 % len(dialogue.turns), Turn("user", "Yes.", (Step(act="affirm"),)))


def silent(dialogue: Dialogue) -> Dialogue:
    """Let the user's first turn say nothing."""
    return with_turn(dialogue, 0, replace(dialogue.turns[0], text=" "))


def other_argument(dialogue: Dialogue) -> Dialogue:
    """Call the target with a value that the source did not return."""
    place = max(at for at, turn in enumerate(dialogue.turns) if turn.calls)
    turn = dialogue.turns[place]
    step = next(step for step in turn.steps[::-1] if step.calls)
    plan = dialogue.scenario.annotation  # type: ignore[union-attr]
    call = replace(step.calls[0], arguments=encode({**step.calls[0].values, plan.input: "Q-1"}))  # type: ignore[union-attr]
    steps = tuple(replace(one, calls=(call,)) if one is step else one for one in turn.steps)
    return with_turn(dialogue, place, replace(turn, steps=steps))


def other_state(dialogue: Dialogue) -> Dialogue:
    """Confirm no API in a turn that asks for values."""
    assert isinstance(dialogue.annotation, ToolDialNotes)
    place = next(at for at, turn in enumerate(dialogue.turns) if turn.steps[-1].act == "request")
    notes = list(dialogue.annotation.turns)
    notes[place] = replace(notes[place], state=ApiState())
    return replace(dialogue, annotation=ToolDialNotes(turns=tuple(notes)))


def other_score(dialogue: Dialogue) -> Dialogue:
    """Record a best score that is in no band of the act which follows."""
    assert isinstance(dialogue.annotation, ToolDialNotes)
    notes = list(dialogue.annotation.turns)
    step = notes[1].steps[0]
    act = dialogue.turns[1].steps[1].act
    apis = (Retrieved("x", 0.9 if act in ("clarify", "suggest") else 0.1),)
    steps = (replace(step, retriever=RetrieverStatus(called=True, apis=apis)), *notes[1].steps[1:])
    notes[1] = replace(notes[1], steps=steps)
    return replace(dialogue, annotation=ToolDialNotes(turns=tuple(notes)))


def other_wish(dialogue: Dialogue) -> Dialogue:
    """Let the user wish for something else than what the retriever was asked for."""
    return with_turn(dialogue, 0, replace(dialogue.turns[0], text="Hello there."))


def named_tool(dialogue: Dialogue) -> Dialogue:
    """Let the assistant say a tool's name."""
    text = f"I call {dialogue.tools[0].name}."
    return with_turn(dialogue, len(dialogue.turns) - 1, replace(dialogue.turns[-1], text=text))


def test_a_clean_dialogue_has_no_issue() -> None:
    """Nothing is found before something is planted."""
    assert check_tooldial(linked(), tools_of(linked())) == ()


@pytest.mark.parametrize(
    ("plant", "code"),
    [
        (wrong_act, "acts_not_accepted"),
        (silent, "empty_text"),
        (other_argument, "value_not_from_result"),
        (other_state, "wrong_state"),
        (other_score, "score_out_of_band"),
        (other_wish, "query_not_said"),
        (named_tool, "tool_named"),
    ],
)
def test_planted_faults_are_found(plant: Callable[[Dialogue], Dialogue], code: str) -> None:
    """Each planted fault is found under its code."""
    issues = check_tooldial(plant(linked()), tools_of(linked()))

    assert code in [issue.code for issue in issues]


def test_other_notes_are_a_bad_record() -> None:
    """A dialogue without notes of this paper is no crash."""
    assert [issue.code for issue in check_tooldial(replace(linked(), annotation=None), {})] == ["bad_record"]
