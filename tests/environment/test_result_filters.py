"""Lists are as they were asked for; and the independent checker finds nothing in results of the bundled tools."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from random import Random
from typing import Any

import pytest

from callwright.app.catalogs import read_catalog
from callwright.author.personas import bank
from callwright.author.value_drawing import draw_values
from callwright.author.wanted import wanted_parameters
from callwright.environment.returns import with_returns
from callwright.environment.tool_world import ToolWorld
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool
from contradictions import Call, contradictions

TODAY = date(2026, 5, 4)
ORDER: dict[str, Json] = {
    "id": {"type": "string"},
    "created_at": {"type": "string", "format": "date-time"},
    "price": {"type": "number"},
    "status": {"type": "string", "enum": ["open", "held", "shut"]},
}
LISTED: Json = {"type": "array", "items": {"type": "object", "properties": ORDER, "required": sorted(ORDER)}}
RETURNS: Json = {"type": "object", "properties": {"orders": LISTED, "total": {"type": "integer"}}}
LIST = Tool(name="listOrders", source="GET /orders", returns=encode(RETURNS))
Orders = list[dict[str, Any]]


def world(seed: int = 1) -> ToolWorld:
    return ToolWorld(seed=seed, item="x", today=TODAY, persona=bank()[seed])


def column(orders: Orders, name: str) -> list[Any]:
    return [one[name] for one in orders]


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        (
            {"created_after": "2026-04-01"},
            lambda orders: all(one >= "2026-04-01" for one in column(orders, "created_at")),
        ),
        ({"to": "2026-01-03"}, lambda orders: all(one[:10] <= "2026-01-03" for one in column(orders, "created_at"))),
        ({"min_price": 500}, lambda orders: all(one >= 500 for one in column(orders, "price"))),
        ({"statuses": ["shut", "held"]}, lambda orders: {*column(orders, "status")} <= {"shut", "held"}),
        ({"status": "shut,held"}, lambda orders: {*column(orders, "status")} <= {"shut", "held"}),
        (
            {"sort": "-created_at"},
            lambda orders: column(orders, "created_at") == sorted(column(orders, "created_at"))[::-1],
        ),
        ({"sort_by": "price"}, lambda orders: column(orders, "price") == sorted(column(orders, "price"))),
        ({"limit": 1}, lambda orders: len(orders) == 1),
        ({"order_ids": ["7", "8"]}, lambda orders: column(orders, "id") == ["7", "8"]),
        ({"id": "7"}, lambda orders: column(orders, "id") == ["7"]),
    ],
)
def test_lists_are_as_asked_for(asked: dict[str, Json], holds: Callable[[Orders], bool]) -> None:
    """Days, numbers, choices, order, number and identifiers; the total is the number of things."""
    for seed in range(8):
        found: Any = decode(world(seed).call(LIST, asked).value or "null")  # type: ignore[arg-type]
        assert holds(found["orders"])
        assert found.get("total", len(found["orders"])) == len(found["orders"])


@pytest.mark.parametrize("seed", range(3))
def test_the_independent_checker_finds_nothing(seed: int) -> None:
    """Over a session of the bundled tools; a spoilt result is found."""
    rng, place, earlier = Random(seed), world(seed), list[tuple[Call, Any]]()
    for tool in rng.sample(with_returns(read_catalog("builtin/enterprise")).tools, 60):
        given = draw_values(rng, tool, bank()[seed], today=TODAY, also=wanted_parameters(tool))
        result = place.call(tool, given)
        place.keep(tool, given, result)
        call = Call(tool.name, tool.source, given, decode(tool.returns or "null"))  # type: ignore[arg-type]
        value: Any = decode(result.value or "null")  # type: ignore[arg-type]
        assert [one for one in contradictions(call, value, earlier, today=TODAY) if one.kind != "e"] == []
        earlier.append((call, value))
    task = Call("getTask", "GET /tasks/{task_id}", {"task_id": "7"}, None)
    kinds = {one.kind for one in contradictions(task, {"id": "8", "created_at": "2027-01-01"}, today=TODAY)}
    assert kinds == {"a", "d"}
