"""Arguments stand in the fields of a result that mean the same."""

from __future__ import annotations

from datetime import date

import pytest

from callwright.author.personas import bank
from callwright.environment.echoes import asked_fields, echoes, formed, plain_words
from callwright.environment.tool_target import target_of, told_places
from callwright.environment.tool_world import ToolWorld
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool


def tool(source: str, description: str, *names: str, returns: Json = None) -> Tool:
    properties = {name: {"type": "string"} for name in names}
    schema = {"type": "object", "properties": properties, "required": list(names)}
    shape = {"type": "object", "properties": returns or {}}
    name = source.lower().replace("/", "_").replace(" ", "").replace("{", "").replace("}", "")
    return Tool(name=name, description=description, source=source, parameters=encode(schema), returns=encode(shape))


ITEMS: Json = {"data": {"type": "array", "items": {"type": "object"}}}
READ = tool("GET /tasks/{task_id}", "Get a task.", "task_id")
LIST = tool("GET /tasks", "List tasks.", "project_id", "status", returns=ITEMS)
CREATE = tool("POST /projects/{project_id}/tasks", "Create a task.", "project_id", "name")


def laid(one: Tool, arguments: dict[str, Json], value: Json) -> Json:
    target = target_of(one)
    asked = asked_fields(one, target, arguments)
    for edit in [edit for place in told_places(target, value, _shape(value)) for edit in echoes(asked, target, place)]:
        edit.place[edit.name] = edit.value
    return value


def _shape(value: Json) -> Json:
    """A schema of the value."""
    if isinstance(value, dict):
        return {"type": "object", "properties": {name: _shape(one) for name, one in value.items()}}
    if isinstance(value, list):
        return {"type": "array", "items": _shape(value[0])}
    return {"type": "string"}


@pytest.mark.parametrize(
    ("one", "act", "own"),
    [
        (READ, "read", "task_id"),
        (LIST, "list", ""),
        (CREATE, "create", ""),
        (tool("DELETE /tasks/{task_id}", "Delete a task.", "task_id"), "delete", "task_id"),
        (tool("DELETE /files/{file_id}/watermark", "Remove a watermark.", "file_id"), "delete", ""),
        (tool("PUT /tasks/{task_id}", "Update a task.", "task_id"), "change", "task_id"),
        (tool("DELETE /files/{file_id}/tags/{tag_id}", "Remove a tag.", "file_id", "tag_id"), "delete", "tag_id"),
        (tool("POST /tasks/{task_id}/archive", "Archive a task.", "task_id"), "change", "task_id"),
        (tool("POST /tasks/{task_id}/tags", "Tag a task.", "task_id"), "create", ""),
        (tool("GET /metadata/{scope}/{template_key}", "Get a template.", "scope", "template_key"), "read", ""),
    ],
)
def test_the_path_says_what_a_tool_acts_on(one: Tool, act: str, own: str) -> None:
    """Its last parameter is the thing, unless the call makes a new one or acts on something below it."""
    target = target_of(one)
    assert (target.act, target.own) == (act, own)


@pytest.mark.parametrize(
    "value", [{"id": "x"}, {"gid": "x"}, {"taskId": "x"}, {"data": {"id": "x"}}, {"task": {"id": "x"}}]
)
def test_what_is_read_by_its_id_has_that_id(value: dict[str, Json]) -> None:
    """Wherever the result tells of the thing."""
    assert "12045" in encode(laid(READ, {"task_id": "12045"}, value))


def test_what_was_created_has_an_id_of_its_own() -> None:
    """And the name and the parent that it was created with."""
    value: Json = {"id": "9", "name": "x", "project": {"id": "1", "name": "y"}, "projectId": "1"}
    made = laid(CREATE, {"project_id": "7", "name": "Plan"}, value)
    assert made == {"id": "9", "name": "Plan", "project": {"id": "7", "name": "y"}, "projectId": "7"}


def test_a_list_holds_what_it_was_asked_for() -> None:
    """The state of each item, and what it belongs to."""
    value: Json = {"data": [{"id": n, "status": "closed", "project": {"id": "1"}} for n in ("1", "2")]}
    asked = laid(LIST, {"project_id": "7", "status": "open"}, value)
    assert asked == {"data": [{"id": n, "status": "open", "project": {"id": "7"}} for n in ("1", "2")]}


def test_an_identifier_is_that_of_the_same_thing_only() -> None:
    """A payment that is recorded for an invoice has an identifier of its own, and so has a tag of a contact."""
    pay = tool("POST /invoices/{id}/payments", "Record a payment.", "id", "amount")
    assert laid(pay, {"id": "7", "amount": "12"}, {"id": "9", "amount": "1"}) == {"id": "9", "amount": "12"}
    tag = tool("POST /contacts/{contact_id}/tags", "Add a tag to a contact.", "contact_id", "id")
    assert laid(tag, {"contact_id": "7", "id": "3"}, {"id": "9", "name": "x"}) == {"id": "3", "name": "x"}


