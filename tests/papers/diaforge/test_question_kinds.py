"""What an assistant's message asks for."""

from __future__ import annotations

import pytest

from callwright.papers.diaforge.question_kinds import asking


@pytest.mark.parametrize(
    ("heard", "asked"),
    [
        ("Is it a page, or a post?", {"choice", "polar"}),
        ("The page, or the whole site?", {"choice"}),
        ("Page 12, in German. Right?", {"polar"}),
        ("So you want the page, not the post?", {"polar"}),
        ("To confirm: I delete the page?", {"polar"}),
        ("What's the page called?", {"value"}),
        ("Which page are you after?", {"value"}),
        ("Page ID and site ID, please.", {"value"}),
        ("May I have the page ID?", {"value"}),
        ("What would you like to call it?", {"value"}),
        ("What would you like to change?", {"wish"}),
        ("Which one?", {"wish"}),
        ("How are you today?", {"chat"}),
        ("I'll look it up. One moment.", set()),
    ],
)
def test_a_message_is_heard_by_its_form(heard: str, asked: set[str]) -> None:
    """Whatever its words are about."""
    found = asking(heard)
    assert {name for name in found._fields if getattr(found, name)} == asked
