"""The words of a `tooldial` dialogue, offline."""

from __future__ import annotations

from random import Random

import pytest

from callwright.author.briefs import Style
from callwright.lang.tokens import words
from callwright.papers.tooldial.tooldial_briefs import TurnBrief
from callwright.papers.tooldial.tooldial_words import user_words
from callwright.records.annotations.tooldial_notes import IntentQuery


@pytest.mark.parametrize("style", ["verbose", "terse"])
def test_nobody_says_to_have_nothing_else(style: Style) -> None:
    """A wish says what the user has for the source, and not that it is all: other values are told in later turns."""
    query = IntentQuery(verb="remove", thing="a webhook", tail="the style key", tail_kind="known")
    brief = TurnBrief(act="inform_intent_clear", style=style, query=query, today="2026-01-05")
    texts = {user_words(Random(chance), brief) for chance in range(60)}

    assert len(texts) > 2
    assert all("the style key" in text for text in texts)
    assert not any({"only", "all"} & {*words(text.lower())} for text in texts)
