"""Edges of a tool graph as values of results."""

from __future__ import annotations

from collections import Counter

from callwright.environment.returns import with_returns
from callwright.graph.value_flows import flows
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog, Tool


def tool(name: str, description: str, **required: Json) -> Tool:
    schema = {"type": "object", "properties": required, "required": list(required)}
    return Tool(name=name, description=description, parameters=encode(schema))


TEXT: Json = {"type": "string"}
SEARCH = tool("searchSongs", "Search for songs based on keywords.", query=TEXT)
DETAILS = tool("getSongDetails", "Get the detailed information of a specific song.", songId=TEXT)
PLAY = tool("playSong", "Play a song.", body={"type": "object", "properties": {"songId": TEXT}, "required": ["songId"]})


def test_a_search_feeds_the_details_of_what_it_found() -> None:
    """And not the other way round; what lies within a body is counted, as plans fill whole parameters."""
    refused: Counter[str] = Counter()
    found = list(flows(with_returns(Catalog(tools=(SEARCH, DETAILS, PLAY))), refused))
    assert [(one.source.name, one.output.pointer(1), one.parameter) for one in found] == [
        ("searchSongs", "/songs/1/song_id", "songId")
    ]
    assert refused == {"within_a_body": 1}
