"""What people ask a tool for that does something with their text, and what the text is called."""

from __future__ import annotations

import pytest

from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


@pytest.mark.parametrize(
    ("name", "description", "parameter", "phrase", "noun"),
    [
        ("Chat", "The chatbot endpoint.", "message", "send a message to the chatbot", "message"),
        ("Op", "Detects spam, and links, in a comment", "q", "check a comment for spam", "comment"),
        ("Spell", "Check the spelling of the sentence", "q", "check the spelling of the sentence", "sentence"),
        ("Ask", "Ask a question to the bot", "query", "ask a question to the bot", "question"),
        ("Find", "Search for a message in the archive", "q", "search for a message in the archive", "search term"),
        ("Lookup", "Finds songs by a phrase of the text", "q", "find songs", "search term"),
        ("Chat", "Get a chat", "chat_id", "get a chat", "chat ID"),
    ],
)
def test_a_text_is_no_search_term(name: str, description: str, parameter: str, phrase: str, noun: str) -> None:
    """And a chatbot is sent a message; what is searched for by its words stays a search term."""
    schema = {"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]}
    one = Tool(name=name, description=description, parameters=encode(schema))
    assert gloss(one).phrase == phrase
    assert slots(one)[parameter].noun.text == noun
