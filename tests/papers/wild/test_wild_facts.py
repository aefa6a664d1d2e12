"""Facts of scoring that only a changed program would break."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from callwright.errors import BadInput, BadRecord
from callwright.match.leniency import LENIENT, STRICT
from callwright.papers.wild.task_verdict import ShownTexts, judge_task, task_gold
from callwright.papers.wild.wild_protocol import PROTOCOL, VERSION
from callwright.protocol.scoring import Scoring
from callwright.records.dialogue import Turn
from hand_sessions import (
    AIR,
    BY_KEY,
    BY_NAME,
    CHAT,
    FORECAST,
    SINGLE,
    Plan,
    Scripted,
    builtin,
    call,
    gold,
    rolled_out,
    say,
    session,
    values,
)


def with_(made: tuple[str, dict[str, Any]], **changes: Any) -> tuple[str, dict[str, Any]]:
    """Return a call with other arguments."""
    return made[0], {key: value for key, value in (made[1] | changes).items() if value is not None}


@pytest.mark.parametrize(
    ("today", "held"), [("2025-03-10", ["2025-03-10", "2025-03-11"]), ("2025-06-29", ["2025-06-30"]), ("", [])]
)
def test_a_day_is_read_by_the_day_of_the_dialogue(today: str, held: list[str]) -> None:
    """The date of the dialogue and the one that `tomorrow` says are known; without a date neither is."""
    dialogue = msgspec.structs.replace(session(SINGLE), today=today)
    shown = ShownTexts(dialogue, (), (Turn("user", "I fly tomorrow."),), {})

    days = ("2025-03-10", "2025-03-11", "2025-06-30")
    assert [day for day in days if shown.holds(day, "day", {"type": "string", "format": "date"})] == held


@pytest.mark.parametrize("source", ["2025-03-10", "Braga"], ids=["today", "the user's words"])
def test_what_the_model_was_shown_is_not_invented(source: str) -> None:
    """The day of the dialogue, and what was said in an earlier task, are places to take a value from."""
    dialogue = session(Plan("chat", "I come from Braga."), SINGLE)
    model = Scripted([say(), call(with_(AIR, city=source))])

    verdict = judge_task(dialogue, 1, rolled_out(model, dialogue), BY_NAME, leniency=STRICT)

    assert verdict.error == "param_value"
    assert verdict.why.endswith(f'; city: "{source}" is not "Porto"')


def test_what_is_not_measured_is_counted() -> None:
    """A failed rollout, and a transcript without the tasks of its session, are no wrong answers."""
    dialogues = {id_: session(SINGLE, CHAT, id_=id_) for id_ in ("told", "short", "failed")}
    told = builtin("builtin/oracle", dialogues["told"])
    short = builtin("builtin/oracle", dialogues["short"])
    short = msgspec.structs.replace(short, tasks=(short.tasks or ())[:1])
    scoring = Scoring(run="r", model="m", protocol=VERSION, seed=0, data="d", options={}, resamples=10)

    rows = PROTOCOL.score(dialogues, BY_KEY, [told, short], failed=["failed"], scoring=scoring)

    assert values(rows, "session_acc") == {"": 1.0}
    assert (rows[0].n, rows[0].n_failed, rows[0].n_skipped) == (1, 1, 1)
    with pytest.raises(BadRecord, match="has no task 2"):
        judge_task(dialogues["short"], 1, short, BY_NAME, leniency=STRICT)


@pytest.mark.parametrize("at", [0, 1])
def test_needs_that_go_round_are_refused(at: int) -> None:
    """A session whose calls need one another is named, with its task."""
    round_ = Plan("multi", "Both, please.", gold(AIR, [1]), gold(FORECAST, [0]))
    dialogue = session(*[SINGLE] * at, SINGLE)
    dialogue = msgspec.structs.replace(
        dialogue,
        tasks=(*dialogue.tasks[:at], msgspec.structs.replace(dialogue.tasks[at], gold=round_.golds)),
    )

    with pytest.raises(BadInput, match=f"dialogue s, task {at + 1}: "):
        task_gold(dialogue, at, BY_NAME, STRICT)


def test_a_call_that_several_gold_calls_fit_is_of_the_one_it_equals() -> None:
    """Under lenient matching, where the case of letters does not count."""
    golds = tuple(gold((AIR[0], {"city": city})) for city in ("PORTO", "Porto"))
    truth = task_gold(session(Plan("multi", "Air?", *golds)), 0, BY_NAME, LENIENT)

    made = [call((AIR[0], one.values)).calls[0] for one in golds]

    assert [truth.right_for(0, one) for one in made] == [(0, 1), (1, 0)]
