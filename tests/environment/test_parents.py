"""What lists tell of the thing that holds the listed things."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from callwright.author.personas import bank
from callwright.environment.tool_world import ToolWorld
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

TEXT: Json = {"type": "string"}


def whole(**fields: Json) -> Json:
    return {"type": "object", "properties": fields, "required": list(fields)}


def several(**fields: Json) -> Json:
    return {"type": "array", "items": whole(**fields)}


def at(source: str, name: str, returns: Json, *body: str) -> Tool:
    asked = [part[1:-1] for part in source.split("/") if part.startswith("{")] + list(body)
    parameters = {"type": "object", "properties": dict.fromkeys(asked, TEXT), "required": asked}
    return Tool(name=name, source=source, parameters=encode(parameters), returns=encode(returns))


def said(place: ToolWorld, tool: Tool, **arguments: Json) -> Any:
    result = place.call(tool, arguments)
    place.keep(tool, arguments, result)
    assert result.value is not None, result.error
    return decode(result.value)


PROJECTS = at("GET /teams/{team_id}/projects", "listProjects", whole(name=TEXT, projects=several(id=TEXT, name=TEXT)))
FILES = at("GET /projects/{project_id}/files", "listFiles", whole(name=TEXT, files=several(key=TEXT, name=TEXT)))
HOOK = at("PUT /hooks/{hook_id}", "putHook", whole(id=TEXT, endpoint=TEXT), "endpoint")
SENT = at(
    "GET /hooks/{hook_id}/requests", "listRequests", whole(requests=several(info=whole(endpoint=TEXT, sent_at=TEXT)))
)


def world(seed: int) -> ToolWorld:
    return ToolWorld(seed=seed, item="f", today=date(2026, 5, 4), persona=bank()[0], tools=(PROJECTS, FILES))


@pytest.mark.parametrize("seed", range(4))
def test_the_name_beside_a_list_is_that_of_what_holds_it(seed: int) -> None:
    """A project has beside its files the name under which it was listed, and its team keeps the name told first."""
    place = world(seed)
    listed = said(place, PROJECTS, team_id="5")
    for one in listed["projects"]:
        assert said(place, FILES, project_id=one["id"])["name"] == one["name"]
    assert said(place, PROJECTS, team_id="5")["name"] == listed["name"]


def test_listed_things_have_the_endpoint_of_what_holds_them() -> None:
    """Requests of a webhook went to its endpoint, and those of an unknown one all to the same."""
    place = world(2)
    said(place, HOOK, hook_id="7", endpoint="https://www.larkfield.com/hooks/orders")
    told = {one["info"]["endpoint"] for one in said(place, SENT, hook_id="7")["requests"]}
    assert told == {"https://www.larkfield.com/hooks/orders"}
    unknown = said(place, SENT, hook_id="8")["requests"]
    assert len(unknown) > 1
    assert len({one["info"]["endpoint"] for one in unknown}) == 1
