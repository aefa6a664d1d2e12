"""Listed things lie in the span of which a description says that it lists no others."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from callwright.author.personas import bank
from callwright.environment.spans import span_of
from callwright.environment.tool_world import ToolWorld
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

MOMENT: Json = {"type": "string", "format": "date-time"}


def tool(description: str, item: dict[str, Json], *given: str) -> Tool:
    whole: Json = {"type": "object", "properties": item, "required": list(item)}
    returns: Json = {
        "type": "object",
        "properties": {"calls": {"type": "array", "items": whole}},
        "required": ["calls"],
    }
    parameters: Json = {"type": "object", "properties": {one: {"type": "string"} for one in given}}
    return Tool(
        name="list_calls",
        description=description,
        source="GET /calls",
        parameters=encode(parameters),
        returns=encode(returns),
    )


def listed(one: Tool, seed: int, **arguments: Json) -> list[Any]:
    place = ToolWorld(seed=seed, item="f", today=date(2026, 5, 20), persona=bank()[0])
    result = place.call(one, arguments)
    assert result.value is not None, result.error
    found: Any = decode(result.value)
    return list(found["calls"])


@pytest.mark.parametrize("seed", range(6))
def test_calls_of_the_last_week_were_made_in_it(seed: int) -> None:
    """Each moment lies in the seven days before the session; without such words some lie before them."""
    told = listed(tool("Returns all calls sent within the last week.", {"sent_at": MOMENT}), seed)
    assert told
    assert all("2026-05-13" <= one["sent_at"][:10] <= "2026-05-20" for one in told)


def test_moments_in_parts_count_where_a_thing_has_none() -> None:
    """A request tells of its moment in an object of its own."""
    info: Json = {"type": "object", "properties": {"sent_at": MOMENT}, "required": ["sent_at"]}
    told = [
        one for seed in range(4) for one in listed(tool("Lists calls from the past two days.", {"info": info}), seed)
    ]
    assert told
    assert all(one["info"]["sent_at"] >= "2026-05-18" for one in told)


def test_without_a_span_moments_lie_further_back() -> None:
    """A list of all calls has some that are older than a week, and so has one whose span the call gives."""
    told = [one for seed in range(6) for one in listed(tool("Lists calls.", {"sent_at": MOMENT}), seed)]
    assert any(one["sent_at"] < "2026-05-13" for one in told)
    asked = tool("Lists calls, by default of the last week.", {"sent_at": MOMENT}, "start_date")
    told = [one for seed in range(6) for one in listed(asked, seed, start_date="2026-01-01")]
    assert any(one["sent_at"] < "2026-05-13" for one in told)


def test_changes_in_a_span_leave_the_making_open() -> None:
    """Of what was updated in the last month the day of creation may lie before it."""
    told = span_of(tool("Lists calls updated in the last 30 days.", {}))
    assert told is not None
    assert (told[0].days, told[1]) == (30, True)
