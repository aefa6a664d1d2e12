"""Format: who speaks when, and what every turn must hold (DiaFORGE, appendix A.2, format validator)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from callwright.errors import BadDocument
from callwright.lang.tokens import words
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.issue import Issue
from callwright.records.jsontext import JsonText, decode


def format_issues(dialogue: Dialogue, *, thoughts: bool) -> Iterator[Issue]:
    """Yield faults of form: turns alternate from a user's to an assistant's, none is empty, thoughts stay private.

    `thoughts` says whether assistant turns must hold one.
    """
    yield from _unreadable(dialogue)
    roles = [dialogue.role(turn) for turn in dialogue.turns]
    if not roles:
        yield Issue("no_turns", "turns", "the dialogue is empty")
        return
    for position, role in enumerate(roles):
        expected = "assistant" if position % 2 else "user"
        if role != expected:
            yield Issue("turns_do_not_alternate", f"turns[{position}]", f"expected {expected}, got {role or 'nobody'}")
            return
    if roles[-1] != "assistant":
        yield Issue("ends_with_user", f"turns[{len(roles) - 1}]", "the assistant must have the last word")
    for position, turn in enumerate(dialogue.turns):
        yield from _turn_issues(position, turn, is_assistant=bool(position % 2), thoughts=thoughts)


def _turn_issues(position: int, turn: Turn, *, is_assistant: bool, thoughts: bool) -> Iterator[Issue]:
    if not turn.text.strip():
        yield Issue("empty_text", f"turns[{position}].text", "nothing is said")
    if not is_assistant:
        if turn.thought or turn.calls:
            yield Issue("user_acts_as_assistant", f"turns[{position}].steps", "a user has no thoughts or calls here")
        return
    if thoughts and not turn.thought.strip():
        yield Issue("no_thought", f"turns[{position}].steps", "the private reasoning is missing")
    if is_said_aloud(turn.thought, turn.text):
        yield Issue("thought_is_public", f"turns[{position}].text", "the private reasoning is said aloud")


def is_said_aloud(thought: str, text: str) -> bool:
    """Whether a sentence of the thought is one of the text, or a long one is a part of it.

    A short one may be: who thinks of the order number and the new address asks for them in these words.
    """
    said = [" ".join(words(part)) for part in _SENTENCE_END.split(text)]
    thoughts = [" ".join(words(part)) for part in _SENTENCE_END.split(thought)]
    whole, told = " ".join(words(thought)), " ".join(words(text))
    return (whole == told != "") or any(
        (one in said and one.count(" ") >= _FEWEST - 1) or (one in told and one.count(" ") >= _FEWEST_INSIDE - 1)
        for one in thoughts
    )


_SENTENCE_END = re.compile(r"[.?!;:](?:\s|$)")
_FEWEST = 3
"""Words of a sentence that tell it from a chance agreement."""
_FEWEST_INSIDE = 8
"""Words of a sentence that is a part of another one."""


def _unreadable(dialogue: Dialogue) -> Iterator[Issue]:
    """Faults of form that the other checks could not read: a day that is none, gold values that are no JSON."""
    if dialogue.today and not _is_day(dialogue.today):
        yield Issue("bad_record", "today", f"{dialogue.today[:40]!r} is no ISO date")
    for number, task in enumerate(dialogue.tasks):
        for position, call in enumerate(task.gold):
            for argument in call.arguments:
                if not argument.accepted or not all(map(_is_json, argument.accepted)):
                    where = f"tasks[{number}].gold[{position}].arguments"
                    yield Issue("bad_record", where, f"{argument.name} has no gold value, or one that is no JSON")


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_json(text: JsonText) -> bool:
    try:
        decode(text)
    except BadDocument:
        return False
    return True
