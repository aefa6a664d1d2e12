"""Over drawn sequences of calls no result contradicts its request, an earlier result, or the calendar.

The checker knows nothing of the package's rules: it reads results by the plain names of the schemas drawn here.
"""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.app.catalogs import read_catalog
from callwright.author.personas import bank
from callwright.author.value_drawing import draw_values
from callwright.author.wanted import wanted_parameters
from callwright.environment.returns import with_returns
from callwright.environment.tool_world import ToolWorld
from callwright.errors import RolloutFailed
from callwright.match.schema import fits_returns
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.tool import Catalog, Tool

TODAY = date(2026, 5, 4)
TEXT: Json = {"type": "string"}
TIME: Json = {"type": "string", "format": "date-time"}
STATUS: Json = {"type": "string", "enum": ["deleted", "draft", "open", "cancelled", "failed"]}
TASK: dict[str, Json] = {
    "id": TEXT, "name": TEXT, "status": STATUS, "created_at": TIME, "updated_at": TIME, "deleted_at": TIME,
    "archived": {"type": "boolean"}, "error": TEXT, "project_id": TEXT, "links": {"type": "array", "items": {}},
}  # fmt: skip
OPTIONAL: Json = {"type": "object", "properties": TASK}
FULL: Json = {"type": "object", "properties": TASK, "required": sorted(TASK)}
_HOST = "/projects/{project_id}/tasks"


def operation(source: str, name: str, returns: Json, *names: str) -> Tool:
    parameters = {"type": "object", "properties": dict.fromkeys(names, TEXT), "required": list(names)}
    text = "" if returns is None else encode(returns)
    return Tool(name=name, source=source, parameters=encode(parameters), returns=JsonText(text) or None)


def tools_of(task: Json, *, is_wrapped: bool) -> dict[str, Tool]:
    one: Json = {"type": "object", "properties": {"data": task}, "required": ["data"]} if is_wrapped else task
    items: dict[str, Json] = {"tasks": {"type": "array", "items": task}, "total": {"type": "integer"}}
    listed: Json = {"type": "object", "properties": {**items, "next_cursor": {"type": ["string", "null"]}}}
    made = (
        operation(f"POST {_HOST}", "createTask", one, "project_id", "name"),
        operation(f"GET {_HOST}", "listTasks", listed, "project_id"),
        operation("GET /tasks/{task_id}", "getTask", one, "task_id"),
        operation("PATCH /tasks/{task_id}", "updateTask", one, "task_id", "name"),
        operation("POST /tasks/{task_id}/cancel", "cancelTask", one, "task_id"),
        operation("DELETE /tasks/{task_id}", "deleteTask", None, "task_id"),
    )
    return {tool.name: tool for tool in made}


SCHEMAS = [tools_of(task, is_wrapped=wrapped) for task in (OPTIONAL, FULL) for wrapped in (False, True)]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(sorted(SCHEMAS[0])), st.integers(0, 4), st.sampled_from(("p1", "p2")), st.sampled_from("abc")
    ),
    min_size=1,
    max_size=12,
)


class Ledger:
    """What an observer has seen of the tasks: by id what was told and written, and which are deleted."""

    def __init__(self) -> None:
        self.told: dict[str, dict[str, Any]] = {}
        self.deleted: set[str] = set()
        self.lists: dict[str, Json] = {}

    def see(self, task: dict[str, Any], written: dict[str, Json]) -> None:
        known = self.told.setdefault(task["id"], {})
        for name, value in task.items():
            if name in known and name not in written and name not in ("status", "updated_at"):
                assert known[name] == value, f"{name} was {known[name]!r}, is {value!r}"
        known |= task
        for name, value in written.items():
            assert task.get(name, value) == value
        assert not task.get("archived"), "archived, and nobody did"
        assert not task.get("error"), "an error on success"
        assert not task.get("links"), "made-up links"
        for name in ("created_at", "updated_at"):
            assert task.get(name, "")[:10] <= TODAY.isoformat()
        if "created_at" in task and "updated_at" in task:
            assert task["created_at"] <= task["updated_at"]


