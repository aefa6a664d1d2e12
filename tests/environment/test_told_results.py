"""What a result tells people."""

from __future__ import annotations

from datetime import date
from random import Random

import msgspec
import pytest

from callwright.author.briefs import Known
from callwright.catalog.slots import Slot
from callwright.environment.told_results import (
    field_clause,
    is_empty,
    is_secret,
    listed_clause,
    listed_field,
    listed_names,
    listed_noun,
    reference_given,
    so_many,
    telling_fields,
)
from callwright.environment.tool_target import ToldPlace, target_of, told_places
from callwright.lang.kinds import kind_of
from callwright.lang.nouns import Noun, slot_noun
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

PROJECT = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
LIST = Tool(
    name="list_projects",
    description="List projects.",
    returns=encode({"type": "object", "properties": {"projects": {"type": "array", "items": PROJECT}}}),
)
TEXT_OF_DAY: dict[str, Json] = {"type": "string", "format": "date"}
GET = Tool(
    name="get_project",
    description="Get a project.",
    parameters=encode({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}),
    returns=encode(
        {
            "type": "object",
            "properties": {**PROJECT["properties"], "status": {"type": "string"}, "secret_token": {"type": "string"}},  # type: ignore[dict-item]
        }
    ),
)


def test_items_go_by_their_names() -> None:
    """A list is told by the names of its items, what one is called, and how many there are."""
    value = {"projects": [{"id": "p1", "name": "Harbour"}, {"id": "p2", "name": "Mill"}]}
    items = [place for place in told_places(target_of(LIST), value) if place.role == "item"]

    assert listed_names(value, items) == (("Harbour", "Mill"), "project", 2)


def test_items_without_names_are_told_by_a_field() -> None:
    """The one that people ask for first, if every item has one; also where an item holds its fields in `attributes`."""
    plain = [{"price": 35}, {"price": 42}]
    for projects in (plain, [{"attributes": one} for one in plain]):
        value: Json = {"projects": [{"id": "1", **one} for one in projects]}
        items = [place for place in told_places(target_of(LIST), value) if place.role == "item"]

        assert listed_names(value, items) == ((), "project", 2)
        assert listed_clause(Random(1), listed_field(items), None) == "the prices are 35 and 42"
    assert listed_field([]) == ()


def test_a_list_of_the_one_thing_asked_for_is_told_by_its_fields() -> None:
    """Its identifier is an argument of the call."""
    told = telling_fields(GET, {"id": "p1"}, [{"id": "p1", "state": "ringing", "direction": "OUTBOUND"}])

    assert [one.slot.name for one in told] == ["state"]


@pytest.mark.parametrize(
    ("value", "empty"),
    [
        ([], True),
        ({"results": [], "meta": {"page": 1}, "total": 0}, True),
        ({"results": [{"id": 1}]}, False),
        ({"valid": False}, False),
        ({"short_link": "x", "meta": {}}, False),
        ({"codec": {"status": "warning"}}, False),
        (None, True),
    ],
)
def test_a_result_is_empty_where_only_the_reply_is_told_of(value: Json, empty: bool) -> None:
    """Pages and counts are no answer."""
    assert is_empty(value) is empty


def test_what_is_listed_has_the_name_of_what_holds_it() -> None:
    """The tool's own noun where the list has the same, else that of the field."""
    assert listed_noun(target_of(LIST), "project") == "project"
    assert listed_noun(target_of(LIST), "response") == "response"
    assert listed_noun(target_of(LIST), "") == "project"


def test_a_check_is_answered_with_yes_or_no() -> None:
    """Where nothing else is told, and not by a flag that says only that the call went well."""
    check = msgspec.structs.replace(GET, name="check_project", description="Check a project.")
    told = [one.slot.name for one in telling_fields(check, {"id": "p1"}, {"success": True, "valid": False})]
    assert told == ["valid"]
    assert not list(telling_fields(check, {"id": "p1"}, {"success": True}))


