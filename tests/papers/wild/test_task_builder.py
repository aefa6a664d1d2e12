"""Calls for things that an earlier result of the session listed."""

from __future__ import annotations

from datetime import date
from random import Random

import msgspec

from callwright.author.personas import bank
from callwright.environment.told_outputs import outputs
from callwright.environment.tool_world import ToolWorld
from callwright.graph.value_flows import Flow
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask, fed_reference
from callwright.papers.wild.one_call_tasks import is_counted, may_be_another
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import argument_facts, result_facts
from callwright.papers.wild.task_builder import TaskBuilder, things_first
from callwright.papers.wild.tool_pool import FeedEdge, ToolPool
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

TEXT: Json = {"type": "string"}


def _tool(name: str, source: str, *required: str, returns: Json = None) -> Tool:
    schema = {"type": "object", "properties": dict.fromkeys(required, TEXT), "required": list(required)}
    told = None if returns is None else encode(returns)
    return Tool(name=name, parameters=encode(schema), returns=told, source=source)


ITEM: Json = {
    "type": "object",
    "properties": {"task_id": TEXT, "project_id": TEXT, "name": TEXT},
    "required": ["task_id"],
}
LIST = _tool(
    "listTasks",
    "GET /projects/{project_id}/tasks",
    "project_id",
    returns={"type": "object", "properties": {"tasks": {"type": "array", "items": ITEM, "minItems": 2}}},
)
CLOSE = _tool("closeTask", "POST /projects/{project_id}/tasks/{task_id}/close", "project_id", "task_id")
TASKS = {f"T-{number}" for number in range(4711, 4714)}


def _builder(seed: int) -> TaskBuilder:
    """A session in which the user asked for the tasks of project P-100, and got three."""
    pool = ToolPool("", [LIST, CLOSE], ["listTasks", "closeTask"], {}, {})
    world = ToolWorld(seed=1, item="x", today=date(2026, 5, 4), persona=bank()[0], tools=pool.tools)
    builder = TaskBuilder(Random(seed), pool, bank()[0], date(2026, 5, 4), world)
    call = PlannedCall(0, LIST, "listTasks", {"project_id": "P-100"})
    value = {"tasks": [{"task_id": one, "project_id": "P-100", "name": f"Task {one}"} for one in sorted(TASKS)]}
    builder.memory.facts += argument_facts(LIST, call.values, {"project_id": 0}, task=0, ask=0)
    builder.memory.facts += result_facts(LIST, Result(value=encode(value)), task=0, call=0, turn=1)
    builder.memory.asks.append(0)
    return builder


def test_a_call_is_for_a_thing_that_was_listed() -> None:
    """With what it belongs to, and each of one request for another thing."""
    builder = _builder(3)
    drawn = [builder.draw_listed(1) for _ in TASKS]
    assert {str(call.values["task_id"]) for call in drawn if call} == TASKS
    assert {call.values["project_id"] for call in drawn if call} == {"P-100"}
    spare = builder.draw_listed(1)
    assert spare is not None
    assert spare.values["task_id"] not in TASKS


def test_what_a_call_keeps_bars_things_of_others() -> None:
    """A listed task is not closed in another project."""
    builder = _builder(3)
    assert not builder.listed_thing(CLOSE, {"project_id": "P-200", "task_id": "T-1"}, {"project_id"})
    listed = builder.listed_thing(CLOSE, {"project_id": "P-100", "task_id": "T-1"}, {"project_id"})
    assert listed["task_id"] in TASKS


def test_a_thing_that_was_named_is_not_taken_for_another() -> None:
    """Nor one that is gone."""
    builder = _builder(3)
    facts = builder.memory.listed_things(CLOSE, "task_id", "T-1")
    assert {str(fact.known.value) for fact in facts} == TASKS
    builder.memory.gone.add(encode("T-4711"))
    assert "T-4711" not in {fact.known.value for fact in builder.memory.listed_things(CLOSE, "task_id", "T-1")}


def test_nobody_makes_a_second_thing_of_one_name() -> None:
    """In one session; a change may give it again."""
    make = _tool("createTask", "POST /tasks", "task_name")
    pool = ToolPool("", [make], ["createTask"], {}, {})
    world = ToolWorld(seed=1, item="x", today=date(2026, 5, 4), persona=bank()[0], tools=pool.tools)
    builder = TaskBuilder(Random(1), pool, bank()[0], date(2026, 5, 4), world)
    call = PlannedCall(0, make, "createTask", {"task_name": "Paint the door"})
    assert builder.run([call])
    builder.memory.calls.add((make.key, encode({"task_name": "Paint the door", "note": "blue"})))
    assert not builder.run([call])
    assert builder.run([PlannedCall(0, make, "createTask", {"task_name": "Paint the gate"})])


def test_nobody_makes_a_second_thing_with_what_is_the_first_ones_own() -> None:
    """A login or an address of an earlier creation is not referred to in another one."""
    builder = _builder(1)
    make = _tool("createUser", "POST /users", "email")
    builder.memory.calls.add((make.key, encode({"email": "ada@example.org"})))

    assert builder._makes_twin(make, "email", encode("ada@example.org"))
    assert not builder._makes_twin(make, "email", encode("bo@example.org"))


