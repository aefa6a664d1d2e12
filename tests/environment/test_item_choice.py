"""Which items a result lists, and by what people tell them apart."""

from __future__ import annotations

from random import Random

import pytest

from callwright.environment.item_choice import ItemChoice, item_choice, label_fields
from callwright.environment.told_outputs import outputs
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

ITEM = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "name": {"type": "string"},
        "created_at": {"type": "string"},
        "date_created": {"type": "string"},
        "order_date_created": {"type": "string"},
    },
}
LIST = Tool(
    name="list_orders",
    description="List orders.",
    returns=encode({"type": "object", "properties": {"orders": {"type": "array", "items": ITEM}}}),
)
ID = next(one for one in outputs(LIST) if one.name == "id")


def chosen(*orders: Json) -> ItemChoice | None:
    """Return the choice among these orders."""
    return item_choice(Random(1), LIST, ID, {"orders": list(orders)})


def test_items_go_by_their_names() -> None:
    """Names tell items apart where each has one of its own; the chosen one is one of them."""
    found = chosen({"id": "1", "name": "Harbour"}, {"id": "2", "name": "Mill"})

    assert found is not None
    assert (found.noun, found.by) == ("order", None)
    assert [decode(label) for label in found.labels] == ["Harbour", "Mill"]
    assert found.known.text == found.labels[found.chosen]


@pytest.mark.parametrize("field", ["created_at", "date_created"])
def test_items_without_names_go_by_their_days(field: str) -> None:
    """A moment is told as its day."""
    found = chosen({"id": "1", field: "2026-05-04T10:00:00Z"}, {"id": "2", field: "2026-05-09T10:00:00Z"})

    assert found is not None
    assert found.by is not None
    assert (found.by.name, found.by.kind) == (field, "date")
    assert [decode(label) for label in found.labels] == ["2026-05-04", "2026-05-09"]


def test_an_items_own_name_is_not_said() -> None:
    """An order's `order_date_created` is the date it was created."""
    found = chosen({"id": "1", "order_date_created": "2026-05-04"}, {"id": "2", "order_date_created": "2026-05-09"})

    assert found is not None
    assert label_fields(found)["It"].startswith("The one created on ")


@pytest.mark.parametrize(
    "orders",
    [
        [{"id": "1", "name": "Harbour"}],
        [{"id": "1", "name": "Harbour"}, {"id": "1", "name": "Mill"}],
        [{"id": "1", "name": "Mill"}, {"id": "2", "name": "Mill"}],
        [{"id": "1"}, {"id": "2"}],
        [{"id": str(number), "name": f"Mill {number}0"} for number in range(5)],
    ],
)
def test_nothing_tells_these_apart(orders: list[Json]) -> None:
    """One item, equal identifiers, equal names, no other field, or too many items: there is no choice."""
    assert chosen(*orders) is None
