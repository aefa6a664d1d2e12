"""Stages of a task: which turns they span, and what is due in each."""

from __future__ import annotations

import pytest

from callwright.errors import BadInput
from callwright.match.task_stages import task_stages
from callwright.records.dialogue import (
    Call,
    Dialogue,
    GoldArgument,
    GoldCall,
    Participant,
    Provenance,
    Step,
    Task,
    Turn,
)
from callwright.records.jsontext import encode


def gold(tool: str, **arguments: object) -> GoldCall:
    """Return a gold call."""
    return GoldCall(tool, tuple(GoldArgument(name, (encode(value),)) for name, value in arguments.items()))


def said(speaker: str, *tools: tuple[str, dict[str, object]]) -> Turn:
    """Return a turn with one step of calls."""
    calls = tuple(Call(tool, encode(arguments)) for tool, arguments in tools)
    return Turn(speaker, "words", (Step(calls=calls),) if calls else ())


def dialogue(turns: list[Turn], *tasks: Task) -> Dialogue:
    """Return a dialogue of these turns and tasks."""
    return Dialogue(
        id="d",
        recipe="wild.v1",
        participants=(Participant("u", "user"), Participant("a", "assistant")),
        turns=tuple(turns),
        tasks=tasks,
        provenance=Provenance(author="hand", callwright="0"),
    )


def test_a_task_lasts_until_the_next() -> None:
    """One turn of the user's and one reply are one stage, with every gold call due in it."""
    turns = [said("u"), said("a", ("f", {})), said("u"), said("a")]
    made = dialogue(turns, Task("single", gold=(gold("f"),), turn=0), Task("chat", turn=2))

    assert [(s.first, s.reply, s.end, s.due) for at in (0, 1) for s in task_stages(made, at)] == [
        (0, 1, 2, (0,)), (2, 3, 4, ()),
    ]  # fmt: skip


def test_a_task_between_two_others_ends_where_the_next_begins() -> None:
    """Its turns are none of the first task's and none of the last's."""
    turns = [said("u"), said("a"), said("u"), said("a"), said("u"), said("a")]
    made = dialogue(turns, *(Task("chat", turn=turn) for turn in (0, 2, 4)))

    assert [(s.first, s.end) for at in range(3) for s in task_stages(made, at)] == [(0, 2), (2, 4), (4, 6)]


def test_a_question_is_a_stage_of_its_own() -> None:
    """What is called after the user's answer is due after it."""
    turns = [said("u"), said("a"), said("u"), said("a", ("f", {"x": 1}))]

    stages = task_stages(dialogue(turns, Task("clarify", gold=(gold("f", x=1),), turn=0)), 0)

    assert [(stage.first, stage.due) for stage in stages] == [(0, ()), (2, (0,))]


def test_calls_before_and_after_a_question() -> None:
    """Of two calls of one tool each is due where it was recorded; what was recorded nowhere is due last."""
    turns = [said("u"), said("a", ("f", {"x": 2})), said("u"), said("a", ("f", {"x": 1}))]
    golds = (gold("f", x=1), gold("f", x=2), gold("g"))

    stages = task_stages(dialogue(turns, Task("clarify", gold=golds, turn=0)), 0)

    assert [stage.due for stage in stages] == [(1,), (0, 2)]


def test_a_recorded_call_with_other_values_stands_for_the_first_of_its_tool() -> None:
    """A call of a tool that no gold call has stands for none."""
    turns = [said("u"), said("a", ("f", {"x": 9}), ("h", {})), said("u"), said("a", ("f", {"x": 2}))]

    stages = task_stages(dialogue(turns, Task("clarify", gold=(gold("f", x=1), gold("f", x=2)), turn=0)), 0)

    assert [stage.due for stage in stages] == [(0,), (1,)]


def test_several_turns_of_the_user_in_a_row_begin_one_stage() -> None:
    """A user who speaks twice before the reply has not been answered in between."""
    turns = [said("u"), said("u"), said("a", ("f", {}))]

    (stage,) = task_stages(dialogue(turns, Task("single", gold=(gold("f"),), turn=0)), 0)

    assert (stage.first, stage.reply, stage.end) == (0, 2, 3)


@pytest.mark.parametrize(("first", "second"), [(None, 2), (0, None), (2, 0), (2, 2), (-1, 2)])
def test_tasks_out_of_order_are_refused(first: int | None, second: int | None) -> None:
    """Each task needs its turn, before that of the next."""
    made = dialogue([said("u"), said("a"), said("u"), said("a")], Task("chat", turn=first), Task("chat", turn=second))

    with pytest.raises(BadInput, match="task 1: its turn is not there"):
        task_stages(made, 0)