def test_fields_that_the_call_gave_are_not_told() -> None:
    """Of a thing, name and state are told, not its identifier that was asked with, and no secret."""
    value = {"id": "p1", "name": "Harbour", "status": "open", "secret_token": "x"}

    assert [one.slot.name for one in telling_fields(GET, {"id": "p1"}, value)] == ["name", "status"]


def test_a_field_is_a_clause() -> None:
    """Names, states and days have clauses of their own."""

    def clause(name: str, value: str | int) -> str:
        known = Known(Slot(name, slot_noun(name, ""), "title", encode({"type": "string"}), ""), encode(value))
        return field_clause(Random(1), known, date(2026, 5, 4))

    assert clause("name", "Harbour") == 'the name is "Harbour"'
    assert clause("status", "open") == "its status is open"
    assert clause("state", "NEEDS_REPAIR") == "its state is needs repair"
    assert clause("created_at", "2026-06-02T10:00:00Z") == "it was created on June 2, 2026"
    assert clause("created_at", 1_780_394_400) == "it was created on June 2, 2026"
    assert clause("created_at", 12) == "the date it was created is 12"


def test_the_head_of_a_noun_has_its_verb() -> None:
    """A unit in the plural does not make the noun plural."""
    noun = Noun("price difference in euros", False)
    known = Known(Slot("price_difference", noun, "number", encode({"type": "number"}), ""), encode(150))

    assert field_clause(Random(1), known, None) == "the price difference in euros is 150"


def test_secrets_are_known_by_their_names() -> None:
    """Tokens and keys are secrets, titles are not."""
    assert [is_secret(name) for name in ("access_token", "apiKey", "title")] == [True, True, False]


def test_what_belongs_to_another_thing_names_no_item() -> None:
    """Transactions are not called as their accounts are."""
    tool = Tool(name="list_transactions", description="List transactions.")
    for field, names in (("account_name", ()), ("transaction_name", ("Main", "Side"))):
        value: Json = {"transactions": [{field: "Main", "id": 1}, {field: "Side", "id": 2}]}
        items = [one for one in told_places(target_of(tool), value) if one.role == "item"]
        assert len(items) == 2
        assert listed_names(value, items)[0] == names


def test_what_is_not_counted_stays_in_the_singular() -> None:
    """`the stock is 6 and 8`, but `the prices are 35 and 42`."""
    for field, told in (("equipment", "the equipment is 6 and 8"), ("price", "the prices are 6 and 8")):
        items = [Known(Slot(field, slot_noun(field, ""), "number", "{}", ""), str(count)) for count in (6, 8)]
        assert listed_clause(Random(1), items, None) == told


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("arrive_at", "12:00", "the arrival time is 12:00"),
        ("lastDone", "2026-03-03", "it was last done on March 3, 2026"),
        ("last_seen", "2026-03-03", "it was last seen on March 3, 2026"),
        ("last_updated", "2026-03-03", "the last change was on March 3, 2026"),
        ("adults", 5, "the number of adults is 5"),
        ("valid", True, "it is valid"),
        ("is_open", False, "it is not open"),
        ("nameAvailable", True, "the name is available"),
    ],
)
def test_a_field_is_told_as_people_tell_it(name: str, value: Json, told: str) -> None:
    is_flag = isinstance(value, bool)
    schema = {"type": "boolean" if is_flag else "integer"} if isinstance(value, int) else TEXT_OF_DAY
    slot = Slot(name, slot_noun(name, ""), kind_of(name, schema), encode(schema), "")
    assert field_clause(Random(0), Known(slot, encode(value)), None) == told


def test_a_state_that_all_share_is_told_once() -> None:
    slot = Slot("status", slot_noun("status", ""), "title", encode({"type": "string"}), "")
    states = [Known(slot, encode(one)) for one in ("open", "open", "shut")]
    assert listed_clause(Random(0), states[:2], None) == "both have the status open"
    assert listed_clause(Random(0), states, None).startswith("the statuses are ")


