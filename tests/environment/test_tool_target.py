"""What a tool acts on, by its path and its name."""

from __future__ import annotations

import pytest

from callwright.environment.tool_target import holder_of, target_of
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


@pytest.mark.parametrize("name", ["DeleteRoomPlan", "BatchGetRoomPlan", "getRoomPlan"])
def test_a_verb_in_a_path_names_nothing(name: str) -> None:
    """Alone, or after a word that says how many calls it stands for."""
    assert target_of(Tool(name=name, source=f"POST /{name}")).named == ("room", "plan")


def test_what_is_searched_for_is_no_search() -> None:
    """`POST /search-orders` finds orders, whatever the tool is called."""
    assert target_of(Tool(name="orders_search-orders", source="POST /search-orders")).named == ("order",)


def test_what_follows_a_name_in_a_path_names_nothing() -> None:
    """A form of the answer, or a key without a slash."""
    for path in ("/rooms{format}", "/rooms({key})"):
        assert target_of(Tool(name="look", source=f"GET {path}")).noun == "room"


def test_a_result_may_stand_in_its_metadata() -> None:
    """Where it has nothing else; beside a list they are what they are called."""
    target = target_of(Tool(name="listRooms", source="GET /rooms"))
    assert holder_of({"error": "", "meta": "object"}, target) == "meta"
    assert holder_of({"rooms": "objects", "meta": "object"}, target) == "rooms"


def test_a_part_of_the_path_that_the_result_lists_is_what_is_listed() -> None:
    """Though the path ends in what the things are listed for."""
    items = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}
    returns = encode({"type": "object", "properties": {"stops": items, "status": {"type": "object"}}})
    source = "GET /stops/route/{route_id}/route_type/{route_type}"
    assert target_of(Tool(name="StopsForRoute", source=source, returns=returns))[:2] == ("list", "stop")
    assert target_of(Tool(name="getRoute", source="GET /stops/route/{route_id}")).noun == "route"
