"""Of a very long text the terminal gets the beginning."""

from __future__ import annotations

from callwright.report.dialogue_view import shown


def test_of_a_very_long_text_the_beginning_is_shown() -> None:
    """With how much is left out: a reply of 10 MB is shown at once."""
    text = shown("word " * 2_000_000).plain

    assert text.startswith("word word")
    assert text.endswith("… and 9,980,000 characters more")
    assert shown("short").plain == "short"
