"""`builtin/author` as the tools: it returns what its prompt asks for and nothing that the prompt rules out."""

from __future__ import annotations

from callwright.environment.scripted_tools import scripted_result
from callwright.match.schema import fits_schema
from callwright.records.jsontext import encode

RETURNS = {
    "type": "object",
    "properties": {
        "slots": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"slot_id": {"type": "string"}, "site": {"type": "string"}},
                "required": ["slot_id", "site"],
            },
        }
    },
    "required": ["slots"],
}
TOOL = {"name": "find_slots", "description": "Find slots.", "parameters": {"type": "object"}, "returns": RETURNS}
PROMPT = f"""\
Today: Sunday, 2027-03-14
The tools, one on each line:
{encode(TOOL)}

The conversation:
Person: Which slots are there?

Fixed:
- /slots/0/site = "North"
- /slots/1/site = "South"
- /slots/1/slot_id = "TS-118"
The call: find_slots {{}}
The result:"""


def test_fixed_fields_stand_in_a_result_that_fits() -> None:
    """The list has the items that are fixed and no others."""
    found = scripted_result(PROMPT)
    assert found is not None
    result = found["result"]
    assert fits_schema(result, encode(RETURNS))
    assert isinstance(result, dict)
    assert [(one["site"], one["slot_id"] == "TS-118") for one in result["slots"]] == [("North", False), ("South", True)]


def test_other_prompts_are_not_its_own() -> None:
    """They are left to others."""
    assert scripted_result("The turn:") is None