def test_nothing_is_ended_twice() -> None:
    """A task that was closed is not closed again; another one is."""
    builder = _builder(1)
    builder.memory.calls.add((CLOSE.key, encode({"project_id": "P-100", "task_id": "T-4711"})))
    again, other = ({"project_id": "P-100", "task_id": one} for one in ("T-4711", "T-4712"))
    assert builder._is_done(PlannedCall(1, CLOSE, "closeTask", again))
    assert not builder._is_done(PlannedCall(1, CLOSE, "closeTask", other))


def test_another_is_said_of_an_act_that_was_done_before() -> None:
    """`Close another task` before any was closed is false; another list of tasks can be looked at."""
    builder = _builder(3)
    assert not may_be_another(builder, CLOSE)
    assert may_be_another(builder, LIST)
    builder.memory.calls.add((CLOSE.key, encode({"task_id": "T-1"})))
    assert may_be_another(builder, CLOSE)


def test_another_thing_is_seen_where_one_was_told() -> None:
    """`Another task` after a list of tasks; not where a result only held an identifier that nobody heard."""
    builder = _builder(3)
    read = _tool("getTask", "GET /projects/{project_id}/tasks/{task_id}", "project_id", "task_id")
    assert may_be_another(builder, read)
    builder.memory.facts = [msgspec.structs.replace(fact, entity="") for fact in builder.memory.facts]
    assert not may_be_another(builder, read)


def test_weather_is_not_counted() -> None:
    """`Another city`, but not `another weather`."""
    assert is_counted(_tool("getCity", "GET /cities/{city_id}", "city_id"), "city_id")
    assert not is_counted(_tool("getWeather", "GET /weather/{weather_id}", "weather_id"), "weather_id")


def test_what_is_asked_about_a_thing_is_one_request() -> None:
    """`What I asked you about the task` is unclear after two requests that named a task, whatever they were for."""
    builder = _builder(3)
    assert builder.memory.requests_about("task") == {0}
    comment = _tool("listComments", "GET /tasks/{task_id}/comments", "task_id")
    builder.memory.facts += argument_facts(comment, {"task_id": "T-4711"}, {"task_id": 2}, task=1, ask=2)
    assert builder.memory.requests_about("task") == {0, 1}


def test_a_thing_of_one_owner_is_not_got_from_another() -> None:
    """The first task on a project's list is not closed in a site, which the call takes in place of the project."""
    builder = _builder(3)
    in_site = _tool("closeSiteTask", "POST /sites/{site_id}/tasks/{task_id}/close", "site_id", "task_id")
    for tool, owner, is_hidden in ((CLOSE, "project_id", True), (in_site, "site_id", False)):
        call = PlannedCall(1, tool, "close", {owner: "P-100", "task_id": "T-1"}, ways={owner: "missing"})
        task = PlannedTask(TaskDesign("clarify", hiding="coreference"), [call], missing=(owner,))
        builder.memory.tools = [{"listTasks"}]
        assert builder.hide_value(task, [call], 0) is is_hidden


def test_the_one_thing_that_is_made_has_no_place_in_a_list() -> None:
    """`Then close that ticket`, though the ticket made stands in a list; of several that are made there is a first."""
    held: Json = {"type": "array", "items": {"type": "object", "properties": {"ticket_id": TEXT, "seat": TEXT}}}
    returns: Json = {"type": "object", "properties": {"tickets": held}}
    consumer = _tool("printTicket", "POST /tickets/{ticket_id}/print", "ticket_id")
    for description, ordinal in (("Create a ticket.", 0), ("Create tickets.", 1)):
        made = msgspec.structs.replace(_tool("make", "POST /tickets", returns=returns), description=description)
        output = next(one for one in outputs(made) if one.name == "ticket_id")
        edge = FeedEdge(0, 1, Flow(made, consumer, output, "ticket_id"))
        reference = fed_reference(made, PlannedCall(1, consumer, "print", {"ticket_id": "7"}), edge, 0)
        value = {"tickets": [{"ticket_id": "7", "seat": "4A"}]}
        facts = [one for one in result_facts(made, Result(value=encode(value)), task=0, call=0, turn=1) if one.is_new]
        assert (reference.entity, reference.ordinal) == ("ticket", ordinal)
        assert [one.ordinal for one in facts] == [ordinal]


def test_what_the_one_thing_looked_up_has_is_its() -> None:
    """A lookup that answers with a list of one has no `first folder`; a list of entries in a thing has a first one."""
    letter: Json = {"type": "object", "properties": {"letter_id": TEXT, "folder_id": TEXT}}
    wrapped: Json = {"type": "object", "properties": {"letters": {"type": "array", "items": letter}}}
    inner: Json = {"type": "object", "properties": {"folders": {"type": "array", "items": letter}}}
    consumer = _tool("getFolder", "GET /folders/{folder_id}", "folder_id")
    ordinals = []
    for returns in (wrapped, inner):
        producer = _tool("getLetter", "GET /letters/{letter_id}", "letter_id", returns=returns)
        output = next(one for one in outputs(producer) if one.name == "folder_id")
        edge = FeedEdge(0, 1, Flow(producer, consumer, output, "folder_id"))
        ordinals.append(fed_reference(producer, PlannedCall(1, consumer, "getFolder", {}), edge, 0).ordinal)
    assert ordinals == [0, 1]


def test_the_innermost_thing_is_referred_to() -> None:
    """A like is on a comment: `the like for that file` would say nothing of the comment."""
    names = ("text", "file_id", "comment_id")
    unlike = _tool("unlike", "DELETE /files/{file_id}/comments/{comment_id}/likes", *names)
    assert things_first(unlike, names) == ["comment_id", "file_id", "text"]
