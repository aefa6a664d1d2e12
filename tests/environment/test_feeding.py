"""What feeds what: one result, and fields by which things compare."""

from __future__ import annotations

import pytest

from callwright.environment.feeding import choices
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def tool(name: str, returns: dict[str, Json], **properties: Json) -> Tool:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    shape = {"type": "object", "properties": returns}
    return Tool(name=name, description="", parameters=encode(parameters), returns=encode(shape))


CITY: Json = {"type": "string", "description": "name of the city"}
WEATHER = tool("getWeather", {"temperature": {"type": "number"}, "sky": {"type": "string"}}, city=CITY)
HOTEL = tool("bookHotel", {"hotel_id": {"type": "string"}}, city=CITY)


def test_what_is_looked_up_compares_by_its_numbers() -> None:
    """The city with the higher temperature is one that a hotel can be booked in."""
    found = choices(WEATHER, HOTEL)
    assert [(one.output.name, one.asked, one.taken) for one in found] == [("temperature", "city", "city")]


@pytest.mark.parametrize(
    "producer",
    [
        tool("bookFlight", {"price": {"type": "number"}}, city=CITY),
        tool("getRank", {"rank": {"type": "integer"}}, city=CITY),
        tool("getPrice", {"price": {"type": "number"}}, origin_city=CITY),
    ],
)
def test_nothing_is_done_only_to_compare(producer: Tool) -> None:
    """Not what changes something, not by a number whose sense is open, not for the end of a journey."""
    assert choices(producer, HOTEL) == ()
