"""What agrees within one result."""

from __future__ import annotations

from datetime import datetime

import pytest

from callwright.environment.echoes import Edit
from callwright.environment.settling import (
    counted,
    in_order,
    mailed_name,
    named_mail,
    one_currency,
    one_language,
    one_link,
    one_name,
    one_reference,
    one_spot,
    ordered,
    own_name,
    stamped,
    unfinished,
    went_well,
    within_total,
)
from callwright.environment.tool_target import Act, ToldPlace, ToolTarget, told_places
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

NOW = datetime(2026, 5, 4, 9)
TIME: Json = {"type": "string", "format": "date-time"}
SCHEMA: Json = {"type": "object", "properties": {"created_at": TIME, "updated_at": TIME}}


def whole(value: Json, act: Act = "read") -> Json:
    target = ToolTarget(act, "note", "", ("note",))
    places = list(told_places(target, value, SCHEMA))
    settled = [edit for place in places for edit in (*ordered(place, NOW), *named_mail(place))]
    for edit in (*stamped(target, places, NOW, {}), *settled, *one_currency(places), *counted(places, 2, {})):
        edit.place[edit.name] = edit.value
    return value


def test_what_was_changed_was_created_before() -> None:
    """Also where the two come from different results."""
    made = whole({"id": "1", "created_at": "2026-05-02T08:00:00Z", "updated_at": "2026-05-01T08:00:00Z"})
    assert made == {"id": "1", "created_at": "2026-05-02T08:00:00Z", "updated_at": "2026-05-02T10:00:00Z"}


@pytest.mark.parametrize(("act", "begun"), [("create", "2026-05-04T09:00:00Z"), ("change", "2026-05-02T08:00:00Z")])
def test_what_is_done_is_done_now(act: Act, begun: str) -> None:
    """A new thing begins now, a changed one keeps its beginning."""
    made = whole({"id": "1", "created_at": "2026-05-02T08:00:00Z", "updated_at": "2026-05-03T08:00:00Z"}, act)
    assert made == {"id": "1", "created_at": begun, "updated_at": "2026-05-04T09:00:00Z"}


def test_a_count_is_the_length_of_its_list() -> None:
    """Beside the list or in the object that tells of pages, which there is one of."""
    pages: Json = {"page": 3, "pageCount": 9, "itemCount": 40, "pageSize": 50, "next_cursor": "x", "has_more": True}
    made = whole({"items": [{"name": "a"}, {"name": "b"}], "total": 17, "pagination": pages})
    assert isinstance(made, dict)
    assert made["total"] == 2
    assert made["pagination"] == {
        "page": 1, "pageCount": 1, "itemCount": 2, "pageSize": 50, "next_cursor": "x", "has_more": False,
    }  # fmt: skip


def test_a_list_is_on_the_page_that_was_asked_for() -> None:
    """Which holds as many items as were asked for at most, or as it has."""
    value: Json = {"items": [{"name": "a"}, {"name": "b"}], "page": 1, "pageSize": 0}
    places = list(told_places(ToolTarget("list", "item", "", ("item",)), value, {}))
    edits = {edit.name: edit.value for edit in counted(places, 2, {("page",): 3, ("limit",): 5})}
    assert (edits["page"], edits["pageSize"]) == (3, 5)
    edits = {edit.name: edit.value for edit in counted(places, 2, {})}
    assert (edits["page"], edits["pageSize"]) == (1, 20)


@pytest.mark.parametrize("key", ["email", "login"])
def test_an_address_is_that_of_the_name_beside_it(key: str) -> None:
    """In plain letters."""
    assert whole({"name": "Chloé Garnier", key: "x@example.com"}) == {
        "name": "Chloé Garnier",
        key: "chloe.garnier@example.com",
    }


def test_amounts_are_in_one_currency() -> None:
    """That of the first."""
    made = whole({"id": "1", "estimate": {"currency": "KYD"}, "deposit": {"currency": "MOP"}, "currencyCode": "CZK"})
    assert isinstance(made, dict)
    assert len({made["currencyCode"], *(made[key]["currency"] for key in ("estimate", "deposit"))}) == 1  # type: ignore[call-overload,index]


