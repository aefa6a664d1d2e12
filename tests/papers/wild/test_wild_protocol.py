"""The wild protocol: what the model is shown, how long a task lasts, and which data is refused."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import msgspec
import pytest

from callwright.errors import BadInput
from callwright.models.chat import ChatReply
from callwright.papers.wild.wild_protocol import PROTOCOL
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Call, Dialogue, Result, Turn
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
    Plan,
    Scripted,
    call,
    gold,
    rolled_out,
    say,
    session,
)


def roles(model: Scripted, reply: int) -> list[str]:
    """Return the roles of the messages before a reply, without the system's."""
    return [message.role for message in model.shown[reply].messages[1:]]


def test_earlier_tasks_come_from_the_gold_trajectory() -> None:
    """Before the second task stand the gold calls, results and words of the first, whatever the model did there."""
    model = Scripted([say("no idea"), call(FORECAST, AIR), say()])

    rolled_out(model, session(SINGLE, PARALLEL))

    last = model.shown[1].messages
    assert roles(model, 1) == ["user", "assistant", "tool", "assistant", "user"]
    assert last[2].calls[0].tool == "air_quality"
    assert (last[3].content, last[3].call_id) == ('{"ok":"air_quality"}', "c0")
    assert last[0].content.endswith("Today is 2025-03-10.")


def test_legal_steps_get_the_gold_results() -> None:
    """Each call of a legal step is answered with the result of the gold call it is, in whatever order it was made."""
    model = Scripted([call(FORECAST, PORTO), call(DETAIL), say("there")])

    transcript = rolled_out(model, session(MIXED))

    assert roles(model, 2) == ["user", "assistant", "tool", "tool", "assistant", "tool"]
    steps = transcript.turns[1].steps
    assert [result.value for result in steps[0].results] == ['{"ok":"forecast"}', '{"shows":[{"id":"OPO-77"}]}']
    assert transcript.turns[1].text == "there"


def test_a_wrong_step_ends_the_task() -> None:
    """Nothing is asked after an illegal step, and it gets no results; the next task is tried all the same."""
    model = Scripted([call(DETAIL), say()])

    transcript = rolled_out(model, session(MIXED, CHAT))

    assert transcript.turns[1].steps[0].results == ()
    assert [part.turn for part in transcript.tasks or ()] == [0, 2]
    assert transcript.turns[2].text == CHAT.ask


def test_what_a_question_gets() -> None:
    """After a question the user gives what was missing, and the call is due."""
    model = Scripted([say("which one?"), call(HOTEL), say()])

    transcript = rolled_out(model, session(CLARIFY))

    assert [turn.text for turn in transcript.turns] == [
        CLARIFY.ask, "which one?", CLARIFY.answer, "Here you are.",
    ]  # fmt: skip
    assert roles(model, 1) == ["user", "assistant", "user"]


@pytest.mark.parametrize("reply", [call(HOTEL), say(""), say("  ")])
def test_no_question_no_answer(reply: ChatReply) -> None:
    """A call where a value is missing ends the task, and so does a reply without words."""
    model = Scripted([reply])

    transcript = rolled_out(model, session(CLARIFY))

    assert len(transcript.turns) == 2


def test_words_before_all_is_done_end_the_task() -> None:
    """A model that reports too early is not asked again."""
    model = Scripted([call(PORTO), say("done")])

    assert rolled_out(model, session(CHAIN)).turns[1].text == "done"


def test_a_model_that_loops_is_stopped() -> None:
    """A call repeated for ever is made twice: the second time is the first error."""
    model = Scripted([call(AIR)] * 50)

    rolled_out(model, session(SINGLE))

    assert len(model.shown) == 2


def test_five_hundred_calls_at_once() -> None:
    """They stay in the transcript and end the task."""
    model = Scripted([call(*[AIR] * 500)])

    transcript = rolled_out(model, session(SINGLE))

    assert len(transcript.turns[1].calls) == 500


def test_what_a_lenient_matcher_forgives_goes_on() -> None:
    """A step that only a lenient matcher takes for right gets its results, so that a run can be scored both ways."""
    model = Scripted([call(("air_quality", {"city": "porto"})), say()])

    transcript = rolled_out(model, session(SINGLE))

    assert transcript.turns[1].steps[0].results
    assert transcript.turns[1].text


def test_a_call_gets_the_result_of_the_gold_call_it_equals() -> None:
    """Where a call would pass for two gold calls, the one it equals answers it."""
    words = "Please bring the {} tent to the lake on Friday"
    blue, red = (("send_message", {"message": words.format(colour)}) for colour in ("blue", "red"))
    model = Scripted([call(red), call(blue), say()])

    rolled_out(model, session(Plan("multi", "Tell them.", gold(blue, result="blue"), gold(red, result="red"))))

    assert [message.content for message in model.shown[2].messages if message.role == "tool"] == ["red", "blue"]


