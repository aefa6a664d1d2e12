"""What a tool acts on, by its path and its name."""

from __future__ import annotations

import pytest

from callwright.environment.tool_target import target_of
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


@pytest.mark.parametrize(
    ("name", "source", "noun"),
    [
        ("ListSitesAssignedToHost", "GET /hosts/listSitesAssignedToHost", "site"),
        ("Orders_ListRevisions", "GET /orders/{orderId}/revisions", "revision"),
        ("members_searchAll", "GET /groups/{id}/members:searchAll", "member"),
        ("listOrders", "GET /orders", "order"),
        ("shops_getPlan", "GET /v1beta1/{name}:getPlan", "plan"),
    ],
)
def test_the_last_part_of_a_path_says_what_is_listed(name: str, source: str, noun: str) -> None:
    """Without its verb, and whatever the schema of its result is called."""
    returns = {"type": "array", "title": "OrderResponse", "items": {"type": "object", "properties": {}}}
    assert target_of(Tool(name=name, source=source, returns=encode(returns))).noun == noun


def test_a_part_of_the_path_that_the_result_lists_is_what_is_listed() -> None:
    """Though the path ends in what the things are listed for."""
    items = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}
    returns = encode({"type": "object", "properties": {"stops": items, "status": {"type": "object"}}})
    source = "GET /stops/route/{route_id}/route_type/{route_type}"
    assert target_of(Tool(name="StopsForRoute", source=source, returns=returns))[:2] == ("list", "stop")
    assert target_of(Tool(name="getRoute", source="GET /stops/route/{route_id}")).noun == "route"
