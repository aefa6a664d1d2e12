"""The static protocol: fixed user turns, the model's own earlier replies."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random

import pytest
from evaluation_samples import BY_KEY, TOOLS, call, dialogue, gold

from callwright.baselines import model_factory
from callwright.engine.context import Context
from callwright.errors import BadInput
from callwright.models.chat import ChatModel, ChatReply, ChatRequest
from callwright.papers.diaforge.diaforge_options import StaticOptions
from callwright.papers.diaforge.static_protocol import DUTIES, rollout
from callwright.protocol.shown_dialogue import request, shown_tools, system_message
from callwright.records.dialogue import Call, ShownTool, Step, Turn
from callwright.records.jsontext import JsonText
from callwright.records.transcript import Transcript


class Scripted:
    """A model that gives these replies in order and remembers what it was shown."""

    name = "test/scripted"

    def __init__(self, replies: Sequence[ChatReply]) -> None:
        self.replies = list(replies)
        self.seen: list[ChatRequest] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the next reply."""
        self.seen.append(request)
        return self.replies.pop(0)


def run(model: ChatModel, said: tuple[str, ...] = ("Add it.", "Number 5.", "Yes.")) -> Transcript:
    """Roll out a dialogue with these user turns."""
    talk = dialogue("d", gold=gold(a=5), said=said)
    ctx = Context.detached("d", trial=2, models={"model": model})
    return asyncio.run(rollout(talk, TOOLS, ctx, StaticOptions()))


def test_the_model_sees_its_own_replies() -> None:
    """Earlier assistant turns are those of the model, not the recorded ones, and hold no thoughts."""
    model = Scripted([ChatReply("Which?", "hm"), ChatReply("When?"), ChatReply("Sure?")])
    made = run(model)

    shown = [(message.role, message.content) for message in model.seen[-1].messages[1:]]
    assert shown == [
        ("user", "Add it."),
        ("assistant", "Which?"),
        ("user", "Number 5."),
        ("assistant", "When?"),
        ("user", "Yes."),
    ]
    assert made.turns[1] == Turn("a", "Which?", (Step(thought="hm"),))


def test_the_script_runs_out_without_a_call() -> None:
    """A model that never calls answers every user turn."""
    made = run(model_factory("builtin/abstain")(dialogue(), BY_KEY))

    assert (made.ended, len(made.turns), made.model, made.trial) == ("script", 6, "builtin/abstain", 2)


def test_the_first_call_ends_the_rollout() -> None:
    """Nothing is asked after the first call."""
    made = run(Scripted([ChatReply("Which?"), ChatReply(calls=(call(a=5),))]))

    assert (made.ended, made.turns[-1].calls) == ("call", (call(a=5),))


def test_malformed_calls_are_kept() -> None:
    """A call of no known tool with arguments that are no JSON stays as it came, with what was wrong."""
    bad = Call("made_up", JsonText('{"a":'))
    made = run(Scripted([ChatReply(calls=(bad,), format_errors=("arguments: no JSON",))]))

    assert (made.turns[-1].calls, made.format_errors) == ((bad,), ("arguments: no JSON",))


def test_the_system_message_tells_the_date() -> None:
    """The model is told today's date when the dialogue has one, and not otherwise."""
    assert "2025-03-04" in system_message(DUTIES, dialogue(today="2025-03-04"))
    assert "oday" not in system_message(DUTIES, dialogue())


def test_the_request_holds_no_gold() -> None:
    """What a model sees names tools and turns and neither gold values nor the recorded assistant turns."""
    talk = dialogue(gold=gold(a=987654))
    seen = request(system_message(DUTIES, talk), talk, TOOLS, talk.turns[:1])

    assert "987654" not in str(seen)
    assert (seen.tools, len(seen.messages)) == (TOOLS, 2)


def test_tools_are_shown_under_their_names() -> None:
    """A renamed tool carries its shown name, also when its key was read before."""
    tool = TOOLS[0]
    talk = dialogue()
    talk = type(talk)(
        **{name: getattr(talk, name) for name in talk.__struct_fields__} | {"tools": (ShownTool(tool.key, "renamed"),)}
    )

    (shown,) = shown_tools(talk, BY_KEY)
    assert (shown.name, shown.description) == ("renamed", tool.description)
    assert shown.key != tool.key


def test_a_missing_tool_document_is_named() -> None:
    """A dialogue whose tool is not in the catalogue is refused with the tool's name."""
    with pytest.raises(BadInput, match="tool 'hr_add'"):
        shown_tools(dialogue(), {})
