"""Tools that fail in wild sessions: what the error says is what the gold does."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from callwright.papers.wild.session_extras import ERRORS, stand_in
from callwright.papers.wild.session_plan import SessionPlanner
from callwright.records.annotations.wild_notes import PlannedFailure, Remedy
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from wild_workshop import EXTRAS, PUBLISHED, SEED, catalog, notes_of, planned, workshop

needs_lists = pytest.mark.skipif(not PUBLISHED.exists(), reason="the published tool lists are not here")


@cache
def failed(remedy: Remedy) -> tuple[Dialogue, PlannedFailure]:
    """Return a kept session in which a tool fails so, and how; `list 163` has two tools for synonyms."""
    shop = workshop(**EXTRAS)
    if remedy == "other_tool":
        lists = tuple(one for one in catalog().lists if one.name == "list 163")
        shop = SessionPlanner(msgspec.structs.replace(catalog(), lists=lists), shop.options, SEED)
    (dialogue,) = planned(shop, lambda plan: any(one.remedy == remedy for one in plan.failures))
    return dialogue, next(one for one in notes_of(dialogue).failures if one.remedy == remedy)


@needs_lists
@pytest.mark.parametrize("remedy", ["retry", "ask", "other_tool"])
def test_the_error_says_what_is_right(remedy: Remedy) -> None:
    """The failing call has that error as its result, and no value."""
    dialogue, failure = failed(remedy)
    result = dialogue.tasks[failure.task].gold[failure.call].result
    assert result is not None
    assert (result.value, result.error) == (None, failure.error)
    assert failure.error in ERRORS[remedy]


@needs_lists
def test_another_tool_makes_up_for_one_that_is_gone() -> None:
    """It is called after the failure, with the same values, and the tool that is gone never again in the session."""
    dialogue, failure = failed("other_tool")
    gold = dialogue.tasks[failure.task].gold
    gone, other = gold[failure.call], gold[failure.done_by or 0]
    assert other.tool != gone.tool
    assert failure.call in other.after
    assert list(other.values.values()) == list(gone.values.values())
    assert [one.tool for task in dialogue.tasks for one in task.gold].count(gone.tool) == 1
    assert {gone.tool, other.tool} <= {shown.name for shown in dialogue.tools}


@needs_lists
def test_a_list_without_such_a_tool_is_counted() -> None:
    """Nothing fails there, and the plan says so."""
    (dialogue,) = planned(workshop(**EXTRAS), lambda plan: bool(plan.no_other_tool))
    plan = notes_of(dialogue)
    assert plan.no_other_tool
    assert not any(failure.task in plan.no_other_tool for failure in plan.failures)


@needs_lists
def test_what_is_asked_about_is_not_tried_again() -> None:
    """The task ends with its failing call, and with a question."""
    dialogue, failure = failed("ask")
    assert failure.done_by is None
    assert len(dialogue.tasks[failure.task].gold) == 1
    assert "?" in dialogue.turns[-1].text


def tool(name: str, description: str, *required: str, **optional: str) -> Tool:
    properties = {one: {"type": "string"} for one in (*required, *optional)}
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name=name, description=description, parameters=encode(schema))


WEATHER = tool("getCurrentWeather", "Retrieve the current weather information for a location.", "location")
DETAILS = tool("getWeatherDetails", "Get detailed weather data for a location.", "location")


def test_the_same_lookup_of_the_same_thing_stands_in() -> None:
    """In other words, and with a document of its own."""
    assert stand_in(WEATHER, DETAILS, ["location"]) == {"location": "location"}


@pytest.mark.parametrize(
    "other",
    [
        tool("getWeatherForecast", "Get the weather forecast for a location.", "location"),
        tool("deleteWeather", "Delete the current weather information for a location.", "location"),
        tool("getWeatherDetails", "Get detailed weather data for a location.", "location", "station_id"),
        tool("getWeatherDetails", "Get detailed weather data for a location.", "station_id"),
    ],
)
def test_no_other_stands_in(other: Tool) -> None:
    """Another thing, another action, something required that nobody said, and no place for what was said."""
    assert stand_in(WEATHER, other, ["location"]) is None
