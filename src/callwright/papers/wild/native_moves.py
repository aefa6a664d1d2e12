"""The assistant of a session that calls natively: the tools go with the request, calls and results as its messages.

Nothing that it is sent depends on gold, kept-back values or the design: tools, turns and results alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Final

import msgspec

from callwright.author.agent_asking import TurnFault
from callwright.author.native_turn import day_told, read_turn, system_message, thought_faults, wordless
from callwright.author.prompts import Prompts
from callwright.errors import BadRecord
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.wild.session_roles import MOST_CALLS, AssistantMove
from callwright.papers.wild.session_rules import act_faults
from callwright.protocol.turn_messages import messages_of
from callwright.records.dialogue import Dialogue, Step, Turn
from callwright.records.tool import Tool

PROMPT: Final = "wild/assistant_native.j2"


def native_request(prompts: Prompts, dialogue: Dialogue, tools: Sequence[Tool]) -> ChatRequest:
    """Return what the assistant is asked after the turns of `dialogue`; its own thoughts are not sent again.

    Raises BadDocument where the prompt fails.
    """
    system = system_message(prompts.source(PROMPT), {"today": day_told(dialogue.today)}, where=PROMPT)
    return ChatRequest((system, *messages_of(dialogue, _numbered(dialogue.turns))), tuple(tools))


def _numbered(turns: Sequence[Turn]) -> Iterator[Turn]:
    """The turns with an id of its own for each call of the conversation: those of the records begin anew in a turn."""
    numbers = count(1)
    for turn in turns:
        yield msgspec.structs.replace(turn, steps=tuple(_renamed(step, numbers) for step in turn.steps))


def _renamed(step: Step, numbers: Iterator[int]) -> Step:
    names = [f"call_{next(numbers)}" for _ in step.calls]
    calls = (msgspec.structs.replace(call, id=name) for call, name in zip(step.calls, names, strict=True))
    results = (msgspec.structs.replace(one, call=name) for one, name in zip(step.results, names, strict=True))
    return msgspec.structs.replace(step, calls=tuple(calls), results=tuple(results))


def read_native(reply: ChatReply) -> AssistantMove:
    """Return thought, words and calls of a reply. Raises BadRecord where it is cut, too long, or calls too often."""
    thought, say, calls = read_turn(reply)
    if len(calls) > MOST_CALLS:
        raise BadRecord(f"{len(calls)} calls in one reply; at most {MOST_CALLS}")
    return AssistantMove(thought, say, tuple(msgspec.structs.replace(call, id="") for call in calls))


def native_faults(
    move: AssistantMove, dialogue: Dialogue, tools: Mapping[str, Tool], begin: int
) -> Iterator[TurnFault]:
    """Yield what is wrong with a move, whose task begins at turn `begin`. Beside calls the words may be missing."""
    if not move.say and not move.calls:
        yield wordless("your reply has neither text nor calls: call, or say something")
    yield from thought_faults(move.thought, move.say, thoughts=True)
    yield from act_faults(move, dialogue, tools, begin, place="in your text")
