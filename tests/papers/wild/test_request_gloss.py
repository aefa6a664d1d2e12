"""What a request for a tool is worded with: the description where it is clean, else the words of the name."""

from __future__ import annotations

import pytest

from callwright.papers.wild.request_gloss import asked_gloss
from callwright.records.tool import Tool


@pytest.mark.parametrize(
    ("name", "description", "phrase"),
    [
        ("echoGet", "Simulate a GET request and return the parameters contained in it.", "simulate a GET request"),
        ("isDateHoliday", "Determine whether a specific date is a holiday.", "check whether a date is a holiday"),
        ("rate", "Get the servers associated with a specific domain.", "get the servers associated with a domain"),
        ("getQuotes", "Search for quotes from Game of Thrones that fit.", "search for quotes from Game of Thrones"),
        ("getTeams", "Get Major League Baseball (MLB) team rankings.", "get Major League Baseball team rankings"),
        ("getPlaces", "Search for points of interest.", "search for points of interest"),
        ("postTweet", "Represents posting a tweet.", "post a tweet"),
        ("pins_remove", "Un-pins (an item).", "remove a pin"),
        ("searchNearbyPlace", "Surrounding search: find places.", "search nearby places"),
        ("conversations_create", "Initiates a thing for which no words exist (see above).", "initiate a thing"),
    ],
)
def test_phrases_a_person_would_use(name: str, description: str, phrase: str) -> None:
    """No mangled words of names, no second acts, no ends that lead nowhere."""
    assert asked_gloss(Tool(name=name, description=description)).phrase == phrase