def check(tools: dict[str, Tool], steps: list[tuple[str, int, str, str]]) -> int:
    place, ledger, seen = ToolWorld(seed=7, item="x", today=TODAY, persona=bank()[0]), Ledger(), 0
    for name, pick, project, title in steps:
        ids = sorted(ledger.told)
        values = {"project_id": project, "name": title, "task_id": ids[pick % len(ids)] if ids else "T-1"}
        tool = tools[name]
        arguments: dict[str, Json] = {one: values[one] for one in tool.required}
        result = place.call(tool, arguments)
        assert place.call(tool, arguments) == result, "a look changes nothing"
        place.keep(tool, arguments, result)
        own = str(arguments.get("task_id", ""))
        assert (result.error is not None) == (own in ledger.deleted)
        if result.value is None:
            continue
        value: Any = decode(result.value)
        assert fits_returns(value, tool)
        seen += 1
        see_result(ledger, name, arguments, value.get("data", value))
    return seen


def see_result(ledger: Ledger, name: str, arguments: dict[str, Json], value: Any) -> None:
    own = str(arguments.get("task_id", ""))
    if name == "deleteTask":
        ledger.deleted.add(own)
        ledger.lists.clear()
    elif name == "listTasks":
        found = [one["id"] for one in value["tasks"]]
        assert len(set(found)) == len(found) == value["total"]
        assert not ledger.deleted & set(found)
        assert not value.get("next_cursor")
        project = str(arguments["project_id"])
        for one in value["tasks"]:
            assert one.get("project_id", project) == project
            ledger.see(one, {})
        assert ledger.lists.setdefault(project, value["tasks"]) == value["tasks"]
    else:
        assert own in ("", value["id"])
        assert value["id"] not in ledger.deleted
        if name == "createTask":
            assert value["id"] not in ledger.told
            assert value.get("status", "draft") == "draft"
        if name == "cancelTask":
            assert value.get("status", "cancelled") == "cancelled"
        written = {one: given for one, given in arguments.items() if one in ("name", "project_id")}
        changed = {"deleted_at": value.get("deleted_at")} if name == "cancelTask" else {}
        ledger.see(value, written | changed)
        ledger.lists.clear()


@pytest.mark.parametrize("tools", SCHEMAS, ids=["optional", "optional wrapped", "required", "required wrapped"])
@given(steps=STEPS)
def test_results_hold_together(tools: dict[str, Tool], steps: list[tuple[str, int, str, str]]) -> None:
    """Identifiers echo, deletions hold, filters hold, days are in order, counts are lengths, reading repeats itself."""
    ready = {tool.name: tool for tool in (with_returns_of(one) for one in tools.values())}
    assert check(ready, steps) + len(steps) >= 1


def with_returns_of(tool: Tool) -> Tool:
    return with_returns(Catalog(tools=(tool,))).tools[0]


@pytest.mark.parametrize("seed", range(4))
def test_the_bundled_catalogue_keeps_its_word(seed: int) -> None:
    """An argument is never told otherwise, a repeated look-up never differs, and what was deleted is not found."""
    tools = with_returns(read_catalog("builtin/enterprise")).tools
    place, rng, compared = ToolWorld(seed=seed, item="x", today=TODAY, persona=bank()[seed]), Random(seed), 0
    for tool in rng.sample(tools, 60):
        try:
            arguments = draw_values(rng, tool, bank()[seed], today=TODAY, also=wanted_parameters(tool))
        except RolloutFailed:
            continue
        result = place.call(tool, arguments)
        assert place.call(tool, arguments) == result
        value: Any = decode(result.value or "{}")  # type: ignore[arg-type]
        assert fits_returns(value, tool) or result.value is None
        for name in value.keys() & arguments.keys():
            compared += 1
            assert value[name] == arguments[name]
        place.keep(tool, arguments, result)
    assert compared > 5
