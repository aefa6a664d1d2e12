"""Choices that nobody says as values: an act, and the type of a thing that is named."""

from __future__ import annotations

from callwright.papers.wild.gold_calls import PlannedCall
from callwright.papers.wild.task_briefs import Wish
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def wish(description: str, choices: Json, **values: Json) -> Wish:
    """Return the wish of a call whose parameter `action_type` has these choices; all others are identifiers."""
    typed: dict[str, Json] = {name: {"type": "string"} for name in values}
    typed["action_type"] = {"type": "string", "enum": choices}
    schema = {"type": "object", "properties": typed, "required": list(typed)}
    tool = Tool(name="op17", description=description, parameters=encode(schema))
    return PlannedCall(0, tool, "op17", dict(values)).wish()


def test_a_choice_that_is_an_act_is_the_verb() -> None:
    """Nobody manages a ferry with the type `close`; where the document names the act, the choice is a value."""
    managed = wish("Manage a ferry.", ["close", "open"], ferry_id="F-1", action_type="close")
    assert managed.gloss.verb == "close"
    assert [one.known.value for one in managed.mentions] == ["F-1"]
    read = wish("Get a ferry.", ["close", "open"], ferry_id="F-1", action_type="close")
    assert read.gloss.verb == "get"
    updated = wish("Update a ferry.", ["close", "open"], ferry_id="F-1", action_type="close")
    assert updated.gloss.verb == "update"
    assert [one.known.value for one in updated.mentions] == ["F-1", "close"]


def test_the_type_of_a_thing_that_is_named_is_not_said() -> None:
    """`The type is crew member` tells nothing beside the ID of a crew member; beside a ferry it does."""
    kinds: Json = ["crew_member", "guest"]
    named = wish("Remove a person.", kinds, crew_member_id="C-1", action_type="crew_member")
    assert [one.known.value for one in named.mentions] == ["C-1"]
    other = wish("Remove a person.", kinds, ferry_id="F-1", action_type="crew_member")
    assert [one.known.value for one in other.mentions] == ["F-1", "crew_member"]


def test_the_state_to_which_an_act_leads_is_not_said() -> None:
    """Nobody deletes a ferry with the status `DELETED`, and nobody is asked for it; another state is said."""
    schema: Json = {"type": "object", "properties": {"ferry_id": {"type": "string"}, "status": {"type": "string"}}}
    for description, state, said in (("Delete a ferry.", "DELETED", 1), ("Update a ferry.", "DELETED", 2)):
        tool = Tool(name="op17", description=description, parameters=encode(schema))
        made = PlannedCall(0, tool, "op17", {"ferry_id": "F-1", "status": state})
        assert len(made.wish().mentions) == said
        assert made.gold().values["status"] == state
