"""What a result is refused for that takes the place of a planned one."""

from __future__ import annotations

import pytest

from callwright.environment.fixed_fields import FixedField
from callwright.environment.result_faults import replacing_faults
from callwright.records.dialogue import Call, Dialogue, Participant, Provenance, Result, Step, Turn
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

RETURNS = {"type": "object", "properties": {"desk_id": {"type": "string"}, "floor": {"type": "integer"}}}
GET = Tool(name="get_desk", description="Get a desk.", source="GET /desks/{desk_id}", returns=encode(RETURNS))
LIST = Tool(name="list_desks", description="List desks.", source="GET /desks", returns=encode({"type": "object"}))
CALL = Call("get_desk", encode({"desk_id": "D-7"}))
PLANNED: Json = {"desk_id": "D-7", "floor": 3}


def dialogue() -> Dialogue:
    """A list of desks was returned."""
    listed = Result(value=encode({"desks": [{"desk_id": "D-7", "floor": 3}]}))
    step = Step(act="call", calls=(Call("list_desks", encode({})),), results=(listed,))
    people = (Participant("user", "user"), Participant("assistant", "assistant"))
    return Dialogue(
        id="d",
        recipe="r.v1",
        participants=people,
        turns=(Turn("assistant", steps=(step,)),),
        provenance=Provenance(author="a", callwright="0"),
    )


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        (PLANNED, []),
        ({"desk_id": "D-7"}, []),
        ({"desk_id": "D-7", "floor": "third"}, ["result_unlike_schema", "result_contradicts"]),
        ({"desk_id": "D-8", "floor": 3}, ["result_contradicts"]),
        ({"desk_id": "D-7", "floor": 4}, ["result_contradicts"]),
        ({"desk_id": "D-7", "view": "[insert view]"}, ["placeholder_left"]),
        ({"desk_id": "D-7", "view": "x" * 5_000}, ["result_too_long"]),
    ],
)
def test_each_fault_has_its_code(value: Json, codes: list[str]) -> None:
    """Schema, what is fixed, what was returned before, placeholders and length."""
    fixed = (FixedField("/desk_id", "D-7"),)
    tools = {one.name: one for one in (GET, LIST)}

    found = {fault.code for fault in replacing_faults(value, PLANNED, fixed, CALL, tools, dialogue())}

    assert found == set(codes)


def test_what_the_plan_has_too_is_no_fault() -> None:
    """A planned result that contradicts an earlier one does not make a model's wrong."""
    planned: Json = {"desk_id": "D-7", "floor": 5}
    tools = {one.name: one for one in (GET, LIST)}
    assert not list(replacing_faults(planned, planned, (), CALL, tools, dialogue()))