@pytest.mark.parametrize(
    ("drawn", "agreed"),
    [
        ({"country": "Canada", "language": "Chinese"}, {"country": "Canada", "language": "English"}),
        ({"countryCode": "PK", "language": "ko"}, {"countryCode": "PK", "language": "ur"}),
        ({"language": "Chinese"}, {"language": "Chinese"}),
        ({"name": "Spring type", "display_name": "Sales type"}, {"name": "Spring type", "display_name": "Spring type"}),
        ({"title": "How We Work", "slug": "finance"}, {"title": "How We Work", "slug": "how-we-work"}),
        ({"total": 250.0, "totalNet": 145.0, "vat": 3000.0}, {"total": 250.0, "totalNet": 200.0, "vat": 50.0}),
        ({"total": 250.0, "tax_rate": 19.0, "tip": 5.0}, {"total": 250.0, "tax_rate": 19.0, "tip": 5.0}),
    ],
)
def test_what_stands_together_agrees(drawn: Json, agreed: Json) -> None:
    """A country's language is spoken there, and what is before tax makes up the total with the tax."""
    [place] = told_places(ToolTarget("read", "note", "", ("note",)), drawn, None)
    for edit in (*one_language(place, ()), *one_name(place), *within_total(place)):
        edit.place[edit.name] = edit.value
    assert drawn == agreed


def placed(value: Json, *given: Edit) -> Json:
    for edit in one_spot(value, given):
        edit.place[edit.name] = edit.value
    return value


def test_coordinates_and_currency_are_of_the_country_beside_them() -> None:
    """Also in objects of their own; each item of a list is a place of its own, and what was given stays."""
    hotel: Json = {
        "address": {"city": "Hamburg", "countryCode": "DE"},
        "location": {"latitude": 40.71, "longitude": -74.01},
        "currency": "SEK",
    }
    other: Json = {"address": {"city": "Oslo"}, "location": {"latitude": 59.95, "longitude": 10.8}}
    made = placed([hotel, other])
    assert made == [
        {
            "address": {"city": "Berlin", "countryCode": "DE"},
            "location": {"latitude": 52.53, "longitude": 13.42},
            "currency": "EUR",
        },
        {"address": {"city": "Oslo"}, "location": {"latitude": 59.95, "longitude": 10.8}},
    ]
    asked: dict[str, Json] = {"city": "Oslo", "lat": 40.71, "currency": "USD"}
    given = (Edit(asked, "lat", 40.71), Edit(asked, "currency", "USD"))
    assert placed(asked, *given) == {"city": "Oslo", "lat": 40.71, "currency": "USD"}


def test_both_axes_are_of_one_place() -> None:
    """A latitude that is known brings its longitude along."""
    assert placed({"lat": 30.04, "lng": 2.35}) == {"lat": 30.04, "lng": 31.26}


@pytest.mark.parametrize(
    ("told", "held"),
    [
        ("https://api.example/albums/77", "https://api.example/albums/9eu3"),
        ("urn:album:3ag4ASQs", "urn:album:9eu3"),
        ("https://www.example/help", "https://www.example/album/9eu3"),
    ],
)
def test_a_link_to_a_thing_ends_in_its_identifier(told: str, held: str) -> None:
    """Also where it led to a page of no thing; other texts stay."""
    place = ToldPlace("item", "album", {"id": "9eu3", "href": told, "name": "Roma 7"}, {})
    assert [(edit.name, edit.value) for edit in one_link(place, "id")] == [("href", held)]


def test_the_smaller_number_comes_first() -> None:
    """Where two names differ in the word that says which end it is."""
    fields: dict[str, Json] = {"row_start": 9, "row_stop": 3, "start": 1, "end": 2, "min": 5, "max_size": 1}
    for edit in in_order(ToldPlace("item", "row", fields, {})):
        edit.place[edit.name] = edit.value
    assert fields == {"row_start": 3, "row_stop": 9, "start": 1, "end": 2, "min": 5, "max_size": 1}


@pytest.mark.parametrize(("state", "is_told"), [("PENDING", False), ("in_processing", False), ("done", True)])
def test_what_is_still_to_be_done_was_not_completed(state: str, is_told: bool) -> None:
    """Its start stays."""
    fields: dict[str, Json] = {"status": state, "started_at": "2026-01-01", "completedAt": "2026-01-02"}
    gone = [edit.name for edit in unfinished(ToldPlace("item", "task", fields, {}))]
    assert gone == ([] if is_told else ["completedAt"])


def test_mail_and_user_name_are_those_of_the_name() -> None:
    """Whatever its field is called."""
    made = whole({"full_name": "Zoë Núñez", "email": "a.b@ostrom.example", "user_name": "amalik", "login": "x@y.z"})
    assert made == {"full_name": "Zoë Núñez", "email": "zoe.nunez@ostrom.example", "user_name": "znunez",
                    "login": "zoe.nunez@y.z"}  # fmt: skip
    assert whole({"full_name": "Zoë Núñez", "user_name": "clara21"}) == {"full_name": "Zoë Núñez", "user_name": "zoe21"}


