"""How wishes of one message hang together in words: one after another, or at the same time."""

from __future__ import annotations

from random import Random

import pytest

from callwright.author.briefs import Style
from callwright.catalog.gloss import Chunk, Gloss
from callwright.papers.wild.task_briefs import WildAsk, Wish
from callwright.papers.wild.user_words import wild_ask

AT_ONCE = ("at the same time", "alongside", "in parallel")


def wish(verb: str, thing: str, *after: int) -> Wish:
    return Wish(Gloss(verb, (Chunk("", thing),)), after=after)


@pytest.mark.parametrize("style", ["verbose", "terse"])
@pytest.mark.parametrize(("last_needs", "at_once"), [(0, True), (1, False)])
def test_what_needs_the_first_only_is_asked_for_at_once(style: Style, last_needs: int, at_once: bool) -> None:
    """Two wishes that need the same result do not wait for each other; those of a chain do."""
    wishes = (wish("open", "a case"), wish("print", "the label", 0), wish("check", "the state", last_needs))
    for seed in range(30):
        text = wild_ask.offline(Random(seed), WildAsk(wishes, style, "plain", "", 0))
        assert any(word in text.lower() for word in AT_ONCE) == at_once
