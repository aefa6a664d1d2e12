"""What people call a parameter."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.english import base_verb
from callwright.lang.nouns import flag_noun, slot_noun
from diaforge_builders import bundled


@pytest.mark.parametrize(
    ("name", "description", "thing", "noun"),
    [
        ("invoice_id", "The ID of the draft invoice to delete.", "invoice", "invoice ID"),
        ("order_id", "order number, such as 88213", "", "order ID"),
        ("startDate", "Globally unique identifier of the moment at which it starts", "", "start date"),
        ("address.city", "The city of the address", "", "city"),
        ("lines.0.quantity", "", "", "quantity"),
        ("data.attributes.SKU_CODE", "", "", "SKU code"),
        ("sortBy", "Sorts by the field", "", "sort order"),
        ("usemarker", "", "", "use marker"),
        ("amount_spent", "", "", "amount spent"),
        ("terms_and_conditions", "", "", "terms and conditions"),
    ],
)
def test_the_name_is_the_noun(name: str, description: str, thing: str, noun: str) -> None:
    """Split into words, whatever the description says."""
    assert slot_noun(name, description, thing).text == noun


@pytest.mark.parametrize(
    ("name", "thing", "noun"),
    [
        ("id", "short code", "short code ID"),
        ("name", "collection", "collection name"),
        ("title", "content import source", "source title"),
        ("item.id", "comment", "item ID"),
        ("name", "", "name"),
        ("tag_name", "contact", "tag name"),
        ("value.value", "", "value"),
    ],
)
def test_names_that_say_little_are_owned(name: str, thing: str, noun: str) -> None:
    """By what they lie in, else by what the tool acts on."""
    assert slot_noun(name, "", thing).text == noun


@pytest.mark.parametrize(
    ("name", "description", "noun"),
    [
        ("created_at", "", "date it was created"),
        ("starts_at", "", "start date"),
        ("expires_at", "", "expiry date"),
        ("valid_until", "Last day on which the permit is valid", "expiry date"),
        ("date_from", "", "earliest date"),
        ("created_after", "", "earliest created date"),
        ("to", "The last day of the range", "end date"),
        ("to_account", "", "target account"),
        ("from_email", "", "sender email"),
        ("to", "The phone number of the one who gets it", "recipient"),
        ("hoursPerDay", "", "hours per day"),
        ("date_first", "", "first date"),
    ],
)
def test_moments_and_bounds_are_nouns(name: str, description: str, noun: str) -> None:
    """Nobody says `the created at` or `the date from`."""
    assert slot_noun(name, description).text == noun


@pytest.mark.parametrize(
    ("name", "description", "noun"),
    [
        ("fid", "The unique identifier that represents a folder.", "folder ID"),
        ("fid", "ID of the file to copy", "file ID"),
        ("q", "Whatever you look for", "search term"),
        ("zz", "Colour of the car, if any", "colour of the car"),
        ("method", "The payment mode or method through which it was paid", "method"),
        ("dt_from", "Where to begin", "dt from value"),
        ("zz", "Sorts the results", "zz value"),
        ("channel", "ID of the channel to leave", "channel ID"),
        ("users", "IDs of users", "user IDs"),
    ],
)
def test_the_description_is_the_last_resort(name: str, description: str, noun: str) -> None:
    """Where the name is opaque, and only a clean phrase at the start; else the name as it stands."""
    assert slot_noun(name, description).text == noun


@pytest.mark.parametrize(
    ("name", "description", "act"),
    [
        ("flag", "whether to notify the customer", "notify the customer"),
        ("flag", "Whether or not to send a copy, default false", "send a copy"),
        ("include_users", "", "include users"),
        ("notify_owner", "", "notify the owner"),
        ("send_to_recipient", "", "send it to the recipient"),
        ("allow_tip", "", "allow tips"),
        ("can_download", "", "allow downloading"),
        ("away_mode_enabled", "", "enable away mode"),
        ("is_email_required", "", "require email"),
        ("is_private", "", "make it private"),
        ("tax_inclusive", "", "make the tax inclusive"),
        ("dry_run", "whether the customer is new", "turn on the dry run"),
        ("tax_before_discount", "", "turn on the tax before discount setting"),
        ("force", "If set to true, any child files will also be deleted.", "have any child files deleted"),
        ("lock", "True if the user should be locked from the system", "have the user locked from the system"),
        ("recording", "If true, creates a recording of the stream.", "create a recording of the stream"),
        ("should_hide_fee", "", "hide the fee"),
        ("include_barcode_with_order_number", "", "include the barcode with order number"),
        ("pullRequestTestEnabled", "", "enable pull request test"),
        ("allow_missing", "", "allow missing ones"),
        ("is_transfer", "", "mark it as a transfer"),
        ("tax_exempt", "", "make it tax exempt"),
        ("read", "", "mark it as read"),
        ("seen", "Mark a conversation as read within Acme.", "mark it as read"),
    ],
)
def test_yes_and_no_are_said_as_what_is_done(name: str, description: str, act: str) -> None:
    """By the description, else by the name; a plain setting is turned on."""
    assert flag_noun(name, description).consequence == act


def test_a_search_is_limited_to_a_state() -> None:
    assert flag_noun("is_private", "", of_search=True).consequence == "only include private ones"


def test_what_is_counted_is_in_the_plural() -> None:
    """For `how many`."""
    assert slot_noun("number_of_nights", "").counted == "nights"
    assert slot_noun("n", "maximum number of guests").counted == "guests"
    assert slot_noun("quantity_of_paper", "").counted.startswith("paper")


def test_every_parameter_of_the_bundled_catalogue_has_a_noun() -> None:
    """Short, in plain words, in lower case but for abbreviations, without a bare preposition at its end."""
    parameters = [parameter for tool in bundled().tools for parameter in tool.properties.items()]
    assert parameters
    for name, schema in parameters:
        is_flag = schema.get("type") == "boolean"
        noun = (flag_noun if is_flag else slot_noun)(name, str(schema.get("description", "")))
        assert re.fullmatch(r"[A-Za-z][A-Za-z '&/-]*", noun.text), noun
        assert 1 <= len(noun.text.split()) <= 7
        assert noun.text.split()[-1] not in ("of", "for", "the", "a", "in", "to", "such", "as")
        assert noun.text.split()[0] not in ("the", "a", "an")
        assert noun.definite == f"the {noun.text}"
        assert not noun.consequence or base_verb(noun.consequence.split()[0]) == noun.consequence.split()[0]


@given(st.text(max_size=24), st.text(max_size=80))
def test_any_name_and_description_give_a_noun(name: str, description: str) -> None:
    """Never empty, never longer than a phrase, never with an underscore of an identifier."""
    noun = slot_noun(name, description)

    assert noun.text.strip()
    assert len(noun.text.split()) <= 16
    assert "_" not in noun.text


def test_an_act_that_needs_no_object_is_said_as_it_stands() -> None:
    """Nobody turns on the continue on failure."""
    assert flag_noun("ContinueOnFailure", "").consequence == "continue on failure"
