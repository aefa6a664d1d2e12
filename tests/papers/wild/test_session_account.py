"""What a session asks of models, told from one that rules made."""

from __future__ import annotations

from collections import Counter

from callwright.papers.registry import read_prompts
from callwright.papers.wild.session_account import asked_native, asked_object
from wild_workshop import sessions, workshop


def test_both_ways_ask_each_role_as_often() -> None:
    """Only what the assistant is sent differs: tools go beside its messages."""
    prompts, dialogue = read_prompts(), next(one.dialogue for one in sessions(4) if not one.issues)
    native, usual = ([*asked(dialogue, workshop(), prompts)] for asked in (asked_native, asked_object))
    assert len(native) > 5 * len(dialogue.tasks)
    assert Counter(one.role for one in native) == Counter(one.role for one in usual)
    changed = [one for one, other in zip(native, usual, strict=True) if one.request != other.request]
    assert {one.role for one in changed} == {"assistant"}
    assert all(one.request.tools and one.request.reply_schema is None for one in changed)
    assert len(changed) == sum(one.role == "assistant" for one in native)
