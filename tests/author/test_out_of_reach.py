"""Schemas that ask for more than anybody says: such tools are left out by name, and no value is drawn without bound."""

from __future__ import annotations

import asyncio
import contextlib
from random import Random
from typing import Any

import pytest

from callwright.author.askable_tools import left_out
from callwright.catalog.slot_names import names_of_slot
from callwright.catalog.slots import slots
from callwright.errors import RolloutFailed
from callwright.models.chat import ChatRequest, Message
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from callwright.web.builtin_author import Writer

SCHEMAS: list[tuple[dict[str, Any], str]] = [
    ({"type": "string", "minLength": 50_000_000}, "a text too long"),
    ({"type": "string", "minLength": 10**12}, "a text too long"),
    ({"type": "string", "minLength": 2**64}, "a text too long"),
    ({"type": "array", "items": {"type": "string"}, "minItems": 2**70}, "a list too long"),
    ({"type": "integer", "minimum": 2**64}, "a number too large"),
    ({"type": "number", "maximum": -1e300}, "a number too large"),
    ({"type": "integer", "multipleOf": 10**400}, "a number too large"),
]
ODD: list[dict[str, Any]] = [
    {"type": "number", "multipleOf": 5e-324},
    {"type": "number", "example": 10**400},
    {"type": "integer", "enum": [10**400, [1], {"a": 1}]},
    {"type": "string", "maxLength": 2**64, "minLength": -(2**64)},
]


@pytest.mark.parametrize(("schema", "why"), SCHEMAS)
def test_such_a_tool_is_left_out(schema: dict[str, Any], why: str) -> None:
    """The coverage names it with this reason."""
    parameters = {"type": "object", "properties": {"value": schema}, "required": ["value"]}

    assert why in left_out(Tool(name="send_note", description="Send a note.", parameters=encode(parameters)))


@pytest.mark.parametrize("schema", [*(schema for schema, _ in SCHEMAS), *ODD])
def test_a_served_author_ends_in_bounds(schema: dict[str, Any]) -> None:
    """A value of bounded size is drawn, or the request fails: neither memory nor time follow the numbers."""
    asked = encode({"type": "object", "properties": {"value": schema}, "required": ["value"]})
    request = ChatRequest((Message("user", "Write."),), reply_schema=asked)

    with contextlib.suppress(RolloutFailed):
        assert 0 < len(asyncio.run(Writer().reply(request, Random(1))).content) < 10_000


def test_choices_of_any_kind_are_read() -> None:
    """Lists and objects among the choices, which cannot be hashed, end no plan."""
    schema = {"type": "object", "properties": {"kind": {"enum": [[1, 2], {"a": 1}, "x", 10**50]}}}

    (slot,) = slots(Tool(name="send_note", description="Send a note.", parameters=encode(schema))).values()

    assert names_of_slot(slot)
