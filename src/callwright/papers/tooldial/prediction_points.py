"""The points of a dialogue at which something is predicted, in its order: states, acts, or the response.

States are those that the paper counts: after each turn of the assistant, which is seen then, and after a user's turn
that informs, before anything is called. Acts are those of the assistant's steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Literal, NamedTuple

from callwright.errors import BadInput
from callwright.papers.tooldial.state_layout import state_document
from callwright.papers.tooldial.tooldial_options import PredictionTask, ToolDialProtocolOptions
from callwright.records.annotations.tooldial_notes import ToolDialNotes
from callwright.records.dialogue import Dialogue
from callwright.records.dialogue_state import ApiState
from callwright.records.jsontext import Json


class PredictionPoint(NamedTuple):
    """One thing to predict."""

    kind: Literal["state", "act", "response"]
    turn: int
    """Position of the turn in the dialogue."""
    step: int = 0
    """Position of the step, of an act or a response."""


def prediction_points(dialogue: Dialogue, task: PredictionTask) -> list[PredictionPoint]:
    """Return what a task asks for, in the order of the dialogue. Raises BadInput for one without notes."""
    if task == "faithfulness":
        return [
            PredictionPoint("response", at, len(turn.steps) - 1)
            for at, turn in enumerate(dialogue.turns)
            if turn.steps and turn.steps[-1].act == "response"
        ][-1:]
    wanted = {"state": ("state",), "act": ("act",), "overall": ("state", "act")}[task]
    return [point for point in _labelled(dialogue) if point.kind in wanted]


def asked_points(dialogue: Dialogue, options: ToolDialProtocolOptions) -> list[PredictionPoint]:
    """Return what a model is asked: before a response that its own labels precede, these too."""
    points = prediction_points(dialogue, options.task)
    if options.task != "faithfulness" or options.history != "own" or not points:
        return points
    response = points[-1]._replace(kind="act")
    return [*takewhile(lambda point: point != response, _labelled(dialogue)), *points]


def _labelled(dialogue: Dialogue) -> Iterator[PredictionPoint]:
    notes = notes_of(dialogue)
    for at, (turn, extra) in enumerate(zip(dialogue.turns, notes.turns, strict=True)):
        is_user = dialogue.role(turn) == "user"
        if not is_user:
            yield from (PredictionPoint("act", at, step) for step, one in enumerate(turn.steps) if one.act)
        if extra.state is not None and (not is_user or any(step.act == "inform" for step in turn.steps)):
            yield PredictionPoint("state", at)


def notes_of(dialogue: Dialogue) -> ToolDialNotes:
    """Return the notes on a dialogue. Raises BadInput for one without them."""
    notes = dialogue.annotation
    if not isinstance(notes, ToolDialNotes) or len(notes.turns) != len(dialogue.turns):
        raise BadInput(
            f"dialogue {dialogue.id}: it has no states and acts turn by turn. Use data of `callwright read tooldial`."
        )
    return notes


def gold_state(dialogue: Dialogue, point: PredictionPoint) -> dict[str, Json]:
    """Return the gold state of a point in the paper's layout."""
    return state_document(notes_of(dialogue).turns[point.turn].state or ApiState())


def gold_act(dialogue: Dialogue, point: PredictionPoint) -> str:
    """Return the gold act of a point: `request_multi` is a `request`."""
    act = dialogue.turns[point.turn].steps[point.step].act
    return "request" if act == "request_multi" else act


def user_turn_of(dialogue: Dialogue, point: PredictionPoint) -> int:
    """Return which turn of the user, from 1, a point belongs to: the last one up to it."""
    return max(1, sum(dialogue.role(turn) == "user" for turn in dialogue.turns[: point.turn + 1]))
