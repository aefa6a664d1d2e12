"""Scores of the wild protocol: error classes, metrics, slices, and the identities that hold in every report."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import Any

import msgspec
import pytest

from callwright.errors import BadInput, BadRecord
from callwright.match.leniency import LENIENT, STRICT
from callwright.models.chat import EMPTY_REPLY, ChatReply
from callwright.papers.wild.call_matching import task_gold
from callwright.papers.wild.task_errors import ERRORS, Shown
from callwright.papers.wild.task_verdict import judge_task
from callwright.papers.wild.wild_protocol import PROTOCOL, VERSION
from callwright.protocol.scoring import Scoring
from callwright.records.dialogue import Call, Dialogue
from callwright.records.jsontext import JsonText, encode
from callwright.records.transcript import Transcript
from hand_sessions import (
    AIR,
    BY_KEY,
    BY_NAME,
    CHAIN,
    CHAT,
    CLARIFY,
    DETAIL,
    FORECAST,
    HOTEL,
    MIXED,
    PARALLEL,
    PORTO,
    SINGLE,
    Made,
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

EMPTY = say("")
UNREADABLE = ChatReply(content="<tool_call>{", format_errors=("a tagged call that cannot be read",))


def raw(tool: str, arguments: Any) -> ChatReply:
    """Return a call whose arguments are whatever they are."""
    return ChatReply(calls=(Call(tool, encode(arguments)),))


def with_(made: Made, **changes: Any) -> Made:
    """Return a call with other arguments."""
    return made[0], {key: value for key, value in (made[1] | changes).items() if value is not None}


@pytest.mark.parametrize(
    ("plan", "replies", "error"),
    [
        (SINGLE, [say("I cannot.")], "refusal"),
        (SINGLE, [EMPTY], "refusal"),
        (SINGLE, [ChatReply(format_errors=(EMPTY_REPLY,))], "refusal"),
        (CLARIFY, [say("which?"), say("which one, again?")], "refusal"),
        (SINGLE, [call(FORECAST)], "wrong_name"),
        (MIXED, [call(DETAIL)], "wrong_name"),
        (MIXED, [call(PORTO, DETAIL)], "wrong_name"),
        (MIXED, [call(PORTO, with_(DETAIL, concert_id="OPO-1"))], "wrong_name"),
        (CLARIFY, [call(HOTEL)], "wrong_name"),
        (CLARIFY, [call(AIR)], "wrong_name"),
        (CHAT, [call(AIR)], "wrong_refusal"),
        (CHAT, [raw("nothing", {})], "wrong_refusal"),
        (SINGLE, [call(AIR), call(AIR)], "redundant_call"),
        (SINGLE, [call(AIR), call(FORECAST)], "redundant_call"),
        (SINGLE, [call(AIR, AIR)], "redundant_call"),
        (MIXED, [call(PORTO), call(PORTO)], "redundant_call"),
        (CLARIFY, [say("which?"), call(HOTEL), call(HOTEL)], "redundant_call"),
        (SINGLE, [raw("nothing", {})], "call_error"),
        (SINGLE, [raw("air_quality", '{"city": "Por')], "call_error"),
        (SINGLE, [raw("air_quality", ["Porto"])], "call_error"),
        (SINGLE, [call(with_(AIR, town="Porto"))], "call_error"),
        (SINGLE, [call(with_(AIR, city=None))], "call_error"),
        (SINGLE, [UNREADABLE], "call_error"),
        (CHAT, [EMPTY], "call_error"),
        (CLARIFY, [EMPTY], "call_error"),
        (CHAIN, [call(PORTO), say("Done.")], "early_termination"),
        (SINGLE, [call(with_(AIR, city=7))], "param_type"),
        (CLARIFY, [say("which?"), call(with_(HOTEL, nights="two"))], "param_type"),
        (CLARIFY, [say("which?"), call(with_(HOTEL, board="vegan"))], "param_type"),
        (SINGLE, [call(with_(AIR, city="Lisbon"))], "param_hallucination"),
        (CLARIFY, [say("which?"), call(with_(HOTEL, nights=41))], "param_hallucination"),
        (PARALLEL, [call(AIR, with_(FORECAST, days=41))], "param_hallucination"),
        (CLARIFY, [say("which?"), call(with_(HOTEL, hotel="Book me a room"))], "param_value"),
        (CLARIFY, [say("which?"), call(with_(HOTEL, nights=3))], "param_value"),
        (CLARIFY, [say("which?"), call(with_(HOTEL, board="full"))], "param_value"),
        (PARALLEL, [call(with_(FORECAST, days=None)), say()], "param_value"),
        (PARALLEL, [call(with_(FORECAST, days=None), ("nothing", {}))], "call_error"),
        (PARALLEL, [call(with_(FORECAST, days=None), PORTO)], "wrong_name"),
    ],
)
def test_the_first_error_decides(plan: Plan, replies: list[ChatReply], error: str) -> None:
    """Each way to fail has its class; of several faults in one step, the class that stands first counts."""
    dialogue = session(plan)

    verdict = judge_task(dialogue, 0, rolled_out(Scripted(replies), dialogue), BY_NAME, leniency=STRICT)

    assert (verdict.right, verdict.error) == (False, error)
    assert verdict.why


@pytest.mark.parametrize(
    ("plan", "replies", "optimal"),
    [
        (SINGLE, [call(AIR), say()], True),
        (SINGLE, [call(AIR), EMPTY], True),
        (MIXED, [call(FORECAST, PORTO), call(DETAIL), say()], True),
        (MIXED, [call(PORTO), call(DETAIL, FORECAST), say()], True),
        (MIXED, [call(PORTO), call(DETAIL), call(FORECAST), say()], False),
        (CLARIFY, [say("which?"), call(HOTEL), say()], True),
        (CHAT, [say("I do.")], True),
    ],
)
def test_right_answers(plan: Plan, replies: list[ChatReply], optimal: bool) -> None:
    """Any legal order is right; only the shortest is optimal."""
    dialogue = session(plan)

    verdict = judge_task(dialogue, 0, rolled_out(Scripted(replies), dialogue), BY_NAME, leniency=STRICT)

    assert (verdict.right, verdict.error, verdict.orchestration.optimal) == (True, None, optimal)


def test_values_from_earlier_results_are_not_invented() -> None:
    """A wrong value that a result of an earlier task holds was taken from somewhere."""
    dialogue = session(Plan("single", "Concerts?", gold(PORTO, result={"near": "Braga"})), SINGLE)
    model = Scripted([call(PORTO), say(), call(with_(AIR, city="Braga"))])

    verdict = judge_task(dialogue, 1, rolled_out(model, dialogue), BY_NAME, leniency=STRICT)

    assert verdict.error == "param_value"


@pytest.mark.parametrize(("today", "held"), [("2025-03-10", ["2025-03-11"]), ("2025-06-29", ["2025-06-30"]), ("", [])])
def test_a_day_is_read_by_the_day_of_the_dialogue(today: str, held: list[str]) -> None:
    """`Tomorrow` says the date of the day after, and none where nobody knows what day it is."""
    shown = Shown(lambda: ["I fly tomorrow."], today)

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


def test_one_transcript_is_scored_both_ways() -> None:
    """What strict matching takes for wrong, lenient matching may take for right, from the same transcript."""
    dialogue = session(SINGLE)
    transcript = rolled_out(Scripted([call(with_(AIR, city="porto")), say()]), dialogue)

    strict, lenient = (rows_of([dialogue], [transcript], match=match) for match in ("strict", "lenient"))

    assert (values(strict, "task_acc"), values(lenient, "task_acc")) == ({"": 0.0}, {"": 1.0})
    assert "match:strict(schema)" in strict[0].signature
    assert "match:lenient(" in lenient[0].signature


def balanced() -> list[Dialogue]:
    """Return four sessions in which every kind stands once at every position."""
    kinds = (SINGLE, MIXED, CLARIFY, CHAT)
    return [session(*kinds[turn:], *kinds[:turn], id_=f"s{turn}") for turn in range(4)]


def random_transcripts(dialogues: Sequence[Dialogue], seed: int) -> list[Transcript]:
    """Return transcripts of a model that is right by chance."""
    chance = Random(seed)
    return [builtin(chance.choice(["builtin/oracle", "builtin/abstain", "builtin/eager"]), one) for one in dialogues]


@pytest.mark.parametrize("seed", range(6))
def test_the_identities_hold(seed: int) -> None:
    """Mean of kinds = mean of positions = task accuracy; no session accuracy above that of a position."""
    dialogues = balanced()
    rows = rows_of(dialogues, random_transcripts(dialogues, seed))

    whole, session_acc = values(rows, "task_acc")[""], values(rows, "session_acc")[""]
    by_position = values(rows, "task_acc", "position")
    assert whole is not None
    assert session_acc is not None
    assert fmean(value or 0 for value in values(rows, "task_acc", "kind").values()) == pytest.approx(whole)
    assert fmean(value or 0 for value in by_position.values()) == pytest.approx(whole)
    assert all(session_acc <= (value or 0) for value in by_position.values())
    shares = [value for value in values(rows, "error_share", "error").values() if value is not None]
    assert not shares or sum(shares) == pytest.approx(1)


def test_every_class_has_its_row_in_order() -> None:
    """Error shares are of failed tasks, in the order of the classes; None where none failed."""
    dialogue = session(CHAT, SINGLE, SINGLE)
    rows = rows_of([dialogue], [rolled_out(Scripted([call(AIR), say("no"), call(AIR), say()]), dialogue)])
    perfect = rows_of([dialogue], [builtin("builtin/oracle", dialogue)])

    assert list(values(rows, "error_share", "error")) == list(ERRORS)
    assert {error: share for error, share in values(rows, "error_share", "error").items() if share} == {
        "refusal": 0.5, "wrong_refusal": 0.5,
    }  # fmt: skip
    assert set(values(perfect, "error_share", "error").values()) == {None}


def test_path_rates_have_their_denominators() -> None:
    """OP is over P and S+P tasks; AP is over the gold calls of S and S+P tasks, without closing actions."""
    dialogue = session(PARALLEL, CHAIN, MIXED, SINGLE)
    model = Scripted(
        [call(AIR), call(FORECAST), say(), call(PORTO), say(), call(FORECAST), call(PORTO), call(PORTO), say("no")]
    )

    rows = rows_of([dialogue], [rolled_out(model, dialogue)])

    assert values(rows, "op_rate") == {"": 0.0}
    assert values(rows, "ap_rate")[""] == pytest.approx(3 / 5)
    assert values(rows, "ap_rate", "topology") == {"S": 0.5, "S+P": pytest.approx(2 / 3)}
    assert values(rows, "task_acc", "topology") == {"P": 1.0, "S": 0.0, "S+P": 0.0}
    assert values(rows, "op_rate", "topology") == {"P": 0.0, "S+P": 0.0}


def test_slices() -> None:
    """Tasks are sliced by hiding, changes of kind, the previous task's kind, and what the model did in it."""
    dialogue = session(SINGLE, PARALLEL, CHAIN, CHAT)
    model = Scripted([say("no"), call(AIR, FORECAST), say(), call(PORTO), call(DETAIL), say(), say()])

    rows = rows_of([dialogue], [rolled_out(model, dialogue)])

    assert values(rows, "task_acc", "hiding") == {"coreference": 1.0, "none": 0.5, "partial": 1.0}
    assert values(rows, "task_acc", "position") == {"1": 0.0, "2": 1.0, "3": 1.0, "4": 1.0}
    assert values(rows, "task_acc", "transitions") == {"2": 0.75}
    assert values(rows, "session_acc", "transitions") == {"2": 0.0}
    assert values(rows, "task_acc", "previous_kind") == {"first": 0.0, "multi": 1.0, "single": 1.0}
    assert values(rows, "task_acc", "previous_own") == {"call": 1.0, "first": 0.0, "parallel": 1.0, "words": 1.0}


