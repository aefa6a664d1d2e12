"""What is read of an assistant that a model plays with native calls, and what its reply may lack.

    thought   the reasoning field of the reply, or what stands between <think> and </think>
    words     the content
    calls     the tool calls, also those that the server left in the text

What the assistant is told of a refused reply depends on the reply alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from callwright.author.agent_asking import TurnFault
from callwright.author.online_voice import REFUSED
from callwright.author.prompts import render_messages
from callwright.author.step import LONGEST_TEXT
from callwright.errors import BadRecord
from callwright.lang.tokens import words
from callwright.models.chat import EMPTY_REPLY, ChatReply, Message
from callwright.models.completion import OLD_FIELD, WRITTEN_AS_TEXT
from callwright.records.dialogue import Call

NO_REASONING: Final = "no_reasoning"
NO_WORDS: Final = "no_words"
"""Reasons for rejection of their own: what a native reply lacks, where it was asked for once more."""

_LONGEST_REASONING: Final = 20_000
_READ_ALL_THE_SAME: Final = frozenset((EMPTY_REPLY, WRITTEN_AS_TEXT, OLD_FIELD))
"""Errors of form that lose nothing, or that are told of otherwise."""


class NativeTurn(NamedTuple):
    """What an assistant thinks, says and calls."""

    thought: str
    say: str
    calls: tuple[Call, ...]


def system_message(source: str, fields: Mapping[str, Any], *, where: str) -> Message:
    """Return both parts of a prompt as the system message: the talk and the tools go beside it.

    Raises BadDocument where the prompt, whose name is `where`, fails.
    """
    told = [message.content for message in render_messages(source, fields, where=where)]
    return Message("system", "\n\n".join(filter(None, told)))


def day_told(day: str) -> str:
    """Return a day as a system message tells it, empty for none.

    >>> day_told("2026-05-24")
    '2026-05-24, a Sunday'
    """
    return f"{day}, a {date.fromisoformat(day):%A}" if day else ""


def read_turn(reply: ChatReply) -> NativeTurn:
    """Return thought, words and calls of a reply. Raises BadRecord where it is cut or too long."""
    if errors := [error for error in reply.format_errors if error not in _READ_ALL_THE_SAME]:
        raise BadRecord("; ".join(errors))
    thought, say = reply.thought.strip(), reply.content.strip()
    if len(say) > LONGEST_TEXT or len(thought) > _LONGEST_REASONING:
        raise BadRecord(
            f"a text of {len(say):,} characters after a reasoning of {len(thought):,}; "
            f"at most {LONGEST_TEXT:,} and {_LONGEST_REASONING:,}"
        )
    return NativeTurn(thought, say, reply.calls)


def wordless(told: str) -> TurnFault:
    """Return the fault of a reply whose words are missing; `told` says what is wanted."""
    return TurnFault(NO_WORDS, told, is_lack=True)


def thought_faults(thought: str, say: str, *, thoughts: bool) -> Iterator[TurnFault]:
    """Yield what is wrong with the reasoning of a reply; with `thoughts` one is due."""
    if thoughts and not thought:
        told = "your reply came without reasoning: think first, in your reasoning or between <think> and </think>"
        yield TurnFault(NO_REASONING, told, is_lack=True)
    if is_thinking_aloud(thought, say):
        yield TurnFault("thought_is_public", "your reply says all of your private reasoning")


def is_thinking_aloud(thought: str, text: str) -> bool:
    """Whether each sentence of the thought is said. Who reasons at length may well draft what is to be said.

    A few words that state a fact ("Moved.", "Two are open.") may open what is said, where more follows.
    """
    thoughts, told = _sentences(thought), _sentences(text)
    is_reasoning = " ".join(thoughts).count(" ") >= _FEWEST - 1
    return thoughts == told != [] or (is_reasoning and set(thoughts) <= set(told))


_FEWEST: Final = 5
"""Words of a reasoning: fewer state a fact, which the reply may state too."""
_SENTENCE_END: Final = re.compile(r"[.?!;:](?:\s|$)")


def _sentences(text: str) -> list[str]:
    said = (" ".join(words(part)) for part in _SENTENCE_END.split(text))
    return [one for one in said if one]


def before_refusal(talk: Sequence[Message]) -> Sequence[Message]:
    """Return the messages before the first reply that was refused."""
    refused = next((at for at, one in enumerate(talk) if one.content.startswith(REFUSED)), 0)
    return talk[: refused - 1] if refused else talk
