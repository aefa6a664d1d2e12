"""The assistant of models that calls natively: its thought is its reasoning, and its only choice is its call."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from native_talks import CALL, TALK, Played, native, played

from callwright.errors import BadRecord, RolloutFailed
from callwright.models.chat import EMPTY_REPLY, ChatReply
from callwright.models.completion import CUT_OFF, WRITTEN_AS_TEXT
from callwright.papers.diaforge.assistant_native import read_native
from callwright.papers.diaforge.diaforge_recipe import REASONS
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import Call
from callwright.records.jsontext import EMPTY_OBJECT
from room_talks import CATALOG, CLEAN, VALUES


def reasons(talk: Played) -> list[str]:
    """Why the dialogue is rejected."""
    return [issue.code for issue in talk.made.issues]


def test_a_clean_dialogue_is_kept() -> None:
    """With what was said, thought and called; no message is dropped, and nothing is asked twice."""
    talk = played(TALK)
    assert talk.made.issues == ()
    turns = talk.made.dialogue.turns
    assert [turn.text for turn in turns[1::2]] == [reply.content for reply in TALK]
    assert [turn.thought for turn in turns[1::2]] == [reply.thought for reply in TALK]
    assert turns[-1].calls == (Call("book_room", CALL.calls[0].arguments, id="call_1"),)
    notes = talk.made.dialogue.annotation
    assert isinstance(notes, DiaforgeNotes)
    assert (notes.selection_turns, notes.filling_turns) == (1, 2)


def test_the_pool_goes_as_tools_and_the_talk_as_messages() -> None:
    """Neither a schema nor a choice is asked for, and no thought is sent again."""
    last = played(TALK).assistant.requests[-1]
    assert {tool.name for tool in last.tools} == {tool.name for tool in CATALOG.tools}
    assert last.reply_schema is None
    said = [text for pair in zip(CLEAN["user"], [reply.content for reply in TALK], strict=True) for text in pair]
    assert [message.content for message in last.messages[1:]] == said[:-1]
    assert [message.role for message in last.messages] == ["system", *["user", "assistant"] * 3, "user"]
    assert "Today is 20" in last.messages[0].content
    assert "suppose" not in json.dumps([message.content for message in last.messages])


def test_the_phase_of_the_user_is_heard_in_the_words() -> None:
    """Its prompt tells of the second phase once the assistant asks for what only the right tool takes."""
    told = [request.messages[1].content for request in played(TALK).user.requests]
    assert ["The assistant knows now" in text for text in told] == [False, False, True, True]


LACKS = {
    "no_reasoning": native("Do you want to get a room, or give one up?", ""),
    "no_words": ChatReply("", "Several tools fit.", format_errors=(EMPTY_REPLY,)),
}


@pytest.mark.parametrize("code", LACKS)
def test_what_is_missing_is_asked_for_once_more(code: str) -> None:
    """With the reason; then the dialogue goes on."""
    talk = played([LACKS[code], *TALK])
    assert talk.made.issues == ()
    assert talk.assistant.requests[1].messages[-1].content.startswith("That cannot be used: your reply ")


@pytest.mark.parametrize("code", LACKS)
def test_what_is_missing_again_rejects_with_a_reason_of_its_own(code: str) -> None:
    """After two replies, and the funnel knows the reason."""
    talk = played([LACKS[code]] * 2)
    assert reasons(talk) == [code]
    assert len(talk.assistant.asked) == 2
    assert code in REASONS


def test_a_call_without_words_lacks_them() -> None:
    """The commonest native reply: it is told what it called, in words."""
    talk = played([*TALK[:3], native("", "It is book_room.", **VALUES), CALL])
    assert talk.made.issues == ()
    refused, told = talk.assistant.requests[-1].messages[-2:]
    assert (refused.content, refused.calls) == ("(nothing)", ())
    assert 'You called book_room {"cost_code":"CC-4417",' in told.content


def test_no_thought_is_needed_in_the_ablation_without() -> None:
    """And none is kept."""
    talk = played([native(TALK[0].content, ""), *TALK[1:]], no_thoughts=True)
    assert talk.made.issues == ()
    assert not any(turn.thought for turn in talk.made.dialogue.turns)
    assert "Think before every reply" not in talk.assistant.requests[0].messages[0].content


@pytest.mark.parametrize("words", ["Done.", ""])
def test_a_call_of_another_tool_rejects_at_once(words: str) -> None:
    """Nothing is asked again (appendix A.1), not even for words."""
    other = ChatReply(words, "It is release_room.", (Call("release_room", '{"room":"Blue"}'),))
    talk = played([TALK[0], other])
    assert reasons(talk) == ["wrong_tool_selected"]
    assert len(talk.assistant.asked) == 2


def test_a_call_of_the_right_tool_ends_the_dialogue_where_it_is_right() -> None:
    """No message is dropped: the call is what it did."""
    talk = played([TALK[1], TALK[2], native("One moment.", "It is book_room."), CALL])
    assert talk.made.issues == ()
    assert talk.made.dialogue.turns[-1].calls


def test_an_early_call_of_the_right_tool_is_asked_again() -> None:
    """At most twice, as schema and history show it; then it rejects."""
    early = native("I am booking it.", "It is book_room.", room="Blue")
    assert played([*TALK[:1], early, *TALK[1:]]).made.issues == ()
    talk = played([*TALK[:1], early, early, early])
    assert reasons(talk) == ["argument_missing"]
    assert len(talk.assistant.asked) == 4
    assert "people" in talk.assistant.requests[-1].messages[-1].content


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (native("I need the cost_code."), "identifier_leaked"),
        (native("Shall I charge CC-1234?"), "value_not_gold"),
        (native("Several of the tools fit."), "thought_is_public"),
        (ChatReply("Sure.", "It is fly_to_moon.", (Call("fly_to_moon", EMPTY_OBJECT),)), "unknown_tool"),
        (native("Sure.", "It must be release_room.", **VALUES), "thought_and_act_differ"),
    ],
)
def test_the_rules_on_words_and_acts_hold(bad: ChatReply, code: str) -> None:
    """Asked again, with the reason; rejected where the fault stays."""
    assert played([bad, *TALK]).made.issues == ()
    assert reasons(played([bad] * 3)) == [code]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (ChatReply("Which", "Let me see.", format_errors=(CUT_OFF,)), "cut off"),
        (ChatReply("Sure.", "Both.", (Call("book_room", EMPTY_OBJECT), Call("book_room", EMPTY_OBJECT))), "2 calls"),
        (ChatReply("x" * 5_000, "Let me see."), "5,000 characters"),
    ],
)
def test_a_reply_of_another_form_is_refused(reply: ChatReply, told: str) -> None:
    """Where it stays so, the rollout fails: its replies can be asked for anew."""
    with pytest.raises(BadRecord, match=told):
        read_native(reply)
    with pytest.raises(RolloutFailed, match=told):
        played([reply] * 3)


def test_a_call_that_was_written_as_text_is_read() -> None:
    """Some servers leave it there."""
    reply = ChatReply(CALL.content, CALL.thought, CALL.calls, format_errors=(WRITTEN_AS_TEXT,))
    assert played([*TALK[:3], reply]).made.issues == ()


IMPATIENT = native("I am booking it.", "It is book_room.", room="Blue")
REFUSED = [
    native(TALK[0].content, ""),
    TALK[0],
    native("I need your cost_code."),
    IMPATIENT,
    *TALK[1:3],
    native("", "It is book_room.", **VALUES),
    CALL,
]
"""Four of its replies are refused."""


@pytest.mark.parametrize(
    ("gold", "values", "least"),
    [
        ("release_room", {"room": "Blue"}, 4),
        ("clean_room", {"room": "Red"}, 4),
        ("book_room", VALUES | {"cost_code": "CC-8888"}, 6),
        ("book_room", VALUES | {"room": "Red", "people": 3}, 7),
    ],
)
def test_another_gold_call_changes_nothing_that_the_assistant_is_sent(
    gold: str, values: dict[str, Any], least: int
) -> None:
    """Byte by byte, retries and seeds included, as long as its dialogue lasts."""
    whole = played(REFUSED)
    assert whole.made.issues == ()
    assert len(whole.assistant.asked) == len(REFUSED)
    other = played(_longer(REFUSED), gold, values)
    assert other.made.issues
    assert len(other.assistant.asked) >= least
    assert other.assistant.asked[: len(REFUSED)] == whole.assistant.asked[: len(other.assistant.asked)]


def _longer(replies: Sequence[ChatReply]) -> list[ChatReply]:
    return [*replies, *[CALL] * 2]