def test_errors_are_shown_as_such() -> None:
    """A gold result that is an error is an object with the error."""
    failing = msgspec.structs.replace(gold(AIR), result=Result(error="timed out"))
    again = msgspec.structs.replace(gold(AIR), after=(0,))
    model = Scripted([call(AIR), call(AIR), say()])

    rolled_out(model, session(Plan("single", "Air?", failing, again)))

    assert [message.content for message in model.shown[2].messages if message.role == "tool"] == [
        '{"error":"timed out"}', '{"ok":"air_quality"}',
    ]  # fmt: skip


def test_format_errors_are_kept() -> None:
    """What was malformed in replies is in the transcript, and that of the last reply of a task with the task."""
    cut = Call("air_quality", encode('{"city": "Por'))
    model = Scripted([ChatReply(calls=(cut,), format_errors=("arguments: not an object",)), say()])

    transcript = rolled_out(model, session(SINGLE, CHAT))

    assert transcript.format_errors == ("arguments: not an object",)
    assert [part.malformed for part in transcript.tasks or ()] == [("arguments: not an object",), ()]


def test_most_replies_are_never_exceeded() -> None:
    """The bound counts a reply for each gold call and one for each stage, and the oracle needs no more."""
    dialogue = session(SINGLE, MIXED, CLARIFY, CHAT)
    multi = [call(PORTO), call(FORECAST), call(DETAIL), say()]
    model = Scripted([call(AIR), say(), *multi, say("?"), call(HOTEL), say(), say()])

    rolled_out(model, dialogue)

    assert len(model.shown) == PROTOCOL.most_replies(dialogue, PROTOCOL.options()) == 10


def test_transcripts_come_back_from_their_lines() -> None:
    """Where each task begins is written, and only in transcripts that have tasks."""
    transcript = rolled_out(Scripted([say(), say()]), session(CHAT, CHAT))
    plain = Transcript(dialogue="d", protocol="p.v1", model="m", turns=(Turn("user", "hi"),), ended="script")

    assert from_line(to_line(transcript), Transcript, where="t") == transcript
    assert b"tasks" not in to_line(plain)
    assert from_line(to_line(plain), Transcript, where="t") == plain


def broken(**changes: Any) -> Dialogue:
    """Return a session of one mixed task with some fields of it changed."""
    dialogue = session(MIXED)
    task = msgspec.structs.replace(dialogue.tasks[0], **changes)
    return msgspec.structs.replace(dialogue, tasks=(task,))


@pytest.mark.parametrize(("inferred", "refused"), [(False, True), (True, False)])
def test_results_keep_to_documented_schemas(inferred: bool, refused: bool) -> None:
    """A gold result that breaks what a tool documents is refused; a schema that was only inferred binds nobody."""
    returns = encode({"type": "object", "required": ["aqi"]})
    air = msgspec.structs.replace(BY_NAME["air_quality"], returns=returns, returns_inferred=inferred)
    tools = tuple((BY_NAME | {"air_quality": air}).values())

    with pytest.raises(BadInput, match="does not fit the returns of 'air_quality'") if refused else nullcontext():
        PROTOCOL.check(session(SINGLE), tools, PROTOCOL.options())


@pytest.mark.parametrize(
    ("dialogue", "message"),
    [
        (session(), "it has no tasks"),
        (broken(turn=None), "its turn is not there"),
        (broken(turn=9), "its turn is not there"),
        (broken(turn=1), "is no user's"),
        (broken(gold=(gold(("nothing", {})),)), "not among its tools"),
        (broken(gold=(gold(PORTO, [1]), gold(DETAIL, [0]))), "0 → 1 → 0"),
        (broken(gold=(gold(PORTO, [5]),)), "names call 5; there are 1"),
        (broken(gold=(msgspec.structs.replace(gold(PORTO), result=None),)), "has no result"),
        (broken(kind="clarify"), "never gives the missing value"),
        (broken(kind="chat"), "a chat task has gold calls"),
        (broken(gold=()), "a multi task lacks gold calls"),
        (broken(gold=(msgspec.structs.replace(gold(PORTO), result=Result(value=JsonText("{"))),)), "not canonical"),
    ],
)
def test_data_that_cannot_be_rolled_out_is_refused(dialogue: Dialogue, message: str) -> None:
    """The dialogue and task are named, and what is wrong with them."""
    tools = tuple(BY_KEY[shown.key] for shown in dialogue.tools)

    with pytest.raises(BadInput, match=message) as error:
        PROTOCOL.check(dialogue, tools, PROTOCOL.options())

    assert "dialogue s" in str(error.value)