def test_nobody_is_told_when_an_act_was_done() -> None:
    """It was now; a reader of the thing may ask."""
    day = {"type": "string", "format": "date"}
    returns = encode({"type": "object", "properties": {"id": {"type": "string"}, "creationDate": day}})
    value: Json = {"id": "N-1", "creationDate": "2026-01-25"}
    told = {}
    for verb in ("update", "get"):
        one = Tool(
            name=f"{verb}_note", description=f"{verb.title()} a note.", parameters=GET.parameters, returns=returns
        )
        told[verb] = [known.slot.name for known in telling_fields(one, {"id": "N-1"}, value)]
    assert told == {"update": [], "get": ["creationDate"]}


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ({"order_number": "8142", "price": 40}, ("order number", "8142")),
        ({"id": 7, "delivery_id": "D-3"}, ("order ID", "7")),
        ({"booking_reference": "BK-1", "status": "open"}, ("booking reference", "BK-1")),
        ({"customer_id": "C-1"}, None),
        ({"desk_number": "4", "delivery_id": "D-3"}, None),
        ({"page_number": 2, "price": 40}, None),
        ([{"order_number": "8142"}], None),
    ],
)
def test_what_was_made_has_the_number_that_people_ask_for_later(result: Json, told: tuple[str, str] | None) -> None:
    """Its own one where there are several; none that the call gave, and none of a page."""
    order = Tool(name="place_order", description="Place an order.")
    assert reference_given(order, {"customer_id": "C-1"}, result) == told


def test_of_moments_the_days_are_told() -> None:
    """With the year once, where it is one."""
    slot = Slot("publishTime", slot_noun("publishTime", ""), "datetime", encode({}), "")
    moments = [Known(slot, encode(f"{day}T15:30:00Z")) for day in ("2027-11-11", "2027-10-08", "2028-01-05")]
    assert listed_clause(Random(0), moments[:2], None) == "the publish dates are November 11 and October 8, 2027"
    assert listed_clause(Random(0), moments[1:], None).endswith("October 8, 2027 and January 5, 2028")
    assert field_clause(Random(0), moments[0], None) == "the publish date is November 11, 2027"


def test_an_amount_that_is_a_text_is_told_in_figures() -> None:
    known = Known(Slot("balance", slot_noun("balance", ""), "money", encode({}), ""), encode("1000"))
    assert field_clause(Random(0), known, None) == "the balance is 1,000"


def test_addresses_and_opaque_codes_are_told_last_or_never() -> None:
    """People ask for what they can understand."""
    look = Tool(name="getCase", description="Get a case.", parameters=encode({"type": "object", "properties": {}}))
    value: Json = {"url": "https://a.example/b", "assignee": "d0a551b01e977c764392a129", "city": "Lyon"}
    assert [known.slot.name for known in telling_fields(look, {}, value)] == ["city"]
    assert [known.slot.name for known in telling_fields(look, {}, {"url": "https://a.example/b"})] == ["url"]


def test_what_has_no_plural_is_not_told_of_each() -> None:
    """Nobody says `the actives are 3 and 4`; nor reads out long codes, with or without letters before them."""
    items = [ToldPlace("item", "status", {"active": number}, {}) for number in (3, 4)]
    assert listed_field(items) == ()
    codes = [ToldPlace("item", "sender", {"sender": f"AI{number}f559063a91af1ba9c7f93bd82"}, {}) for number in (3, 4)]
    assert listed_field(codes) == ()


def test_files_go_by_their_paths() -> None:
    """Where they have no other name."""
    value: Json = {"projects": [{"id": "1", "path": "a.pdf"}, {"id": "2", "path": "b.pdf"}]}
    items = [place for place in told_places(target_of(LIST), value) if place.role == "item"]
    assert listed_names(value, items)[0] == ("a.pdf", "b.pdf")


def test_what_all_items_share_is_not_told_of_each() -> None:
    items = [ToldPlace("item", "review", {"comment": "These look right."}, {}) for _ in range(2)]
    assert listed_field(items) == ()


