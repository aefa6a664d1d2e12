"""Items of gold calls in utterances: one at a time, by hand."""

from __future__ import annotations

import pytest

from callwright.measure.item_mentions import count_mentions
from callwright.records.dialogue import Dialogue, GoldArgument, GoldCall, Participant, Provenance, Task, Turn
from callwright.records.jsontext import Json, encode

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
