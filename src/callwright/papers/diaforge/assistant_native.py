"""A model as the assistant that calls natively: the pool goes as tools of the request, the talk as its messages.

There is no choice of a tool but the call. Nothing that it is sent depends on the gold call, as in `assistant_agent`,
whose rules on words and calls hold here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from callwright.author.agent_asking import TurnFault
from callwright.author.native_turn import day_told, read_turn, system_message, thought_faults, wordless
from callwright.errors import BadRecord
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.papers.diaforge.assistant_agent import AssistantStep, act_faults, word_faults
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

PROMPT: Final = "diaforge/assistant_native.j2"


def native_request(
    source: str, dialogue: Dialogue, pool: Sequence[Tool], *, settled_on: str, thoughts: bool
) -> ChatRequest:
    """Return what the assistant is asked after the turns of `dialogue`; `source` is the prompt.

    Its own thoughts are not sent again, and it has no choice of a tool (`settled_on`) but its call. Raises BadDocument
    where the prompt fails.
    """
    system = system_message(source, {"today": day_told(dialogue.today), "thoughts": thoughts}, where=PROMPT)
    return ChatRequest((system, *(_said(dialogue, place) for place in range(len(dialogue.turns)))), tuple(pool))


def _said(dialogue: Dialogue, place: int) -> Message:
    turn = dialogue.turns[place]
    return Message("user" if dialogue.role(turn) == "user" else "assistant", " ".join(turn.text.split()))


def read_native(reply: ChatReply) -> AssistantStep:
    """Return thought, words and call of a reply. Raises BadRecord where it is cut, too long, or calls several times."""
    thought, say, calls = read_turn(reply)
    if len(calls) > 1:
        raise BadRecord(f"{len(calls)} calls in one reply; make one, once you know all that it needs")
    call = msgspec.structs.replace(calls[0], id="call_1") if calls else None
    return AssistantStep(thought, "", say, call)


def native_faults(
    step: AssistantStep, dialogue: Dialogue, pool: Sequence[Tool], *, thoughts: bool
) -> Iterator[TurnFault]:
    """Yield what is wrong with a step whose words are the last turn of `dialogue`, but for the arguments of its call.

    From pool and history alone.
    """
    if not step.say:
        yield wordless("your reply has no text: say something to your colleague")
    yield from thought_faults(step.thought, step.say, thoughts=thoughts)
    yield from act_faults(step, [tool.name for tool in pool])
    yield from word_faults(step, dialogue, pool)