def test_oracles() -> None:
    """The oracle is right everywhere and optimal; one that makes a call a step is right and never optimal."""
    dialogues = balanced()
    both = [
        rows_of(dialogues, [builtin(name, one) for one in dialogues])
        for name in ("builtin/oracle", "builtin/oracle-sequential")
    ]

    for rows in both:
        assert [values(rows, metric)[""] for metric in ("task_acc", "session_acc", "ap_rate")] == [1.0] * 3
    assert [values(rows, "op_rate")[""] for rows in both] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("name", "kinds", "errors"),
    [
        ("builtin/abstain", {"chat"}, {"refusal"}),
        ("builtin/eager", {"single"}, {"wrong_name", "wrong_refusal", "param_value", "call_error"}),
    ],
)
def test_baselines_fail_as_they_are_built(name: str, kinds: set[str], errors: set[str]) -> None:
    """One that never calls refuses; one that always calls errs in chats, and where it must ask."""
    dialogues = balanced()

    rows = rows_of(dialogues, [builtin(name, one) for one in dialogues])

    assert {kind for kind, value in values(rows, "task_acc", "kind").items() if value} == kinds
    assert {error for error, share in values(rows, "error_share", "error").items() if share} <= errors


def test_trials_of_one_session_are_drawn_together() -> None:
    """Two trials are two sessions and one dialogue."""
    dialogue = session(SINGLE, CHAT)
    first, second = builtin("builtin/oracle", dialogue), builtin("builtin/abstain", dialogue)

    rows = rows_of([dialogue], [first, second])

    assert values(rows, "session_acc") == {"": 0.5}
    assert rows[0].n == 1


