"""What tools are about, said in general."""

from __future__ import annotations

import pytest

from callwright.app.catalogs import read_catalog
from callwright.author.tool_subjects import subject
from callwright.lang.english import is_countable
from callwright.records.tool import Tool


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Books a table at a restaurant.", "tables at restaurants"),
        ("Plays music.", "music"),
        ("Plays a piece of music.", "music"),
        ("Gets the status of an order.", "orders"),
        ("Gets file information.", "files"),
        ("Retrieves weather information for a location.", "weather"),
        ("Adds an item to a shopping list.", "shopping lists"),
        ("Orders a food item.", "food items"),
        ("Reports a fault with the heating.", "faults with the heating"),
        ("Creates a note with content.", "notes"),
        ("Approves a request for in-house training.", "in-house training"),
        ("Enrols an employee in a live webinar.", "live webinars"),
        ("Requests time off for a holiday.", "time off"),
        ("Gets the spending of a cost centre.", "spending of cost centres"),
        ("Gets the latest market trends and relevant news.", "market trends and relevant news"),
        ("Retrieves detailed information.", ""),
    ],
)
def test_subjects(description: str, expected: str) -> None:
    """A thing is told in the plural, with what it belongs to; what could be of anything is left for what tells."""
    assert subject(Tool(name="x", description=description)) == expected


def test_the_line_of_business_tells_where_words_do_not() -> None:
    """A history alone says nothing, so the domain says it; one that is no plain noun does not."""
    told = "Gets the history."
    assert subject(Tool(name="x", description=told, domain="piano")) == "pianos"
    assert subject(Tool(name="x", description=told, domain="x-int3rnal")) == ""


def test_no_subject_is_a_single_thing() -> None:
    """Over the bundled catalogue each tool has a subject, and none needs an article."""
    found = [subject(tool) for tool in read_catalog("builtin/enterprise").tools]
    assert len(found) > 100
    assert all(found)
    heads = [text.split(" of ")[0].split(" at ")[0].split(" in ")[0].split(" with ")[0] for text in found]
    assert [head for head in heads if is_countable(head) and head not in ("time off", "spending")] == []
