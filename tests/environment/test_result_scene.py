"""Results agree with what was asked: the query, the name of the thing."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from callwright.author.personas import bank
from callwright.author.value_bank import topics
from callwright.environment.returns import with_returns
from callwright.environment.tool_world import ToolWorld
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Catalog, Tool


def answer(name: str, described: str, /, **arguments: Json) -> Json:
    shapes: Json = {key: {"type": "string"} for key in arguments}
    tool = Tool(name=name, description=described, parameters=encode({"type": "object", "properties": shapes}))
    ready = with_returns(Catalog(tools=(tool,))).tools[0]
    world = ToolWorld(seed=5, item="x", today=date(2026, 5, 4), persona=bank()[0])
    value: Json = decode(world.call(ready, arguments).value or "null")  # type: ignore[arg-type]
    return value


@pytest.mark.parametrize(
    ("noun", "second"), [("jobs", "Horizon payroll clerk"), ("documents", "payroll clerk overview")]
)
def test_a_search_finds_what_was_searched_for(noun: str, second: str) -> None:
    """Its words stand in what is found, as it would be called: only what is written has an overview."""
    found = answer(f"search_{noun}", f"Search for {noun}.", keywords="payroll clerk")[noun]  # type: ignore[index,call-overload]
    assert [one["name"] for one in found][:2] == ["payroll clerk", second]  # type: ignore[index,call-overload,union-attr]


def returned(name: str, described: str, returns: Json, /, **arguments: Json) -> Any:
    shapes: Json = {key: {"type": "string"} for key in arguments}
    asked: Json = {"type": "object", "properties": shapes, "required": list(arguments)}
    ready = Tool(name=name, description=described, parameters=encode(asked), returns=encode(returns))
    world = ToolWorld(seed=5, item="x", today=date(2026, 5, 4), persona=bank()[0])
    return decode(world.call(ready, arguments).value or "null")


TEXT: Json = {"type": "string"}


def test_a_search_by_a_name_of_its_own_finds_one() -> None:
    """There are no notes of that name among artists."""
    item: Json = {"type": "object", "properties": {"id": TEXT, "name": TEXT}}
    found: Json = {"type": "object", "properties": {"artists": {"type": "array", "items": item}}}
    told = returned("search_artists", "Search for artists.", found, artist_name="arctic monkeys")["artists"]
    assert [one["name"] for one in told] == ["arctic monkeys"]


def test_the_code_that_is_asked_for_is_told() -> None:
    """A `zip code by city` tells a zip code, though it would be any number elsewhere."""
    found: Json = {"type": "object", "properties": {"city": TEXT, "countryCode": TEXT, "zipCode": TEXT}}
    told = returned("Get_ZipCode_by_City", "Get ZipCode by City.", found, city="Lyon")
    assert told["city"] == "Lyon"
    assert str(told["zipCode"]).isdecimal()


def test_a_zip_code_is_in_the_united_states() -> None:
    """Two of them are not in one city of anywhere; fields for coordinates that are null make it no map."""
    found: Json = {"type": "object", "properties": {"city": TEXT, "countryCode": TEXT, "lat": {"type": "null"}}}
    name, described = "Get_location_by_zipcode", "Get the location of a zip code."
    told = [returned(name, described, found, zipcode=f"0{number}") for number in range(2600, 2606)]
    assert {one["countryCode"] for one in told} == {"US"}
    assert len({str(one["city"]) for one in told}) > 1


def test_the_address_of_a_page_is_no_identifier() -> None:
    """A region that is read by its page has an identifier of its own."""
    found: Json = {"type": "object", "properties": {"region_id": TEXT, "region_type_id": TEXT}}
    told = returned("get_region_info", "Get the region.", found, url="https://www.example.com/zipcode/01026")
    assert "://" not in str(told["region_id"])


@pytest.mark.parametrize(
    ("name", "described", "listed", "topic"),
    [
        ("suggest_addresses", "Suggest addresses.", "addresses", "address"),
        ("get_traffic_alerts", "Get traffic alerts of the Department of Transportation.", "alerts", "traffic_alert"),
        ("get_weather_alerts", "Get weather alerts.", "alerts", "weather_alert"),
        ("get_divisions", "Find all administrative divisions of a country.", "divisions", "division"),
    ],
)
def test_things_are_called_what_such_things_are_called(name: str, described: str, listed: str, topic: str) -> None:
    """By the noun of the list that holds them, not by other words of the tool."""
    items = answer(name, described)[listed]  # type: ignore[index,call-overload]
    assert items
    assert {item["name"] for item in items} <= set(topics("titles")[topic].values)  # type: ignore[index,call-overload,union-attr]
