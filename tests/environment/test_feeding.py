"""What feeds what: one result, a list of results, and fields by which things compare."""

from __future__ import annotations

import pytest

from callwright.environment.feeding import choices, gathers
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def tool(name: str, returns: dict[str, Json], **properties: Json) -> Tool:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    shape = {"type": "object", "properties": returns}
    return Tool(name=name, description="", parameters=encode(parameters), returns=encode(shape))


CITY: Json = {"type": "string", "description": "name of the city"}
CODES: Json = {"type": "array", "items": {"type": "string"}}
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


@pytest.mark.parametrize(
    ("producer", "fits"),
    [
        (tool("createPin", {"pin_id": {"type": "string"}}, title=CITY), True),
        (tool("createPin", {"pin_id": {"type": "integer"}}, title=CITY), False),
        (tool("createBoard", {"board_id": {"type": "string"}}, title=CITY), False),
        (tool("movePin", {"pin_id": {"type": "string"}}, pin_id={"type": "string"}), False),
    ],
)
def test_results_make_up_a_list_of_their_own_things(producer: Tool, fits: bool) -> None:
    """Identifiers of the same things and type, that the first tool was not given itself."""
    assert bool(gathers(producer, tool("sortPins", {}, pins=CODES))) == fits
