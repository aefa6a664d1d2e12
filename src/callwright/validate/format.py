"""Format: who speaks when, and what every turn must hold (DiaFORGE, appendix A.2, format validator)."""

from __future__ import annotations

from collections.abc import Iterator

from callwright.records.dialogue import Dialogue, Turn
from callwright.records.issue import Issue


def format_issues(dialogue: Dialogue, *, thoughts: bool) -> Iterator[Issue]:
    """Yield faults of form: turns alternate from a user's to an assistant's, none is empty, thoughts stay private.

    `thoughts` says whether assistant turns must hold one.
    """
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
    if turn.thought and turn.thought.strip() in turn.text:
        yield Issue("thought_is_public", f"turns[{position}].text", "the private reasoning is said aloud")
