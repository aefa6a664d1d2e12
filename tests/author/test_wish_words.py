"""Wishes that hardly say anything."""

from __future__ import annotations

from callwright.author.wish_words import vague_wishes
from callwright.records.tool import Tool


def test_a_vague_wish_names_a_thing_as_people_do() -> None:
    """Nobody asks for an off or a finance: time off has no noun at its end, and finance is not counted."""
    off = Tool(
        name="request_time_off", description="Request time off for a holiday.", parameters="{}", domain="finance"
    )

    assert list(vague_wishes(off)) == [("", "a holiday"), ("", "finance"), ("request", "something"), ("", "something")]