@pytest.mark.parametrize(
    ("drawn", "agreed"),
    [
        ({"full_name": "Li Liu", "user_name": "li21"}, {"full_name": "Ann Lee", "user_name": "li21"}),
        ({"firstName": "Li", "lastName": "Liu"}, {"firstName": "Ann", "lastName": "Lee"}),
        ({"name": "Li Liu", "email": "li.liu@x.y"}, {"name": "Ann Lee", "email": "li.liu@x.y"}),
        ({"name": "Blue Mill"}, {"name": "Blue Mill"}),
    ],
)
def test_who_is_asked_for_by_mail_has_the_name_in_it(drawn: Json, agreed: Json) -> None:
    """A `name` without an address beside it may be a firm's, and an address may hold no name."""
    [place] = told_places(ToolTarget("read", "user", "", ("user",)), drawn, None)
    assert not list(mailed_name({("email",): "office@x.y"}, place))
    for edit in mailed_name({("email",): "Ann.Lee@x.y"}, place):
        edit.place[edit.name] = edit.value
    assert drawn == agreed


def test_a_listed_name_is_that_of_the_person() -> None:
    """Beside first and last name there is no other."""
    told: dict[str, Json] = {"firstName": "Li", "lastName": "Liu", "attendeeName": "Petr", "attendeeEmail": "a@b.c"}
    value: Json = {"attendees": [told | {"email": "li.liu@b.c"}]}
    for place in told_places(ToolTarget("list", "attendee", "", ("attendee",)), value):
        for edit in named_mail(place):
            edit.place[edit.name] = edit.value
    assert value == {
        "attendees": [told | {"email": "li.liu@b.c", "attendeeName": "Li Liu", "attendeeEmail": "li.liu@b.c"}]
    }


def test_a_part_has_the_identifier_that_is_told_beside_it() -> None:
    """Where both are of one type."""
    fields: dict[str, Json] = {
        "department": {"id": 7, "name": "A"},
        "departmentId": 3,
        "house": {"id": 1},
        "houseId": "x",
    }
    edits = list(one_reference(ToldPlace("thing", "treaty", fields, {})))
    assert [(edit.place, edit.name, edit.value) for edit in edits] == [({"id": 7, "name": "A"}, "id", 3)]


def test_a_status_beside_a_status_code_is_of_the_reply() -> None:
    reply = ToldPlace("reply", "order", {"status": "inactive", "status_code": 200}, {})
    assert [(edit.name, edit.value) for edit in went_well(reply)] == [("status", "OK")]
    assert not list(went_well(ToldPlace("reply", "order", {"status": "inactive"}, {})))
    assert not list(went_well(reply._replace(role="thing")))


@pytest.mark.parametrize(
    ("drawn", "agreed"),
    [
        ({"cash": 235, "cashAndShortTermInvestments": 40}, {"cash": 235, "cashAndShortTermInvestments": 275}),
        ({"cash": 35, "cashAndShortTermInvestments": 40}, {"cash": 35, "cashAndShortTermInvestments": 40}),
        ({"tax": 2.5, "fee": 1.0, "tax_and_fee": 9.0}, {"tax": 2.5, "fee": 1.0, "tax_and_fee": 3.5}),
        (
            {"cashAndCashEquivalents": 235, "cashAndShortTermInvestments": 40},
            {"cashAndCashEquivalents": 235, "cashAndShortTermInvestments": 275},
        ),
        ({"cash_rate": 9, "cash_and_loan_rate": 4}, {"cash_rate": 9, "cash_and_loan_rate": 4}),
    ],
)
def test_an_amount_of_two_things_is_at_least_that_of_one(drawn: dict[str, Json], agreed: dict[str, Json]) -> None:
    """What is told of both is no less than what is told of one, and the sum where both are told; a rate is no sum."""
    edits = list(within_total(ToldPlace("thing", "sheet", drawn, {})))
    for edit in edits:
        edit.place[edit.name] = edit.value
    assert drawn == agreed


def test_who_looks_up_her_own_account_is_told_of_herself() -> None:
    """A drawn name of a person becomes that of the caller; that of a bot stays, and so does another user's."""
    me, other = (Tool(name="get", description="Get a user.", source=f"GET /users/{at}") for at in ("me", "{id}"))
    person: Json = {"name": "Minh Wijaya", "first_name": "Minh", "login": "minh@example.com"}

    def edits(tool: Tool, fields: Json) -> dict[str, Json]:
        assert isinstance(fields, dict)
        return {edit.name: edit.value for edit in own_name(tool, "Emre Çelik", ToldPlace("thing", "user", fields, {}))}

    assert edits(me, person) == {"name": "Emre Çelik", "first_name": "Emre"}
    assert edits(other, person) == edits(me, {"name": "Lighthouse"}) == {}