@pytest.mark.parametrize(
    ("made", "schema", "held"),
    [
        ("7", {"type": "integer"}, 7),
        (7, {"type": "string"}, "7"),
        ("seven", {"type": "integer"}, None),
        (True, {"type": "integer"}, None),
        (True, {"type": "boolean"}, True),
        (1, {"type": "boolean"}, None),
        ("Cancelled", {"type": "string", "enum": ["OPEN", "CANCELED"]}, "CANCELED"),
        ("lost", {"type": "string", "enum": ["OPEN", "CANCELED"]}, None),
        ("2026-07-01", {"type": "string", "format": "date-time"}, "2026-07-01T00:00:00Z"),
        ("2026-07-01T09:00:00Z", {"type": "string", "format": "date"}, "2026-07-01"),
        ({"a": "1", "b": 2}, {"type": "object", "properties": {"a": {"type": "integer"}}}, {"a": 1}),
        (["x"], {"type": "array", "items": {"type": "string"}}, ["x"]),
        (["x"], {"type": "array", "items": {"type": "integer"}}, None),
        ("x", {"type": "array"}, None),
    ],
)
def test_a_value_takes_the_form_of_the_field(made: Json, schema: dict[str, Json], held: Json) -> None:
    """A number that is written as text is a number; where there is no such form nothing is repeated."""
    assert encode(formed(made, schema)) == encode(held)


def test_an_act_repeats_what_it_was_given_under_a_longer_name() -> None:
    """The alarm's time is the one that was set; the end is another moment, and a look-up tells its own."""
    schema = {"type": "object", "properties": {"time": {"type": "string"}}, "required": ["time"]}
    for name, field, is_repeated in (
        ("set_alarm", "alarm_time", True),
        ("set_alarm", "end_time", False),
        ("get_tide", "sunrise_time", False),
    ):
        returns = {"type": "object", "properties": {field: {"type": "string"}}, "required": [field]}
        tool = Tool(name=name, description=name.replace("_", " "), parameters=encode(schema), returns=encode(returns))
        place = ToolWorld(seed=3, item="x", today=date(2026, 5, 4), persona=bank()[0], tools=(tool,))
        told = decode(place.call(tool, {"time": "04:17"}).value or "{}")
        assert (told[field] == "04:17") is is_repeated, (name, told)


def test_a_field_that_names_its_thing_is_the_argument_without_the_noun() -> None:
    """`taskStatus` of listed tasks is the `status` that was asked for; `taskName` differs between them."""
    one = tool("GET /tasks", "List tasks.", "status", "name", returns=ITEMS)
    drawn: Json = {"data": [{"taskStatus": "open", "taskName": "Sweep", "roomStatus": "free"}]}
    told = laid(one, {"status": "held", "name": "Sw"}, drawn)
    assert told == {"data": [{"taskStatus": "held", "taskName": "Sweep", "roomStatus": "free"}]}


def test_what_was_written_within_an_object_is_repeated_under_joined_names() -> None:
    """`customer.name` is `customerName` of what was made, and the `name` of its `customer`."""
    body: Json = {"type": "object", "properties": {"name": TEXT_SCHEMA}}
    schema: Json = {"type": "object", "properties": {"customer": body}}
    shown: Json = {"customerName": TEXT_SCHEMA, "buyer": {"type": "object", "properties": {"customer": body}}}
    one = Tool(
        name="create_visit", description="Create a visit.", parameters=encode(schema),
        returns=encode({"type": "object", "properties": shown, "required": [*shown]}),
    )  # fmt: skip
    told = laid(one, {"customer": {"name": "Ada"}}, {"customerName": "Bo", "buyer": {"customer": {"name": "Bo"}}})
    assert told == {"customerName": "Ada", "buyer": {"customer": {"name": "Ada"}}}


TEXT_SCHEMA: Json = {"type": "string"}


def test_a_thing_asked_for_by_another_identifier_keeps_its_own() -> None:
    """An item found by `legacy_item_id` tells that, and an `itemId` of its own."""
    one = tool("GET /items/legacy/{legacy_item_id}", "Get an item by its legacy id.", "legacy_item_id")
    told = laid(one, {"legacy_item_id": "74084"}, {"itemId": "5", "legacyItemId": "6"})
    assert told == {"itemId": "5", "legacyItemId": "74084"}


def test_an_identifier_is_none_of_a_part_of_another_kind() -> None:
    """The original check of a continuous check has an identifier of its own; words searched for are the query."""
    one = tool("GET /continuous-checks/{continuous_check_id}", "Get a continuous check.", "continuous_check_id")
    told = laid(one, {"continuous_check_id": "7"}, {"id": "1", "originalCheck": {"check_id": "2"}})
    assert told == {"id": "7", "originalCheck": {"check_id": "2"}}
    found = laid(tool("GET /notes/search", "Find notes.", "searchTerms"), {"searchTerms": "tea"}, {"query": "rum"})
    assert found == {"query": "tea"}


def test_fields_are_the_same_in_full_and_shortened() -> None:
    assert plain_words("dictId") == plain_words("dictionary_id") == ("dictionary", "id")
    assert plain_words("docUuid") == plain_words("documentId")


@pytest.mark.parametrize("asked_by", ["block", "blockNumber", "number", "height"])
def test_a_thing_that_is_read_by_its_number_has_that(asked_by: str) -> None:
    """Block 346 tells `number` 346, whatever the parameter is called; its size is its own."""
    one = tool("GET_BLOCK", "Get full data from a specific block.", asked_by)
    assert laid(one, {asked_by: "346"}, {"number": "4", "size": "9"}) == {"number": "346", "size": "9"}


def test_another_number_is_not_that_of_a_thing_read_by_a_name() -> None:
    """A block read by its miner, or by a code with letters, keeps the number that was drawn."""
    by_miner = tool("GET_BLOCK", "Get full data from a specific block.", "miner")
    assert laid(by_miner, {"miner": "346"}, {"number": "4"}) == {"number": "4"}
    by_hash = tool("GET_BLOCK", "Get full data from a specific block.", "block")
    assert laid(by_hash, {"block": "0xab"}, {"number": "4"}) == {"number": "4"}
