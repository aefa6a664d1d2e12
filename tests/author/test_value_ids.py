"""What identifiers of a catalogue look like."""

from __future__ import annotations

import re
from datetime import date
from random import Random
from typing import Any

from callwright.author.personas import bank
from callwright.author.value_codes import vary
from callwright.author.value_drawing import draw_values
from callwright.author.value_ids import UUID, id_forms, shape_of
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

TODAY = date(2026, 5, 4)


def tool(**properties: dict[str, Any]) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return Tool(name="get_thing", description="Get a thing.", parameters=encode(schema))


def drawn(one: Tool, *others: Tool) -> dict[str, Any]:
    return draw_values(Random(4), one, bank()[0], today=TODAY, ids=id_forms((one, *others)))


TEXT = {"type": "string"}
BY_UUID = {"type": "string", "format": "uuid"}


def test_identifiers_without_a_form_look_like_the_others() -> None:
    """A catalogue of UUIDs has no numbers."""
    values = drawn(tool(taskId=TEXT), tool(projectId=BY_UUID), tool(team_id=BY_UUID))

    assert shape_of(values["taskId"]) == shape_of(UUID) == "uuid"


def test_the_form_of_the_same_thing_comes_first() -> None:
    """Also from results, and in another style of name."""
    returns = encode({"type": "object", "properties": {"teamId": {"type": "string", "pattern": "^TM[0-9]{4}$"}}})
    other = Tool(name="y", parameters=encode({"type": "object"}), returns=returns)

    assert re.fullmatch(
        "TM[0-9]{4}", drawn(tool(team_id=TEXT), tool(a_id=BY_UUID), tool(b_id=BY_UUID), other)["team_id"]
    )


def test_an_example_says_more_than_a_pattern_that_allows_much() -> None:
    """Where no example fits the pattern, the form has a usual length."""
    part = {"type": "string", "pattern": "^se(-[a-z0-9]+)+$"}
    assert id_forms((tool(box_id={**part, "example": "se-28529731"}),))["box"] == "se-28529731"
    for example in ("none", "SE-28529731"):
        form = id_forms((tool(box_id={**part, "example": example}),))["box"]
        assert re.fullmatch(part["pattern"], form)
        assert len(form) <= 24


def test_a_name_with_more_words_has_the_form_of_its_thing() -> None:
    """`new_slot_id` looks like a slot, `intent` like a payment intent."""
    shown = tool(
        slot_id={"type": "string", "example": "SL-774512"}, payment_intent_id={"type": "string", "example": "pi_3Mt"}
    )
    values = drawn(tool(new_slot_id=TEXT, intent_id=TEXT), shown)

    assert re.fullmatch(r"SL-\d{6}", values["new_slot_id"])


def test_letters_of_both_cases_are_drawn_anew() -> None:
    """Only the type in front stays: nobody reads anything in the rest."""
    made = {vary("cus_9s6XKzkNRiz8i3", Random(seed)) for seed in range(9)}

    assert len(made) == 9
    assert all(re.fullmatch(r"cus_[A-Za-z0-9]{14}", one) for one in made)


def test_uris_look_like_those_of_the_catalogue() -> None:
    """Not like pages of the web."""
    shown = tool(uri={"type": "string", "example": "acme:track:4iV5W9uYEdYUVa79Axb7Rh"})

    assert drawn(tool(uri={"type": "string", "description": "Item URI"}), shown)["uri"].startswith("acme:track:")


def test_nothing_shown_gives_a_plain_number() -> None:
    """No name, no time of day, no made-up prefix."""
    named = tool(project_gid=TEXT, time_entry_id=TEXT, **{"Some-Tenant-Id": TEXT})

    assert id_forms((named,)) == {}
    assert all(re.fullmatch("[1-9][0-9]{4}", value) for value in drawn(named).values())


def test_a_pattern_of_both_cases_is_drawn_in_one() -> None:
    """Nobody writes `MG49cFe1bD2`."""
    values = drawn(tool(sid={"type": "string", "pattern": "^MG[0-9a-fA-F]{32}$"}))

    assert re.fullmatch("MG[0-9a-f]{32}", values["sid"])


def test_the_one_example_of_a_description_is_taken() -> None:
    """A term looks like the term that is quoted, a part of a name like a name."""
    text = {"type": "string", "description": "Term, e.g. `2026-fall`"}

    assert re.fullmatch(r"\d{4}-fall", drawn(tool(term=text))["term"])


def test_the_sign_of_a_number_is_speech() -> None:
    """`#1295` in a sentence is number 1295; an example of the parameter itself keeps its sign."""
    described = {"type": "string", "description": "The ID of the ticket, e.g. #1295."}
    assert re.fullmatch(r"\d{4}", drawn(tool(ticket_id=described))["ticket_id"])
    own = tool(ticket_id={**TEXT, "example": "#1295"})
    assert re.fullmatch(r"#\d{4}", drawn(own)["ticket_id"])
    assert re.fullmatch(r"\d{4}", drawn(tool(ticket_id=TEXT), own)["ticket_id"])


def test_a_things_name_written_as_one_word_is_the_same_thing() -> None:
    """The `id` of a document's `ChannelSender` looks like the identifiers of channel senders."""
    bare = {"type": "string", "description": "The ID of the ChannelSender resource to fetch."}
    values = drawn(tool(id=bare), tool(channel_sender_id={"type": "string", "pattern": "^XE[0-9a-f]{8}$"}))

    assert re.fullmatch("XE[0-9a-f]{8}", values["id"])
