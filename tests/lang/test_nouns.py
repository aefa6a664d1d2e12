"""What people call a parameter."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.english import base_verb, is_plural
from callwright.lang.nouns import as_flag, slot_noun
from diaforge_builders import bundled


@pytest.mark.parametrize(
    ("name", "description", "noun"),
    [
        ("order_id", "order number, such as 88213", "order number"),
        ("amount", "The total amount of the invoice (in euros).", "total amount of the invoice"),
        ("fid", "The unique identifier that represents a folder.", "folder ID"),
        ("fid", "ID of the file to copy", "file ID"),
        ("startDate", "", "start date"),
        ("user_id", "id", "user ID"),
        ("q", "Text to search for, at most 100 characters", "search term"),
        ("reason", "Please provide the reason why the request is rejected by the approving manager", "reason"),
        ("IBAN", "IBAN of the payee", "IBAN of the payee"),
        ("nights", "the number of nights.", "number of nights"),
    ],
)
def test_nouns(name: str, description: str, noun: str) -> None:
    """From the description, before its first comma; from the name where there is none."""
    assert slot_noun(name, description).text == noun


@pytest.mark.parametrize(
    ("name", "description", "thing", "noun"),
    [
        ("attachmentId", "Globally unique identifier for the attachment", "", "attachment ID"),
        ("Sid", "To identify the Tollfree Verification", "verification", "verification ID"),
        ("Sid", "A unique string identifying a Verification", "verification", "verification ID"),
        ("sortBy", "Sorts by the field", "", "sort order"),
        ("values", "The type of values the typeahead should return", "", "values"),
        ("account_id", "Scope response to account_id", "", "account ID"),
        ("address.city", "", "", "address city"),
        ("lines.0.quantity", "", "", "quantity"),
        ("data.attributes.SKU_CODE", "", "", "SKU code"),
        ("created_at", "", "", "created date"),
        ("status", "The status for project", "project", "status"),
        ("trigger_id", "Exchange a trigger to post to the user.", "", "trigger ID"),
        ("ShortCodeSid", "The SID of the ShortCode resource", "", "short code ID"),
        ("lost_on", "date of the loss", "", "date of the loss"),
    ],
)
def test_nouns_of_machines_documents(name: str, description: str, thing: str, noun: str) -> None:
    """The name first; never a definition, an instruction or a cut sentence."""
    assert slot_noun(name, description, thing).text == noun


def test_flags_named_after_an_act_or_a_state() -> None:
    """`include_users` includes users, `is_private` makes it private."""
    assert as_flag(slot_noun("include_users", "")).consequence == "include users"
    assert slot_noun("is_private", "").consequence == "make it private"
    assert not as_flag(slot_noun("mock", "")).consequence


@pytest.mark.parametrize(
    ("description", "consequence"),
    [
        ("whether to notify the customer", "notify the customer"),
        ("Whether or not to send a copy, default false", "send a copy"),
        ("whether the customer is new", ""),
        ("colour of the car", ""),
    ],
)
def test_yes_and_no_are_said_as_what_is_done(description: str, consequence: str) -> None:
    """Only where the description says what would be done."""
    assert slot_noun("flag", description).consequence == consequence


@pytest.mark.parametrize(
    ("description", "noun", "plural"),
    [
        ("The party the candidate belongs to, such as 'Greens'.", "party the candidate belongs to", False),
        ("goods the customer sent", "goods the customer sent", True),
        ("The dates you prefer.", "dates you prefer", True),
        ("the room an employee uses", "room an employee uses", False),
        ("rules and the exceptions", "rules and the exceptions", True),
    ],
)
def test_the_head_of_a_phrase_decides_its_number(description: str, noun: str, plural: bool) -> None:
    """Not the last word, which may be a verb: a clause may follow the head without any `that`."""
    found = slot_noun("value", description)
    assert (found.text, found.plural) == (noun, plural)


def test_what_is_counted_is_in_the_plural() -> None:
    """For `how many`."""
    assert slot_noun("nights", "number of nights").counted == "nights"
    assert slot_noun("n", "maximum number of guests per room").counted.startswith("guest")
    assert slot_noun("quantity", "quantity of paper").counted.startswith("paper")


def test_every_parameter_of_the_bundled_catalogue_has_a_noun() -> None:
    """Short, in plain words, in lower case but for abbreviations, without a bare preposition at its end."""
    parameters = [parameter for tool in bundled().tools for parameter in tool.properties.items()]
    assert parameters
    for name, schema in parameters:
        noun = slot_noun(name, str(schema.get("description", "")))
        assert re.fullmatch(r"[A-Za-z][A-Za-z '&/-]*", noun.text), noun
        assert 1 <= len(noun.text.split()) <= 7
        assert noun.text.split()[-1] not in ("of", "for", "the", "a", "in", "to", "such", "as")
        assert noun.text.split()[0] not in ("the", "a", "an")
        assert noun.definite == f"the {noun.text}"
        assert not noun.consequence or base_verb(noun.consequence.split()[0]) == noun.consequence.split()[0]
        assert noun.plural == is_plural(re.split(r" (?:of|for|in|on|at|by|from|to|per) ", noun.text)[0])


@given(st.text(max_size=24), st.text(max_size=80))
def test_any_name_and_description_give_a_noun(name: str, description: str) -> None:
    """Never empty, never longer than a phrase, never with an underscore of an identifier."""
    noun = slot_noun(name, description)

    assert noun.text.strip()
    assert len(noun.text.split()) <= 8
    assert "_" not in noun.text
