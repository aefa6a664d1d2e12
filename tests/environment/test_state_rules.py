"""Which acts lead a thing to another state, and in which states a description allows an act."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec
import pytest

from callwright.author.personas import bank
from callwright.environment.state_rules import allowed_states
from callwright.environment.tool_world import ToolWorld
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

TEXT: Json = {"type": "string"}


def operation(source: str, name: str, states: tuple[str, ...] = (), description: str = "") -> Tool:
    asked = [part[1:-1] for part in source.split("/") if part.startswith("{")]
    parameters: Json = {"type": "object", "properties": dict.fromkeys(asked, TEXT), "required": [*asked]}
    shown: dict[str, Json] = {"id": TEXT, "state": {"type": "string", "enum": [*states]}}
    returns: Json = {"type": "object", "properties": shown, "required": list(shown)}
    return Tool(
        name=name,
        source=source,
        description=description,
        parameters=encode(parameters),
        returns=encode(returns) if states else None,
    )


STATES = ("open", "snoozed", "closed")
READ = operation("GET /talks/{talk_id}", "getTalk", STATES)
REDACT = operation("PUT /talks/{talk_id}/redact", "redactTalk", STATES, "Redact a talk.")
CLOSE = operation("POST /talks/{talk_id}/close", "closeTalk", STATES)
DELETE = operation("DELETE /talks/{talk_id}", "deleteTalk", (), "Deletes talks in the closed or archived state only.")


def world(seed: int) -> ToolWorld:
    return ToolWorld(seed=seed, item="f", today=date(2026, 5, 4), persona=bank()[0], tools=(READ, REDACT, CLOSE))


def said(place: ToolWorld, tool: Tool) -> Any:
    result = place.call(tool, {"talk_id": "930"})
    place.keep(tool, {"talk_id": "930"}, result)
    assert result.value is not None, result.error
    return decode(result.value)


@pytest.mark.parametrize("seed", range(6))
def test_a_state_stays_after_an_act_that_is_about_none(seed: int) -> None:
    """What is redacted stays open or snoozed, and what is closed is closed."""
    place = world(seed)
    before = said(place, READ)["state"]
    assert [said(place, one)["state"] for one in (REDACT, CLOSE, REDACT)] == [before, "closed", "closed"]


def test_nothing_is_deleted_in_a_state_that_a_description_excludes() -> None:
    """A talk that is told as open cannot be deleted; once it is closed, or of an unknown state, it can."""
    places = [world(seed) for seed in range(8)]
    told = [said(place, READ)["state"] for place in places]
    results = [place.call(DELETE, {"talk_id": "930"}) for place in places]
    assert {"open", "closed"} <= {*told, *(said(place, CLOSE)["state"] for place in places)}
    assert [one.error is None for one in results] == [state == "closed" for state in told]
    assert all(place.call(DELETE, {"talk_id": "930"}).error is None for place in places)
    assert world(1).call(DELETE, {"talk_id": "930"}).error is None


def test_what_was_sent_is_not_deleted_where_only_drafts_can_be() -> None:
    """Its sending told no state; another that nobody sent can be deleted, and a sent one where all can be."""
    send = operation("POST /talks/{talk_id}/send", "sendTalk")
    drafts = operation("DELETE /talks/{talk_id}", "deleteTalk", (), "Deletes talks in the draft state only.")
    place = ToolWorld(seed=3, item="f", today=date(2026, 5, 4), persona=bank()[0], tools=(send, drafts))
    said(place, with_returns_of(send))
    assert place.fork().call(drafts, {"talk_id": "930"}).error == "the talk is sent"
    assert place.call(with_returns_of(drafts), {"talk_id": "931"}).error is None
    assert place.call(with_returns_of(operation("DELETE /talks/{talk_id}", "deleteTalk")), {"talk_id": "930"}).value


def with_returns_of(one: Tool) -> Tool:
    """A tool that returns a link alone."""
    returns = encode({"type": "object", "properties": {"href": TEXT}, "required": ["href"]})
    return msgspec.structs.replace(one, returns=returns)


@pytest.mark.parametrize(
    ("description", "states"),
    [
        ("Deletes talks in the draft or scheduled state only.", {"draft", "schedul"}),
        ("The talk must be in the `closed` state.", {"close"}),
        ("Only draft or void talks can be deleted.", {"draft", "void"}),
        ("Only workspace owners can be invited.", set()),
        ("Deletes a talk.", set()),
    ],
)
def test_descriptions_say_in_which_states_an_act_is_possible(description: str, states: set[str]) -> None:
    """Words before `state only` and the like are states; other sentences say nothing of them."""
    assert allowed_states(operation("DELETE /talks/{talk_id}", "deleteTalk", (), description)) == states


@pytest.mark.parametrize(
    ("states", "is_needed", "told"),
    [
        (("ACTIVE", "PAUSED"), True, "PAUSED"),
        (("ACTIVE", "PAUSED"), False, None),
        (("ACTIVE", "PAUSED", "DISABLED"), True, "DISABLED"),
        (("ACTIVE", "CANCELLED"), True, "CANCELLED"),
    ],
)
def test_what_was_deleted_is_not_told_as_active(states: tuple[str, ...], is_needed: bool, told: str | None) -> None:
    """It is in the state that says most of an end; where it need not tell any and has none, it tells none."""
    schema: dict[str, Json] = {"id": TEXT, "status": {"type": "string", "enum": [*states]}}
    needed: Json = ["id", "status"] if is_needed else ["id"]
    delete = msgspec.structs.replace(
        operation("DELETE /hooks/{hook_id}", "deleteHook"),
        returns=encode({"type": "object", "properties": schema, "required": needed}),
    )
    read = msgspec.structs.replace(delete, name="getHook", source="GET /hooks/{hook_id}")
    place = ToolWorld(seed=3, item="f", today=date(2026, 5, 4), persona=bank()[0], tools=(delete, read))
    for seen in (False, True):
        hook: dict[str, Json] = {"hook_id": "931" if seen else "930"}
        if seen:
            place.keep(read, hook, place.call(read, hook))
        result = place.call(delete, hook)
        assert result.value is not None
        assert decode(result.value).get("status") == told  # type: ignore[union-attr]
