"""What is read of native replies, and what they lack, whatever the paper."""

from __future__ import annotations

import pytest

from callwright.author.native_turn import (
    NO_REASONING,
    before_refusal,
    day_told,
    is_thinking_aloud,
    read_turn,
    system_message,
    thought_faults,
    wordless,
)
from callwright.author.online_voice import repair
from callwright.errors import BadRecord
from callwright.models.chat import EMPTY_REPLY, ChatReply, ChatRequest, Message
from callwright.models.completion import CUT_OFF, OLD_FIELD, WRITTEN_AS_TEXT
from callwright.records.dialogue import Call
from callwright.records.jsontext import EMPTY_OBJECT

CALLS = (Call("look_up", EMPTY_OBJECT), Call("book", EMPTY_OBJECT))


def test_thought_words_and_all_calls_are_read() -> None:
    """In their order, without blanks around the texts."""
    assert read_turn(ChatReply(" Sure. ", "Two of them.\n", CALLS)) == ("Two of them.", "Sure.", CALLS)


@pytest.mark.parametrize("error", [EMPTY_REPLY, WRITTEN_AS_TEXT, OLD_FIELD])
def test_an_error_of_form_that_loses_nothing_is_no_fault(error: str) -> None:
    """What was read is complete."""
    assert read_turn(ChatReply(thought="Hm.", format_errors=(error,))).thought == "Hm."


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (ChatReply("Which", "Let me see.", format_errors=(CUT_OFF,)), "cut off"),
        (ChatReply("x" * 5_000, "Let me see."), "a text of 5,000 characters"),
        (ChatReply("Sure.", "x" * 20_001), "a reasoning of 20,001"),
    ],
)
def test_a_reply_that_is_cut_or_too_long_is_refused(reply: ChatReply, told: str) -> None:
    """With what is wrong."""
    with pytest.raises(BadRecord, match=told):
        read_turn(reply)


@pytest.mark.parametrize(
    ("thought", "text", "is_aloud"),
    [
        ("Several tools fit here well.", "Several tools fit here well. Which room is it?", True),
        ("Two are open.", "Good morning. Two are open: the first since February.", False),
        ("Several tools fit. I ask: Which room is it?", "Several tools fit. Which room is it?", False),
        ("Which room in the house is it?", "Several tools fit. Which room in the house is it?", True),
        ("Two are open. I list both.", "Two are open. I list both. The first is of February.", True),
        ("Moved.", "Moved: it is on Monday now.", False),
        ("It moved.", "It moved!", True),
        ("", "Sure.", False),
        ("", "", False),
    ],
)
def test_a_draft_of_the_words_is_no_thought_said_aloud(thought: str, text: str, is_aloud: bool) -> None:
    """A reasoning may hold what is said, and more; a few words that open the text are none."""
    assert is_thinking_aloud(thought, text) is is_aloud
    codes = [one.code for one in thought_faults(thought, text, thoughts=False)]
    assert codes == ["thought_is_public"] * is_aloud


def test_what_is_missing_is_a_lack() -> None:
    """So that it is asked for only once more; a thought is due only where thoughts are."""
    (fault,) = thought_faults("", "Sure.", thoughts=True)
    assert (fault.code, fault.is_lack, fault.rejects) == (NO_REASONING, True, True)
    assert list(thought_faults("", "Sure.", thoughts=False)) == []
    assert wordless("say something").is_lack


def test_both_parts_of_a_prompt_are_one_system_message() -> None:
    """The second is left out where it is empty."""
    source = "Work.\n---\n{% if today %}Today is {{ today }}.{% endif %}"
    told = [system_message(source, {"today": day_told(day)}, where="x") for day in ("2026-05-24", "")]
    assert told == [Message("system", "Work.\n\nToday is 2026-05-24, a Sunday."), Message("system", "Work.")]


def test_refused_replies_are_left_out_of_a_talk() -> None:
    """With all that follows them; a talk without any is whole."""
    talk = (Message("user", "Hi."), Message("assistant", "Yes?"), Message("user", "A room."))
    again = repair(ChatRequest(talk), ChatReply("Hm."), "it is too short")
    assert tuple(before_refusal(again.messages)) == talk == tuple(before_refusal(talk))
