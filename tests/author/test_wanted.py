"""Which parameters a user has a value for."""

from __future__ import annotations

from callwright.author.wanted import wanted_parameters
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


def tool(description: str, required: list[str], **properties: dict[str, str]) -> Tool:
    schema = {"type": "object", "properties": properties, "required": required}
    return Tool(name="x", description=description, parameters=encode(schema))


ID = {"type": "string", "description": "The ID of the reminder."}
NOTE = {"type": "string", "description": "title of the folder"}


def test_required_parameters_are_wanted_and_no_others() -> None:
    """A document that says what it needs is believed."""
    found = wanted_parameters(tool("Send a reminder.", ["to"], to={"type": "string"}, reminder_id=ID))

    assert found == ("to",)


def test_an_act_on_one_thing_wants_to_know_which() -> None:
    """Nobody deletes a reminder without saying which, whatever the document requires."""
    assert wanted_parameters(tool("Deletes a reminder.", [], reminder=ID, limit={"type": "integer"})) == ("reminder",)


def test_whole_lists_want_nothing() -> None:
    """A list may be asked for as a whole."""
    assert wanted_parameters(tool("List reminders.", [], reminder_id=ID)) == ()


def test_an_update_wants_a_new_value() -> None:
    """An update that changes nothing is none."""
    found = wanted_parameters(
        tool("Update a folder.", ["folder_id"], folder_id={"type": "string", "description": "folder ID"}, title=NOTE)
    )

    assert found == ("folder_id", "title")
