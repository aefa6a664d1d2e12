"""Wishes that hardly say anything."""

from __future__ import annotations

from callwright.author.wish_words import partial_wishes, vague_wishes
from callwright.catalog.chunks import Chunk, Gloss
from callwright.records.tool import Tool


def test_a_vague_wish_names_a_thing_as_people_do() -> None:
    """Nobody asks for an off or a finance: time off has no noun at its end, and finance is not counted."""
    off = Tool(
        name="request_time_off", description="Request time off for a holiday.", parameters="{}", domain="finance"
    )

    assert list(vague_wishes(off)) == [("", "a holiday"), ("", "finance"), ("request", "something"), ("", "something")]


def test_a_quality_is_no_topic() -> None:
    """Nobody asks about `a social`."""
    tool = Tool(name="list_posts", description="List posts.", parameters="{}", domain="Social")

    assert ("", "posts") in vague_wishes(tool)
    assert "social" not in {thing for _, thing in vague_wishes(tool)}


def test_nobody_adds_something_of_a_list() -> None:
    """A part after `of` says what the part before it is, and does not stand alone behind it."""
    add = Gloss("add", (Chunk("", "a domain"), Chunk("to", "a list"), Chunk("of", "domains")))
    said = [thing for verb, thing in partial_wishes(add) if verb]

    assert "something to a list" in said
    assert "something of domains" not in said


def test_the_way_in_which_something_is_done_is_no_thing() -> None:
    """Who pays an invoice in full does not ask for help with a full."""
    tool = Tool(name="pay_invoice_in_full", description="Pay a supplier invoice in full.", parameters="{}")
    pay = Gloss("pay", (Chunk("", "a supplier invoice"), Chunk("in", "full")))

    assert {thing for _, thing in vague_wishes(tool)} == {"an invoice", "something"}
    assert {thing for _, thing in partial_wishes(pay)} == {
        "a supplier invoice in full",
        "a supplier invoice",
        "an invoice",
    }
