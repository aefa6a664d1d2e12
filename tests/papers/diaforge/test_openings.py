"""Openings of a live user that name their wish, and those that do not."""

from __future__ import annotations

import pytest
from guarded_user import order

from callwright.papers.diaforge.user_guard import guard_faults


@pytest.mark.parametrize("text", ["I'm after a cart for my groceries.", "Which forms are waiting for me?"])
def test_an_opening_may_use_words_of_no_document(text: str) -> None:
    """What is asked for may be the wish in other words."""
    assert "off_topic" not in {fault.kind for fault in guard_faults(order(picked=False), None, "", text, 0)}


@pytest.mark.parametrize(
    "text",
    ["I should like to add something, if I may.", "Show me what you can do.", "Hi, I need a small favour from you."],
)
def test_an_opening_without_a_thing_is_off_topic(text: str) -> None:
    """An act alone says nothing."""
    assert "off_topic" in {fault.kind for fault in guard_faults(order(picked=False), None, "", text, 0)}
