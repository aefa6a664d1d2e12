"""Results agree with what was asked: the query, the name of the thing."""

from __future__ import annotations

from datetime import date

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


def test_a_search_finds_what_was_searched_for() -> None:
    """Its words stand in what is found, as it would be called."""
    found = answer("search_jobs", "Search for jobs.", keywords="payroll clerk")["jobs"]  # type: ignore[index,call-overload]
    assert [one["name"] for one in found][:2] == ["payroll clerk", "payroll clerk overview"]  # type: ignore[index,call-overload,union-attr]


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
