"""How wishes of one message hang together in words."""

from __future__ import annotations

import re
from random import Random

import msgspec
import pytest

from callwright.author.briefs import Known, Style
from callwright.catalog.chunks import Chunk, Gloss
from callwright.catalog.slots import slots
from callwright.papers.wild.task_briefs import Mention, Reference, WildAsk, WildChat, Wish
from callwright.papers.wild.user_words import merged, wild_ask, wild_chat
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


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


def test_a_long_identifier_is_pasted_once() -> None:
    """A second wish of the message means the same thing; a short one can be said again."""
    for value, times in (("c2e40451-0571-2600-5bb9", 1), ("77", 2)):
        schema = {"type": "object", "properties": {"case_id": {"type": "string", "description": "The ID of the case."}}}
        slot = slots(Tool(name="op", parameters=encode(schema)))["case_id"]
        one = Mention(Known(slot, encode(value)), "said")
        wishes = tuple(Wish(Gloss(verb, (Chunk("", "a case"),)), (one,)) for verb in ("close", "print"))
        text = wild_ask.offline(Random(3), WildAsk(wishes, "verbose", "plain", "2026-05-04", 0))
        assert text.count(value) == times
        assert ("the same case" in text) is (times == 1)


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


def test_where_a_thing_came_up_is_said_once() -> None:
    """`Close the case from earlier, and print that case`."""
    schema = {"type": "object", "properties": {"case_id": {"type": "string", "description": "The ID of the case."}}}
    slot = slots(Tool(name="op", parameters=encode(schema)))["case_id"]
    far = Mention(Known(slot, encode("77")), "hidden", Reference("long_range", "case"))
    wishes = tuple(Wish(Gloss(verb, (Chunk("", "a case"),)), (far,)) for verb in ("close", "print"))
    for seed in range(12):
        text = wild_ask.offline(Random(seed), WildAsk(wishes, "verbose", "plain", "2026-05-04", 2))
        assert text.count("earlier") == 1
        assert "that case" in text


def test_two_lists_do_not_stand_in_one_phrase() -> None:
    """Of images 1 and 2 with files 8 and 9 nobody can tell which is of which: each file is asked for by itself."""
    ids = ("image_ids", "file_id")
    schema = {"type": "object", "properties": {one: {"type": "string", "description": "The ID."} for one in ids}}
    known = slots(Tool(name="op", parameters=encode(schema)))
    wishes = tuple(
        Wish(
            Gloss("render", (Chunk("", "the images"),)),
            tuple(Mention(Known(known[one], encode(value)), "said") for one, value in zip(ids, values, strict=True)),
        )
        for values in (("71,72", "85"), ("71,72", "86"))
    )
    assert len(merged(Random(1), wishes, "")) == 2
    single = tuple(msgspec.structs.replace(one, mentions=one.mentions[1:]) for one in wishes)
    assert len(merged(Random(1), single, "")) == 1


def test_a_first_chat_puts_off_what_it_is_about() -> None:
    """The thing comes first, then the small talk: nobody asks how one sleeps and then names a webhook."""
    schema = {"type": "object", "properties": {"case_id": {"type": "string", "description": "The ID of the case."}}}
    slot = slots(Tool(name="op", parameters=encode(schema)))["case_id"]
    for value in ("77", "c2e40451-0571-2600-5bb9"):
        brief = WildChat("tea", "Do you like tea?", "Yes.", Known(slot, encode(value)), None, "verbose", "plain", "")
        texts = {wild_chat.offline(Random(seed), brief) for seed in range(20)}
        assert texts
        assert all(re.search(rf"{value}\b.*(?:first|question|else).* Do you like tea\?$", text) for text in texts)


@pytest.mark.parametrize("style", ["verbose", "terse"])
def test_nobody_counts_his_own_requests(style: Style) -> None:
    """`The same as at the start`, and not `as in my first request`."""
    schema = {"type": "object", "properties": {"case_id": {"type": "string", "description": "The ID of the case."}}}
    slot = slots(Tool(name="op", parameters=encode(schema)))["case_id"]
    one = Wish(Gloss("close", (Chunk("", "a case"),)), (Mention(Known(slot, encode("77")), "said"),))
    brief = WildAsk((one,), style, "plain", "", 3, again=Reference("long_range", request=1))
    texts = {wild_ask.offline(Random(seed), brief).lower() for seed in range(20)}
    assert all(re.search(r"\b(?:start|beginning|first thing)\b", text) and "77" in text for text in texts)
    assert not any("request" in text for text in texts)
