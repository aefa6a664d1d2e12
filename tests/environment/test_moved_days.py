"""Days that a later call changes lie where its verb says."""

from __future__ import annotations

from random import Random

import pytest

from callwright.environment.moved_days import EarlierCall, way_of, with_moved_days
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def _tool(name: str, description: str, *parameters: str) -> Tool:
    shapes = {one: {"type": "string", "description": one.replace("_", " ")} for one in parameters}
    for one in shapes:
        if "date" in one:
            shapes[one]["format"] = "date"
        if one.endswith("_time"):
            shapes[one]["format"] = "date-time"
    return Tool(name=name, description=description, parameters=encode({"type": "object", "properties": shapes}))


PLAN = _tool("schedule_concert", "Schedule a concert.", "hall", "date")
PLANNED = EarlierCall(PLAN, {"hall": "Main hall", "date": "2026-04-16"}, {"concert_id": "C-7"})


def _new(tool: Tool, earlier: EarlierCall, **values: Json) -> dict[str, Json]:
    return with_moved_days(Random(1), tool, values, [earlier])


@pytest.mark.parametrize(
    ("description", "way"),
    [
        ("Postpone a concert.", "later"),
        ("Push back a concert.", "later"),
        ("Put a concert off.", "later"),
        ("Extend a concert.", "later"),
        ("Renew a contract.", "later"),
        ("Advance a concert.", "earlier"),
        ("Bring forward a concert.", "earlier"),
        ("Reschedule a concert.", ""),
        ("Put a concert on the list.", ""),
    ],
)
def test_verbs_say_the_way(description: str, way: str) -> None:
    """Alone or with another word."""
    assert way_of(_tool("op17", description, "concert_id", "new_date")) == way


@pytest.mark.parametrize("day", ["2026-03-04", "2026-04-16"])
def test_what_is_put_off_comes_later(day: str) -> None:
    """Than any told day of its kind; a day that fits stays, and so does that of another thing."""
    tool = _tool("postpone_concert", "Postpone a concert.", "concert_id", "new_date")
    assert str(_new(tool, PLANNED, concert_id="C-7", new_date=day)["new_date"]) > "2026-04-16"
    assert _new(tool, PLANNED, concert_id="C-7", new_date="2026-05-01")["new_date"] == "2026-05-01"
    assert _new(tool, PLANNED, concert_id="C-8", new_date=day)["new_date"] == day
    listed = EarlierCall(PLAN, {}, {"concerts": [{"id": "C-7", "date": "2026-04-16", "created_date": "2026-09-09"}]})
    assert "2026-04-16" < str(_new(tool, listed, concert_id="C-7", new_date=day)["new_date"]) < "2026-09-09"


@pytest.mark.parametrize("day", ["2026-04-16", "2026-05-04"])
def test_what_is_brought_forward_comes_earlier(day: str) -> None:
    """Than was told."""
    tool = _tool("advance_concert", "Bring forward a concert.", "concert_id", "new_date")
    assert str(_new(tool, PLANNED, concert_id="C-7", new_date=day)["new_date"]) < "2026-04-16"


def test_a_change_is_one() -> None:
    """To another day, before or after; a look-up may be of the same one."""
    change = _tool("change_concert_date", "Change the date of a concert.", "concert_id", "new_date")
    look = _tool("show_concert", "Show a concert.", "concert_id", "date")
    assert _new(change, PLANNED, concert_id="C-7", new_date="2026-04-16")["new_date"] != "2026-04-16"
    assert _new(change, PLANNED, concert_id="C-7", new_date="2026-04-11")["new_date"] == "2026-04-11"
    assert _new(look, PLANNED, concert_id="C-7", date="2026-04-16")["date"] == "2026-04-16"


def test_an_end_lies_after_the_start_of_an_earlier_round() -> None:
    """With its time of day."""
    begun = EarlierCall(_tool("open_stall", "Open a stall.", "start_date"), {"start_date": "2026-04-16"}, {"id": "S1"})
    tool = _tool("close_stall", "Set the end of a stall.", "stall_id", "end_time")
    ended = str(_new(tool, begun, stall_id="S1", end_time="2026-04-02T18:30:00Z")["end_time"])
    assert ended > "2026-04-17"
    assert ended.endswith("T18:30:00Z")
