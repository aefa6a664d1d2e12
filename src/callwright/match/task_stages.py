"""The stages of a task: after each user turn, the gold calls that are due, or only text.

Most tasks have one. If values are missing, the first stage is the assistant's question, and the answer begins the
second.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from callwright.errors import BadInput
from callwright.match.values import equal
from callwright.records.dialogue import Call, Dialogue, Task


class Stage(msgspec.Struct, frozen=True):
    """One stage of a task, in positions of the dialogue's turns."""

    first: int
    reply: int
    end: int
    """The first turn of the next stage, or of the next task."""
    due: tuple[int, ...]
    """Gold calls, by position in the task; none if only text is due."""


def task_stages(dialogue: Dialogue, at: int) -> tuple[Stage, ...]:
    """Return the stages of task `at`, at least one. Raises BadInput if its turn is not a user turn."""
    task = dialogue.tasks[at]
    begin, end = _span(dialogue, at)
    bounds = [
        turn
        for turn in range(begin, end)
        if turn == begin or (not _is_reply(dialogue, turn) and _is_reply(dialogue, turn - 1))
    ]
    bounds.append(end)
    replies = [next((turn for turn in range(one, end) if _is_reply(dialogue, turn)), end) for one in bounds[:-1]]
    made = [
        [call for turn in dialogue.turns[reply:after] for call in turn.calls]
        for reply, after in zip(replies, bounds[1:], strict=True)
    ]
    due = _due(task, made)
    return tuple(
        Stage(first, reply, after, golds)
        for first, reply, after, golds in zip(bounds, replies, bounds[1:], due, strict=False)
    )


def _span(dialogue: Dialogue, at: int) -> tuple[int, int]:
    turns = [task.turn for task in dialogue.tasks]
    begin, where = turns[at], f"dialogue {dialogue.id}, task {at + 1}"
    following = turns[at + 1] if at + 1 < len(turns) else len(dialogue.turns)
    if begin is None or following is None or not 0 <= begin < following <= len(dialogue.turns):
        raise BadInput(f"{where}: its turn is not there, or not before the next task's. Give each task its turn.")
    if _is_reply(dialogue, begin):
        raise BadInput(f"{where}: turn {begin} is no user's. Name the turn that asks for the task.")
    return begin, following


def _is_reply(dialogue: Dialogue, turn: int) -> bool:
    return dialogue.role(dialogue.turns[turn]) != "user"


def _due(task: Task, made: Sequence[Sequence[Call]]) -> list[tuple[int, ...]]:
    """Return the gold calls of each stage: those recorded in it; unrecorded ones belong to the last stage."""
    if len(made) == 1:
        return [tuple(range(len(task.gold)))]
    left = dict(enumerate(task.gold))
    due: list[list[int]] = [[] for _ in made]
    for calls, found in zip(made, due, strict=True):
        for call in calls:
            same = [at for at, gold in left.items() if gold.tool == call.tool]
            exact = (at for at in same if equal(left[at].values, call.values))
            at = next(exact, same[0] if same else None)
            if at is not None:
                found.append(at)
                del left[at]
    due[-1] += left
    return [tuple(sorted(found)) for found in due]
