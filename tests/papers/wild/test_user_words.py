"""How wishes of one message hang together in words."""

from __future__ import annotations

import re
from random import Random

import pytest

from callwright.author.briefs import Style
from callwright.catalog.gloss import Chunk, Gloss
from callwright.papers.wild.task_briefs import WildAsk, Wish
from callwright.papers.wild.user_words import wild_ask


def wish(verb: str, thing: str, *after: int) -> Wish:
    return Wish(Gloss(verb, (Chunk("", thing),)), after=after)


@pytest.mark.parametrize("style", ["verbose", "terse"])
def test_each_wish_is_a_sentence_and_what_needs_another_comes_then(style: Style) -> None:
    """`Then` for what needs a result, `also` for what needs none."""
    wishes = (wish("open", "a case"), wish("print", "the label", 0), wish("check", "the state"))
    for seed in range(20):
        text = wild_ask.offline(Random(seed), WildAsk(wishes, style, "plain", "", 0)).lower()
        assert re.search(r"(?:then|after that)\W.{0,12}print the label", text)
        assert re.search(r"(?:also|and|need)\b.{0,20} the state", text)