def test_transcripts_of_other_data_are_refused() -> None:
    """A transcript whose dialogue is not among the data is named."""
    dialogue = session(CHAT)

    with pytest.raises(BadInput, match="not among the data"):
        rows_of([], [builtin("builtin/oracle", dialogue)])


def test_lenient_forgives_missing_optional_arguments() -> None:
    """A missing optional gold argument is an error in strict matching, and free in lenient."""
    dialogue = session(PARALLEL)
    transcript = rolled_out(Scripted([call(AIR, with_(FORECAST, days=None)), say()]), dialogue)

    assert [
        judge_task(dialogue, 0, transcript, BY_NAME, leniency=leniency).right for leniency in (STRICT, LENIENT)
    ] == [False, True]


def test_arguments_nested_in_text_are_read_and_noted() -> None:
    """Arguments that the reader found inside JSON text are right where their content is."""
    dialogue = session(SINGLE)
    reply = ChatReply(
        calls=(Call("air_quality", JsonText('{"city":"Porto"}')),), format_errors=("arguments: encoded twice",)
    )

    transcript = rolled_out(Scripted([reply, say()]), dialogue)

    assert judge_task(dialogue, 0, transcript, BY_NAME, leniency=STRICT).right
    assert transcript.format_errors == ("arguments: encoded twice",)
