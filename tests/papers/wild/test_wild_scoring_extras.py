"""Extras of a wild session: forbidden calls, failing tools and changed values, apart from the paper's figures."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from callwright.match.leniency import STRICT
from callwright.models.chat import ChatReply
from callwright.papers.wild.task_verdict import judge_dialogue
from callwright.records.annotations.wild_notes import Mine, PlannedFailure, ValueChange, WildPlan
from callwright.records.dialogue import Dialogue, Result, Turn
from callwright.records.jsontext import encode
from hand_sessions import (
    AIR,
    BY_KEY,
    CHAT,
    CLARIFY,
    FORECAST,
    HOTEL,
    PORTO,
    SINGLE,
    Plan,
    Scripted,
    builtin,
    call,
    gold,
    rolled_out,
    rows_of,
    say,
    session,
    values,
)

FAILED = msgspec.structs.replace(gold(AIR), result=Result(error="timed out"))
AGAIN = msgspec.structs.replace(gold(AIR), after=(0,))
RETRY = Plan("single", "Is the air good in Porto?", FAILED, AGAIN)

LOOK_ALIKE = WildPlan(mines=(Mine(task=0, kind="look_alike", tool="book_hotel"),))
TAKEN_BACK = WildPlan(mines=(Mine(task=0, kind="taken_back", tool="forecast", arguments=encode(FORECAST[1])),))
FAILURE = WildPlan(failures=(PlannedFailure(task=0, call=0, error="timed out", remedy="retry", done_by=1),))
WAIT = "Wait, Casa Nova, not Casa Velha."
NEARBY = Plan("multi", "Concerts in Porto, and two nights at Casa Velha nearby.", gold(PORTO), gold(HOTEL, [0]))
VELHA = ("book_hotel", {"hotel": "Casa Velha", "nights": 2})


def change_at(call: int, turn: int, task: int = 0) -> WildPlan:
    made = ValueChange(
        task=task, call=call, parameter="hotel", first=encode("Casa Velha"), then=encode("Casa Nova"), turn=turn
    )
    return WildPlan(changes=(made,))


def cut_short(*plans: Plan, annotation: WildPlan | None = None) -> Dialogue:
    """Return a session whose user changes the hotel in the last task, once the concerts are found."""
    dialogue = session(*(plans or (NEARBY,)), annotation=annotation or change_at(1, 2))
    *before, done = dialogue.turns
    first, then = Turn("assistant", steps=done.steps[:1]), Turn("assistant", "Booked.", done.steps[1:])
    return msgspec.structs.replace(dialogue, turns=(*before, first, Turn("user", WAIT), then))


def measured(dialogue: Dialogue, *replies: ChatReply) -> dict[str, float | None]:
    """Return every metric of the whole that has a value."""
    rows = rows_of([dialogue], [rolled_out(Scripted(replies), dialogue)])
    return {row.metric: row.value for row in rows if not row.slice and row.value is not None}


@pytest.mark.parametrize(
    ("plan", "made", "hit"),
    [
        (LOOK_ALIKE, HOTEL, 1.0),
        (LOOK_ALIKE, ("book_hotel", {}), 1.0),
        (LOOK_ALIKE, PORTO, 0.0),
        (TAKEN_BACK, FORECAST, 1.0),
        (TAKEN_BACK, ("forecast", {"city": "Porto", "days": 3.0}), 1.0),
        (TAKEN_BACK, ("forecast", {"city": "Lisbon"}), 0.0),
    ],
)
def test_forbidden_calls(plan: WildPlan, made: Any, hit: float) -> None:
    """A look-alike is forbidden whatever its arguments; what was taken back only with those the user said."""
    assert measured(session(SINGLE, annotation=plan), call(made)) == {"mine_rate": hit}


def test_a_forbidden_call_beside_the_right_one_counts() -> None:
    """The rate is over tasks with forbidden calls, by their kind."""
    dialogue = session(SINGLE, annotation=LOOK_ALIKE)

    rows = rows_of([dialogue], [rolled_out(Scripted([call(AIR, HOTEL)]), dialogue)])

    assert values(rows, "mine_rate", "mine") == {"look_alike": 1.0}


@pytest.mark.parametrize(
    ("replies", "rate"),
    [
        ([call(AIR), call(AIR), say()], {"remedy_rate": 1.0}),
        ([call(AIR), say("It does not work.")], {"remedy_rate": 0.0}),
        ([call(AIR), call(FORECAST)], {"remedy_rate": 0.0}),
        ([say("no")], {}),
    ],
)
def test_what_is_done_after_a_failure(replies: list[ChatReply], rate: dict[str, float]) -> None:
    """Only tasks in which the failing call was made are counted: the others saw no failure."""
    assert measured(session(RETRY, annotation=FAILURE), *replies) == rate


GONE = "this service is no longer offered"
OTHER = Plan(
    "single",
    "Is the air good in Porto?",
    msgspec.structs.replace(gold(AIR), result=Result(error=GONE)),
    msgspec.structs.replace(gold(PORTO), after=(0,)),
)
GOES_ON = WildPlan(failures=(PlannedFailure(task=0, call=0, error=GONE, remedy="other_tool", done_by=1),))


@pytest.mark.parametrize(
    ("replies", "right", "again"),
    [
        ([call(AIR), call(PORTO), say()], 1.0, 0.0),
        ([call(AIR), call(AIR)], 0.0, 1.0),
        ([call(AIR), call(("air_quality", {"city": "porto"}))], 0.0, 1.0),
        ([call(AIR), call(FORECAST)], 0.0, 0.0),
        ([call(AIR), say("It is gone.")], 0.0, 0.0),
    ],
)
def test_a_tool_that_is_gone_is_not_called_again(replies: list[ChatReply], right: float, again: float) -> None:
    """Another tool is right; the same one again, with whatever arguments, is blamed."""
    found = measured(session(OTHER, annotation=GOES_ON), *replies)

    assert found == {"remedy_rate": right, "again_rate": again}


def test_a_task_that_never_saw_its_failure_is_absent() -> None:
    """No rate over nothing: no value, and the reason with how many tasks it holds for."""
    dialogue = session(OTHER, annotation=GOES_ON)

    rows = rows_of([dialogue], [rolled_out(Scripted([call(PORTO)]), dialogue)])

    (row,) = [row for row in rows if row.metric == "remedy_rate" and row.slice]
    assert (row.value, row.n, row.n_failed, row.n_skipped) == (None, 0, 0, 0)
    assert row.slice == {"remedy": "other_tool"}
    assert row.why == "absent: in 1 task the call that fails was not made"


def test_calling_a_failed_tool_again_is_explained() -> None:
    """The first error names what the tool answered."""
    dialogue = session(OTHER, annotation=GOES_ON)

    (verdict,) = judge_dialogue(
        dialogue, rolled_out(Scripted([call(AIR), call(AIR)]), dialogue), BY_KEY, leniency=STRICT
    )

    assert verdict.error == "redundant_call"
    assert GONE in verdict.why


@pytest.mark.parametrize(
    ("replies", "new", "old"),
    [
        ([call(PORTO), call(HOTEL), say()], 1.0, 0.0),
        ([call(PORTO), call(VELHA)], 0.0, 1.0),
        ([call(PORTO), say("Found.")], 0.0, 0.0),
    ],
)
def test_values_changed_between_calls(replies: list[ChatReply], new: float, old: float) -> None:
    """The value as it was changed is right; that of before is told apart from other errors."""
    assert measured(cut_short(), *replies) == {"change_rate": new, "stale_rate": old}


@pytest.mark.parametrize(("made", "new", "old"), [(HOTEL, 1.0, 0.0), (VELHA, 0.0, 1.0)])
def test_values_changed_by_an_answer(made: Any, new: float, old: float) -> None:
    """The answer to the question gives what was missing, and changes what was said."""
    dialogue = session(CLARIFY, annotation=change_at(0, 2))
    replies = [say("How long?"), call(made), *([say()] if new else [])]

    assert measured(dialogue, *replies) == {"change_rate": new, "stale_rate": old}


def test_the_user_speaks_up_after_the_first_step() -> None:
    """The model is shown its call, the result, and the change; it need say nothing for that."""
    model = Scripted([call(PORTO), call(HOTEL), say()])

    transcript = rolled_out(model, cut_short())

    assert [message.role for message in model.shown[1].messages] == ["system", "user", "assistant", "tool", "user"]
    assert model.shown[1].messages[-1].content == WAIT
    assert [turn.text for turn in transcript.turns][1:] == ["", WAIT, "Here you are."]


def test_a_task_whose_change_was_never_told_is_absent() -> None:
    """What was called before it was told is neither old nor new."""
    rows = rows_of([cut_short()], [rolled_out(Scripted([call(FORECAST)]), cut_short())])

    (row,) = [row for row in rows if row.metric == "stale_rate"]
    assert (row.value, row.n, row.why) == (None, 0, "absent: in 1 task the change was not told")


@pytest.mark.parametrize("name", ["builtin/oracle", "builtin/oracle-sequential"])
def test_the_oracle_keeps_up_with_a_change(name: str) -> None:
    """It makes what is left of the first calls, and the later one with the new value, wherever the task stands."""
    both = Plan("multi", NEARBY.ask, gold(PORTO), gold(FORECAST), gold(HOTEL, [0]))
    dialogue = cut_short(SINGLE, both, annotation=change_at(2, 4, task=1))

    transcript = builtin(name, dialogue)

    assert values(rows_of([dialogue], [transcript]), "change_rate") == {"": 1.0}
    assert judge_dialogue(dialogue, transcript, BY_KEY, leniency=STRICT)[1].right


def test_extras_never_enter_the_figures_of_the_paper() -> None:
    """A session with extras is excluded and counted; the others are measured as if it were not there."""
    plain, extra = session(SINGLE, CHAT), session(SINGLE, annotation=LOOK_ALIKE, id_="x")
    transcripts = [builtin("builtin/oracle", plain), rolled_out(Scripted([call(HOTEL)]), extra)]

    rows = rows_of([plain, extra], transcripts)

    assert values(rows, "task_acc") == {"": 1.0}
    assert {(row.metric, row.n, row.n_excluded) for row in rows if row.metric in ("task_acc", "mine_rate")} == {
        ("task_acc", 1, 1), ("mine_rate", 1, 0),
    }  # fmt: skip
    assert not [row for row in rows_of([plain], transcripts[:1]) if row.metric == "mine_rate"]
