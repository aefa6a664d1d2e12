"""`builtin/author` as the assistant that calls natively: it does what it does with objects."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from observatory_sessions import CATALOG

from callwright.author.online_voice import repair
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.registry import read_prompts
from callwright.papers.wild.move_ways import NATIVE
from callwright.papers.wild.scripted_native_moves import native_reply
from callwright.records.dialogue import Call, Dialogue, Participant, Provenance, Result, Step, Turn
from callwright.records.jsontext import encode

PROVENANCE = Provenance(author="openai/a", callwright="0", seed=0, catalog=CATALOG.digest)
REQUEST = 'Please get a slot with the slot ID "TS-118"; then give up a slot with the resulting slot ID.'
GOT = Step(
    "", "call", (Call("get_slot", encode({"slot_id": "TS-118"}), id="call_1"),),
    (Result("call_1", encode({"slot_id": "TS-118", "state": "booked"})),),
)  # fmt: skip


def asked(*turns: Turn) -> ChatRequest:
    """What the assistant is asked after these turns."""
    people = (Participant("user", "user"), Participant("assistant", "assistant"))
    dialogue = Dialogue(
        id="x", recipe="wild.v1", participants=people, turns=turns, tools=(), provenance=PROVENANCE, today="2026-03-02"
    )  # fmt: skip
    return NATIVE.request(read_prompts(), dialogue, CATALOG.tools)


def replied(*turns: Turn) -> ChatReply:
    """What it replies."""
    reply = native_reply(asked(*turns))
    assert reply is not None
    return reply


def called(reply: ChatReply) -> Sequence[tuple[str, object]]:
    return [(one.tool, one.values) for one in reply.calls]


def test_a_chain_waits_for_its_result() -> None:
    """Calls and results are read from the messages; then it closes, with a thought each time."""
    user = Turn("user", REQUEST)
    first = replied(user)
    assert called(first) == [("get_slot", {"slot_id": "TS-118"})]
    second = replied(user, Turn("assistant", steps=(GOT,)))
    assert called(second) == [("release_slot", {"slot_id": "TS-118"})]
    released = Step(
        "", "call", (Call("release_slot", encode({"slot_id": "TS-118"}), id="call_2"),),
        (Result("call_2", encode("released")),),
    )  # fmt: skip
    last = replied(user, Turn("assistant", steps=(GOT, released)))
    assert (last.calls, last.content.startswith("That is done: ")) == ((), True)
    assert all((first.thought, second.thought, last.thought))


def test_it_does_not_hear_why_a_reply_was_refused() -> None:
    """The reply is the same again."""
    request = asked(Turn("user", REQUEST))
    first = native_reply(request)
    assert first is not None
    assert native_reply(repair(request, first, "it is too short")) == first


def test_other_system_messages_are_not_answered() -> None:
    """They are another paper's, or a model's under test."""
    request = asked(Turn("user", REQUEST))
    assert native_reply(msgspec.structs.replace(request, messages=request.messages[1:])) is None
