"""The assistant of sessions that calls natively: what it is sent, and what falls for its replies."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from observatory_sessions import (
    BOOK,
    CHAIN,
    CLARIFY,
    PICK,
    SESSIONS,
    SINGLE,
    Cast,
    Script,
    Sort,
    gold,
    move,
    planned,
    propose,
)
from observatory_sessions import PLANNER as WORKSHOP

from callwright.engine.context import Context
from callwright.errors import RolloutFailed
from callwright.models.chat import EMPTY_REPLY, ChatReply, ChatRequest
from callwright.models.completion import CUT_OFF, WRITTEN_AS_TEXT
from callwright.models.conversation import encode_request
from callwright.papers.registry import read_prompts
from callwright.papers.wild.session_agents import play_native
from callwright.papers.wild.session_roles import MOST_CALLS, PROMPTS
from callwright.papers.wild.wild_recipe import REASONS
from callwright.recipe import Made
from callwright.records.dialogue import Call
from callwright.records.jsontext import encode


def native(reply: Any) -> ChatReply:
    """A move of a script as a native reply."""
    calls = (Call(one["name"], encode(one["arguments"]), id=f"x{at}") for at, one in enumerate(reply["calls"]))
    return ChatReply(reply["say"], reply["thought"], tuple(calls))


class NativeCast(Cast):
    """The same with native calls of the assistant; keeps what goes out to it, its seed included."""

    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self.sent: list[bytes] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """The next reply, which must be of the role that is asked."""
        if not request.tools:
            return await super().reply(request, rng)
        seed = {"seed": rng.random()}
        self.sent.append(encode_request("x", request, calling="native", level="json_schema", settings=seed))
        self.asked["assistant"].append(request)
        whose, said = self.left.pop(0)
        assert whose == "assistant", f"the assistant is asked, the script has {whose}"
        return said if isinstance(said, ChatReply) else native(said)


def played(sorts: Sequence[Sort], script: Script) -> tuple[Made, NativeCast]:
    """The session of a script, and who played it."""
    cast = NativeCast(script)
    ctx = Context.detached("session", models=dict.fromkeys(PROMPTS, cast))
    return asyncio.run(play_native(planned(sorts), ctx, WORKSHOP, read_prompts())), cast


BOOKED = [Sort("single", "book_telescope")]


@pytest.mark.parametrize("name", SESSIONS)
def test_a_clean_session_is_kept(name: str) -> None:
    """With the thoughts of its calls; nothing is asked twice."""
    made, cast = played(*SESSIONS[name])
    assert (made.issues, cast.left) == ((), [])
    steps = [step for turn in made.dialogue.turns for step in turn.steps]
    assert all(step.thought == "One thing is left." for step in steps if step.calls)


def test_tools_go_with_the_request_and_results_as_messages() -> None:
    """No schema is asked for, no thought is sent again, and each call of the conversation has an id of its own."""
    _, cast = played(*SESSIONS["four tasks"])
    last = cast.asked["assistant"][-1]
    assert {tool.name for tool in last.tools} == {tool.name for tool in WORKSHOP.catalog.tools}
    assert last.reply_schema is None
    roles = [message.role for message in last.messages]
    called = ["user", "assistant", "tool", "assistant"]
    assert roles == ["system", *called, *called, "user", "assistant", "user", "assistant", "user", "assistant", "tool"]
    made = [call.id for message in last.messages for call in message.calls]
    assert made == [message.call_id for message in last.messages if message.role == "tool"]
    assert made == ["call_1", "call_2", "call_3"]
    assert last.messages[0].content.endswith("Today is 2026-03-02, a Monday.")
    assert "One thing is left." not in str(last)


def test_parallel_calls_stay_together() -> None:
    """Two calls in one message, then a result for each."""
    made, cast = played(*SESSIONS["parallel"])
    assert [len(step.calls) for step in made.dialogue.turns[1].steps] == [2]
    *_, calls, first, second = cast.asked["assistant"][-1].messages
    assert [call.id for call in calls.calls] == [first.call_id, second.call_id]
    assert ["TS-118" in first.content, "TS-131" in second.content] == [True, True]


LACKS: dict[str, tuple[int, ChatReply]] = {
    "no_reasoning": (3, ChatReply("", "", (Call(BOOK[0], encode(BOOK[1])),))),
    "no_words": (5, ChatReply("", "It is booked.", format_errors=(EMPTY_REPLY,))),
}


@pytest.mark.parametrize("code", LACKS)
def test_what_is_missing_is_asked_for_once_more(code: str) -> None:
    """With the reason; then the session goes on."""
    at, bad = LACKS[code]
    made, cast = played(BOOKED, [*SINGLE[:at], ("assistant", bad), *SINGLE[at:]])
    assert (made.issues, cast.left) == ((), [])
    again = [one.messages[-1].content for one in cast.asked["assistant"] if "cannot be used" in str(one)]
    assert len(again) == 1
    assert again[0].startswith("That cannot be used: your reply ")


@pytest.mark.parametrize("code", LACKS)
def test_what_is_missing_again_rejects_with_a_reason_of_its_own(code: str) -> None:
    """After two replies of each try at the task; the funnel knows the reason."""
    at, bad = LACKS[code]
    once: Script = [*SINGLE[:at], ("assistant", bad), ("assistant", bad)]
    made, cast = played(BOOKED, [*once, *once])
    assert [issue.code for issue in made.issues] == [code]
    assert cast.left == []
    assert code in REASONS


def test_a_call_that_was_written_as_text_is_read() -> None:
    """Some servers leave it there."""
    call = (Call(BOOK[0], encode(BOOK[1])),)
    reply = ChatReply("", "It needs one call.", call, format_errors=(WRITTEN_AS_TEXT,))
    assert played(BOOKED, [*SINGLE[:3], ("assistant", reply), *SINGLE[4:]])[0].issues == ()


FAULTS: dict[str, tuple[str, Script, int, Any, str]] = {
    "a value is made up": ("single", SINGLE, 3, move("", (BOOK[0], {"day": "2026-05-01"}))[1], "value_never_said"),
    "an unknown tool": ("single", SINGLE, 3, move("", ("fly_to_moon", {}))[1], "unknown_tool"),
    "a required value is left out": ("single", SINGLE, 3, move("", ("book_telescope", {}))[1], "type_error"),
    "the same call twice": ("chain", CHAIN, 5, move("", BOOK)[1], "redundant_call"),
    "a tool's name is said": ("single", SINGLE, 5, move("book_telescope gave TS-118.")[1], "identifier_leaked"),
    "the closing has another slot": ("single", SINGLE, 5, move("Done, it is TS-119.")[1], "value_not_told"),
    "the thought is said": (
        "clarify", CLARIFY, 3, move("Which one is it?", thought="Which one is it?")[1], "thought_is_public",
    ),
}  # fmt: skip


@pytest.mark.parametrize("defect", FAULTS)
def test_the_rules_on_words_and_calls_hold(defect: str) -> None:
    """Asked again, with the reason and the call in words; the task falls where the fault stays."""
    name, script, at, bad, code = FAULTS[defect]
    made, cast = played(SESSIONS[name][0], [*script[:at], ("assistant", bad), *script[at:]])
    assert (made.issues, cast.left) == ((), [])
    told = next(one for one in cast.asked["assistant"] if "cannot be used" in one.messages[-1].content)
    assert all(f"You called {one['name']} {{" in told.messages[-1].content for one in bad["calls"])
    assert told.messages[-2].calls == ()
    once: Script = [*script[:at], *[("assistant", bad)] * 3]
    assert [issue.code for issue in played(SESSIONS[name][0], [*once, *once])[0].issues] == [code]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (ChatReply("Which", "Let me see.", format_errors=(CUT_OFF,)), "cut off"),
        (ChatReply("", "All.", (Call("get_slot", encode({"slot_id": "TS-1"})),) * (MOST_CALLS + 1)), "9 calls"),
        (ChatReply("x" * 5_000, "Let me see."), "5,000 characters"),
    ],
)
def test_a_reply_of_another_form_is_refused(reply: ChatReply, told: str) -> None:
    """Where it stays so, the rollout fails: its replies can be asked for anew."""
    with pytest.raises(RolloutFailed, match=told):
        played(BOOKED, [*SINGLE[:3], *[("assistant", reply)] * 3])


REFUSED: Script = [
    ("assistant", ChatReply("", "", (Call(BOOK[0], encode(BOOK[1])),))),
    move("", (BOOK[0], {"day": "2026-04-01"})),
]
"""Two replies of the assistant that are refused, one for its missing thought."""


@pytest.mark.parametrize(
    "annotated",
    [
        gold(("get_slot", {"slot_id": "2026-03-04"}, [])),
        gold(("release_slot", {"slot_id": "2026-03-04"}, [])),
        gold((BOOK[0], {**BOOK[1], "target": "telescope"}, [])),
    ],
)
def test_another_gold_call_changes_nothing_that_the_assistant_is_sent(annotated: tuple[str, Any]) -> None:
    """Byte by byte, retries and seeds included."""
    whole, cast = played(BOOKED, [*SINGLE[:3], *REFUSED, *SINGLE[3:]])
    assert whole.issues == ()
    assert len(cast.sent) == 4
    sorts = [Sort("single", annotated[1]["calls"][0]["name"])]
    made, other = played(sorts, [*SINGLE[:2], annotated, *REFUSED, *SINGLE[3:], *SINGLE[:2], annotated, *SINGLE[3:]])
    assert [issue.code for issue in made.issues] == ["not_accomplished"]
    assert other.sent[:4] == cast.sent


def test_another_value_that_is_kept_back_changes_nothing_before_it_is_said() -> None:
    """The question and its retry are asked for with the same bytes."""
    sent = []
    for value in ("TS-090", "TS-444"):
        script: Script = json.loads(json.dumps(CLARIFY).replace("TS-090", value))
        bad = move("", ("release_slot", {"slot_id": "TS-777"}))
        made, cast = played(SESSIONS["clarify"][0], [*map(tuple, script[:3]), bad, *map(tuple, script[3:])])  # type: ignore[list-item]
        assert made.issues == ()
        assert len(cast.sent) == 4
        sent.append(cast.sent)
    assert sent[0][:2] == sent[1][:2]
    assert sent[0][2:] != sent[1][2:]


def test_a_call_in_a_chat_lets_the_task_fall() -> None:
    """As in the other way of replying."""
    once: Script = [propose("Nice night, this 2026-03-04, is it not?"), PICK, gold(), move("", BOOK)]
    made, _ = played([Sort("chat")], [*once, *once])
    assert [issue.code for issue in made.issues] == ["call_in_chat"]