def told_of(value: Json, *, name: str = "get_thing", **fields: Json) -> list[str]:
    """Return what is told of a thing with these fields."""
    tool = Tool(name=name, returns=encode({"type": "object", "properties": fields}))
    return [field_clause(Random(1), known, date(2026, 5, 4)) for known in telling_fields(tool, {}, value)]


def test_a_picture_that_was_asked_for_is_told_by_its_address() -> None:
    """Its size comes after it; of other things the address is not read out."""
    value: Json = {"url": "https://a.example/b.png", "size": 12}
    fields: dict[str, Json] = {"url": {"type": "string", "format": "uri"}, "size": {"type": "integer"}}
    assert "https://a.example/b.png" in told_of(value, name="get_image", **fields)[0]
    assert not any("https" in one for one in told_of(value, name="get_project", **fields))


def test_the_file_that_was_asked_for_is_told_by_its_name() -> None:
    """Its name may have any signs."""
    assert told_of({"name": "release_notes.md"}, name="get_file", name_=TEXT_OF_DAY) == [
        'the name is "release_notes.md"'
    ]


def test_a_quote_is_told() -> None:
    """A text that is the thing itself is what was asked for."""
    assert told_of({"quote": "Well begun is half done"}, name="get_quote", quote={"type": "string"}) == [
        'the quote is "Well begun is half done"'
    ]


@pytest.mark.parametrize("name", ["tickets_left", "bond_required", "success"])
def test_a_number_under_a_cut_name_is_not_told(name: str) -> None:
    """Nobody says that the tickets left is 104."""
    assert told_of({name: 104}, **{name: {"type": "integer"}}) == []


def test_who_joined_was_not_joined() -> None:
    """The day stands under its noun."""
    described = {"type": "string", "format": "date", "description": "joining date"}
    assert told_of({"joined": "2026-03-18"}, joined=described) == ["the joining date is March 18, 2026"]


@pytest.mark.parametrize("said", [True, False])
def test_a_bare_yes_or_no_is_an_answer(said: bool) -> None:
    """It is not `haschildren`."""
    slot = Slot("haschildren", slot_noun("haschildren", ""), "boolean", encode({"type": "boolean"}), "")
    assert field_clause(Random(1), Known(slot, encode(said)), None) == f"the answer is {'yes' if said else 'no'}"


def test_things_under_a_key_are_called_results() -> None:
    """A number is no noun."""
    assert so_many(2, "453004") == "2 results"


def test_a_code_that_was_asked_for_is_told_before_its_country() -> None:
    """And what is said as a country's name is no code."""
    code: Json = {"type": "object", "properties": {"countryCode": {"type": "string"}, "zipCode": {"type": "string"}}}
    found: Json = {"type": "object", "properties": {"data": {"type": "array", "items": code}}}
    tool = Tool(name="get_zipcode", description="Get a zipcode.", returns=encode(found))
    value: Json = {"data": [{"countryCode": "FR", "zipCode": "69001"}]}
    items = [place for place in told_places(target_of(tool), value) if place.role == "item"]
    assert listed_clause(Random(1), listed_field(items), None) == "the zip code is 69001"
    land = Known(Slot("countryCode", slot_noun("countryCode", ""), "country", "{}", ""), '"FR"')
    assert field_clause(Random(1), land, None) == "the country is France"


def test_a_reply_of_null_holds_nothing() -> None:
    """Whatever it says beside that on how the call went."""
    assert is_empty({"data": None, "status": False})
    assert not is_empty({"data": None, "price": 7})


def test_a_unit_is_said_once() -> None:
    """Where the noun comes from a description that ends with it."""
    height = {"type": "number", "description": "Height in metres"}
    measured = Tool(
        name="get_chimney",
        description="Get a chimney.",
        parameters=encode({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}),
        returns=encode({"type": "object", "properties": {"height_m": height}}),
    )
    told = telling_fields(measured, {"id": "c1"}, {"height_m": 2})
    assert [one.slot.noun.text for one in told] == ["height in metres"]
