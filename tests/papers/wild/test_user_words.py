"""How wishes of one message hang together in words."""

from __future__ import annotations

import re
from random import Random

import msgspec
import pytest

from callwright.author.briefs import Style
from callwright.catalog.chunks import Chunk, Gloss
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


@pytest.mark.parametrize("style", ["verbose", "terse"])
def test_a_later_request_has_a_verb(style: Style) -> None:
    """`And the file, please` after an update would ask to update it too; what lacks its value is not even needed."""
    asked = wish("get", "a file")
    said = {
        is_another: [
            wild_ask.offline(Random(seed), WildAsk((one,), style, "plain", "", 1)).lower() for seed in range(60)
        ]
        for is_another, one in ((False, asked), (True, msgspec.structs.replace(asked, another="file")))
    }

    assert all(re.search(r"\b(?:get|show me|look up|need|see)\b.* file", text) for text in said[False] + said[True])
    assert any("need" in text for text in said[False])
    assert not any("need" in text for text in said[True])
