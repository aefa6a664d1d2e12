"""A model as the assistant that calls natively: the pool goes as tools of the request, the talk as its messages.

    thought   the reasoning field of the reply, or what stands between <think> and </think>
    words     the content
    call      the tool call; there is no other choice of a tool

Nothing that it is sent depends on the gold call, as in `assistant_agent`, whose rules on words and calls hold here too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from callwright.author.agent_asking import TurnFault
from callwright.author.prompts import render_messages
from callwright.author.step import LONGEST_TEXT
from callwright.errors import BadRecord
from callwright.lang.tokens import words
from callwright.models.chat import EMPTY_REPLY, ChatReply, ChatRequest, Message
from callwright.models.completion import OLD_FIELD, WRITTEN_AS_TEXT
from callwright.papers.diaforge.assistant_agent import AssistantStep, act_faults, day_of, word_faults
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

PROMPT: Final = "diaforge/assistant_native.j2"
NO_REASONING: Final = "no_reasoning"
NO_WORDS: Final = "no_words"
"""Reasons for rejection of their own: what a native reply lacks, where it was asked for once more."""

_LONGEST_REASONING: Final = 20_000
_READ_ALL_THE_SAME: Final = frozenset((EMPTY_REPLY, WRITTEN_AS_TEXT, OLD_FIELD))
"""Errors of form that lose nothing, or that are told of otherwise."""


def native_request(
    source: str, dialogue: Dialogue, pool: Sequence[Tool], *, settled_on: str, thoughts: bool
) -> ChatRequest:
    """Return what the assistant is asked after the turns of `dialogue`; `source` is the prompt.

    Its own thoughts are not sent again, and it has no choice of a tool (`settled_on`) but its call. Raises BadDocument
    where the prompt fails.
    """
    day = day_of(dialogue)
    fields = {"today": f"{dialogue.today}, a {day:%A}" if day else "", "thoughts": thoughts}
    told = [message.content for message in render_messages(source, fields, where=PROMPT)]
    system = Message("system", "\n\n".join(filter(None, told)))
    return ChatRequest((system, *(_said(dialogue, place) for place in range(len(dialogue.turns)))), tuple(pool))


def _said(dialogue: Dialogue, place: int) -> Message:
    turn = dialogue.turns[place]
    return Message("user" if dialogue.role(turn) == "user" else "assistant", " ".join(turn.text.split()))


def read_native(reply: ChatReply) -> AssistantStep:
    """Return thought, words and call of a reply. Raises BadRecord where it is cut, too long, or calls several times."""
    if errors := [error for error in reply.format_errors if error not in _READ_ALL_THE_SAME]:
        raise BadRecord("; ".join(errors))
    thought, say = reply.thought.strip(), reply.content.strip()
    if len(say) > LONGEST_TEXT or len(thought) > _LONGEST_REASONING:
        raise BadRecord(
            f"a text of {len(say):,} characters after a reasoning of {len(thought):,}; "
            f"at most {LONGEST_TEXT:,} and {_LONGEST_REASONING:,}"
        )
    if len(reply.calls) > 1:
        raise BadRecord(f"{len(reply.calls)} calls in one reply; make one, once you know all that it needs")
    call = msgspec.structs.replace(reply.calls[0], id="call_1") if reply.calls else None
    return AssistantStep(thought, "", say, call)


def native_faults(
    step: AssistantStep, dialogue: Dialogue, pool: Sequence[Tool], *, thoughts: bool
) -> Iterator[TurnFault]:
    """Yield what is wrong with a step whose words are the last turn of `dialogue`, but for the arguments of its call.

    From pool and history alone.
    """
    if not step.say:
        yield TurnFault(NO_WORDS, "your reply has no text: say something to your colleague", is_lack=True)
    if thoughts and not step.thought:
        told = "your reply came without reasoning: think first, in your reasoning or between <think> and </think>"
        yield TurnFault(NO_REASONING, told, is_lack=True)
    if is_thinking_aloud(step.thought, step.say):
        yield TurnFault("thought_is_public", "your reply says all of your private reasoning")
    yield from act_faults(step, [tool.name for tool in pool])
    yield from word_faults(step, dialogue, pool)


def is_thinking_aloud(thought: str, text: str) -> bool:
    """Whether each sentence of the thought is said. Who reasons at length may well draft what is to be said."""
    thoughts, told = _sentences(thought), set(_sentences(text))
    return bool(thoughts) and told >= set(thoughts)


_SENTENCE_END: Final = re.compile(r"[.?!;:](?:\s|$)")


def _sentences(text: str) -> list[str]:
    said = (" ".join(words(part)) for part in _SENTENCE_END.split(text))
    return [one for one in said if one]
