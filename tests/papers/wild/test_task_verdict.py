"""Verdicts on tasks of the wild protocol: right answers, and the class of the first error."""

from __future__ import annotations

from typing import Any

import pytest

from callwright.match.leniency import LENIENT, STRICT
from callwright.models.chat import EMPTY_REPLY, ChatReply
from callwright.papers.wild.task_verdict import judge_task
from callwright.records.dialogue import Call
from callwright.records.jsontext import JsonText, encode
from hand_sessions import (
    AIR,
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
    call,
    gold,
    rolled_out,
    say,
    session,
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
