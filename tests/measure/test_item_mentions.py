"""Items of gold calls in utterances: one at a time, by hand."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_mentions import plain_mentions

from callwright.measure.item_mentions import call_items, count_mentions
from callwright.records.dialogue import (
    Dialogue,
    GoldArgument,
    GoldCall,
    Participant,
    Provenance,
    Task,
    Turn,
    gold_arguments,
)
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

CASES: list[tuple[str, str, Json, str, bool]] = [
    ("detect_language", "", None, "Then we run the language detection.", True),
    ("create_standing_order", "", None, "In which order?", False),
    ("create_standing_order", "", None, "Who wants a standing order?", True),
    ("create_standing_order", "", None, "Let me create a list first.", False),
    ("take_note", "", None, "Please note that down.", True),
    ("play_podcast", "podcast_name", "The Daily", "I like The Daily.", True),
    ("buy", "items", "bread,eggs,cheese", "And some cheese.", True),
    ("buy", "drive", "FWD", "I prefer front-wheel drive.", True),
    ("buy", "cylinders", 4, "A four-cylinder engine.", True),
    ("buy", "cylinders", 4, "A six-cylinder engine.", False),
    ("buy", "gl", "MX", "What is on in Mexico?", True),
    ("buy", "title", "Spring Cleaning Tasks", "Take the spring cleaning off the list.", True),
    ("buy", "title", "Spring Cleaning Tasks", "Spring is here.", False),
]


@pytest.mark.parametrize(("tool", "parameter", "value", "text", "is_mentioned"), CASES)
def test_an_item_and_an_utterance(tool: str, parameter: str, value: Json, text: str, is_mentioned: bool) -> None:
    """A name by its act or by more than half of its thing; a value in any form, a list and a long text in part."""
    arguments = (GoldArgument(parameter, (encode(value),)),) if parameter else ()
    dialogue = Dialogue(
        id="d",
        recipe="r",
        participants=(Participant("u", "user"), Participant("a", "assistant")),
        turns=(Turn("u", text),),
        tasks=(Task("single", gold=(GoldCall(tool, arguments),), turn=0),),
        provenance=Provenance(author="x", callwright="0", catalog="c"),
    )
    assert (len(arguments) in count_mentions(dialogue, {}).found[0]) == is_mentioned


TODAY = date(2026, 3, 2)
VALUES: tuple[Json, ...] = (
    *(8, 8.5, 1200, 0.15, True, "2026-03-12", "03-12", "14:30", "2026-03-12T14:30:00", "1,200", "42", "CA", "USD"),
    *(
        "DELTA",
        "bread,eggs",
        "A long text of several words",
        "Delta",
        "",
        " ",
        ["eggs", 8],
        {"a": "bread"},
        "ΑΣ",
        "5\nx",
    ),
)
PIECES = (
    "eight 8 8.5 1200 1,200 15% half past two at three 14:30 March 12th the twelfth of 1 to 31 February minus - "
    "twenty-two 42 _42_ CA Canadian dollars USD bread, eggs; breads Delta do e l t a long texts several words ΑΣΑ 5 x "
    "İ the ninth of April change the delivery date book a room booking today @ one's \n order"
).split(" ")


@given(
    st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map(" ".join), min_size=1, max_size=4),
    st.lists(st.sampled_from(VALUES), max_size=5),
    st.sampled_from(("date", "delivery_date", "amount", "code", "currency", "note")),
)
def test_short_cuts_find_what_the_definition_finds(texts: list[str], values: list[Json], name: str) -> None:
    """What is sought in all utterances at once is what is found item by item in each."""
    calls = [("change_delivery_date", {}), *(("book_room", {name: value}) for value in values)]
    gold = tuple(GoldCall(tool, gold_arguments(arguments)) for tool, arguments in calls)
    dialogue = Dialogue(
        id="d",
        recipe="r",
        participants=(Participant("u", "user"), Participant("a", "assistant")),
        turns=tuple(Turn("u", text) for text in texts),
        tasks=(Task("single", gold=gold, turn=0),),
        provenance=Provenance(author="x", callwright="0", catalog="c"),
        today=TODAY.isoformat(),
    )
    schema = {"type": "object", "properties": {name: {"type": "string"}}}
    tools = {"book_room": Tool(name="book_room", parameters=encode(schema))}
    found = count_mentions(dialogue, tools)
    assert found.found == plain_mentions(texts, call_items(dialogue, tools), tools, TODAY)
