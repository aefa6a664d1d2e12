"""What a result tells of an act where its document has neither identifier, name nor state."""

from __future__ import annotations

from callwright.environment.told_fields import Spot, told_fields
from callwright.environment.tool_target import target_of
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

RETURNS = {
    "type": "object",
    "properties": {
        "batch_number": {"type": "string", "example": "B-2024-17"},
        "jars": {"type": "integer", "example": 28},
        "remark": {"type": "string"},
    },
}


def test_what_the_document_shows_is_told() -> None:
    parameters = {"type": "object", "properties": {"kilograms": {"type": "number"}}, "required": ["kilograms"]}
    tool = Tool(name="order_queen", description="Order a queen.", parameters=encode(parameters))
    assert told_fields(RETURNS, Spot("thing", "queen", target_of(tool)), "") == ("batch_number", "jars")
