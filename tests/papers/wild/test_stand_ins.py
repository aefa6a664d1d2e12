"""Which tool can do what another was asked for."""

from __future__ import annotations

import pytest

from callwright.papers.wild.stand_ins import stand_in
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


def tool(name: str, description: str, *required: str, **optional: str) -> Tool:
    properties = {one: {"type": "string"} for one in (*required, *optional)}
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name=name, description=description, parameters=encode(schema))


WEATHER = tool("getCurrentWeather", "Retrieve the current weather information for a location.", "location")
DETAILS = tool("getWeatherDetails", "Get detailed weather data for a location.", "location")


def test_the_same_lookup_of_the_same_thing_stands_in() -> None:
    """In other words, and with a document of its own."""
    assert stand_in(WEATHER, DETAILS, ["location"]) == {"location": "location"}


@pytest.mark.parametrize(
    "other",
    [
        tool("getWeatherForecast", "Get the weather forecast for a location.", "location"),
        tool("deleteWeather", "Delete the current weather information for a location.", "location"),
        tool("getWeatherDetails", "Get detailed weather data for a location.", "location", "station_id"),
        tool("getWeatherDetails", "Get detailed weather data for a location.", "station_id"),
    ],
)
def test_no_other_stands_in(other: Tool) -> None:
    """Another thing, another action, something required that nobody said, and no place for what was said."""
    assert stand_in(WEATHER, other, ["location"]) is None
