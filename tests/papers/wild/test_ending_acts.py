"""Acts that end a thing, and acts that have no sense for what was made a minute ago."""

from __future__ import annotations

import pytest

from callwright.papers.wild.ending_acts import closes, needs_a_past, removes, suits_draft
from callwright.records.tool import Tool


@pytest.mark.parametrize(
    ("source", "is_removed", "is_closed"),
    [
        ("DELETE /tasks/{task_id}", True, True),
        ("POST /tasks/{task_id}/archive", False, True),
        ("PUT /tasks/{task_id}", False, False),
    ],
)
def test_an_end(source: str, is_removed: bool, is_closed: bool) -> None:
    """What is closed is still there."""
    one = Tool(name="op", source=source)
    assert (removes(one), closes(one)) == (is_removed, is_closed)


@pytest.mark.parametrize(
    ("description", "is_late"),
    [
        ("Reopen a case.", True),
        ("Restore a file.", True),
        ("Create a refund for an invoice.", True),
        ("Send an invoice.", False),
    ],
)
def test_what_needs_a_past(description: str, is_late: bool) -> None:
    """Nobody reopens a case that was opened a minute ago, or gives a refund on it."""
    assert needs_a_past(Tool(name="op", description=description)) is is_late


@pytest.mark.parametrize(
    ("description", "suits"),
    [
        ("Send an invoice.", True),
        ("Update an invoice.", True),
        ("Delete an invoice.", True),
        ("Send an invoice reminder.", False),
        ("Cancel a sent invoice.", False),
        ("Generate a QR code for an invoice.", False),
    ],
)
def test_what_can_be_done_with_a_draft(description: str, suits: bool) -> None:
    """Nobody reminds of an invoice that was never sent."""
    assert suits_draft(Tool(name="op", description=description)) is suits
