"""Gold values: valid, consistent with the person, the day and one another."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.author.personas import bank
from callwright.author.value_drawing import draw_values
from callwright.author.value_scene import ascii_letters
from callwright.author.wanted import wanted_parameters
from callwright.errors import RolloutFailed
from callwright.formats import functions, openapi
from callwright.lang.gazetteer import cities, countries
from callwright.lang.kinds import kind_of
from callwright.lang.surface import mentions, say
from callwright.match.schema import conforms
from callwright.records.jsontext import encode, parse
from callwright.records.persona import Persona
from callwright.records.tool import Tool

ROOT = Path(__file__).parents[2]
DATA = ROOT / ".." / "shared" / "data"
TODAY = date(2026, 11, 2)
PRIYA = Persona(id="p", name="Priya Raman", job="payroll clerk", city="Pune", country="India")
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the folder of foreign data is absent")


def tool_of(name: str, description: str, /, **properties: dict[str, Any]) -> Tool:
    """A tool all of whose parameters are required."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return Tool(name=name, description=description, parameters=encode(schema))


def draws(tool: Tool, count: int = 60) -> list[dict[str, Any]]:
    """Values of many generators."""
    return [draw_values(Random(seed), tool, PRIYA, today=TODAY) for seed in range(count)]


S = {"type": "string"}
D = {"type": "string", "format": "date"}


def test_all_required_parameters_are_drawn_and_no_other() -> None:
    """Optional parameters join where they are asked for."""
    schema = {"properties": {"a": S, "note": {**S, "description": "note"}}, "required": ["a"]}
    tool = Tool(name="send_note", parameters=encode(schema))

    assert {"a"} == set(draw_values(Random(1), tool, PRIYA, today=TODAY))
    assert {"a", "note"} == set(draw_values(Random(1), tool, PRIYA, today=TODAY, also=("note",)))


@pytest.mark.parametrize(
    ("one", "other", "schema"),
    [
        ("from_account.name", "to_account.name", {**S, "examples": ["Petty cash"]}),
        ("source_country", "target_country", S),
        ("old_level", "new_level", {**S, "enum": ["low", "high"]}),
        ("name", "new_name", {**S, "examples": ["Petty cash"]}),
    ],
)
def test_what_differs_only_in_its_side_is_drawn_differently(one: str, other: str, schema: dict[str, Any]) -> None:
    """Nobody moves money from an account to the same account, however few examples a document has."""
    tool = tool_of("move_money", "Moves money.", **{one.replace(".", "_"): schema, other.replace(".", "_"): schema})
    found = [tuple(values.values()) for values in draws(tool)]

    assert len(found) == 60
    assert all(first != second for first, second in found)


def test_the_same_generator_draws_the_same() -> None:
    """Nothing but the generator decides."""
    tool = tool_of("book_flight", "Book a flight.", origin=S, destination=S, departure_date=D)

    assert draws(tool) == draws(tool)


def test_a_stay_begins_ahead_and_ends_later() -> None:
    """Booked days lie in the future and in order."""
    tool = tool_of("book_hotel", "Book a hotel.", check_out=D, check_in=D)
    for values in draws(tool):
        assert TODAY.isoformat() < values["check_in"] < values["check_out"]


@pytest.mark.parametrize(
    ("tool", "parameter"),
    [("report_accident", "accident_date"), ("claim_meal", "expense_date"), ("get_historical_rates", "date")],
)
def test_what_is_reported_lies_behind(tool: str, parameter: str) -> None:
    """Accidents, receipts and history are past."""
    for values in draws(tool_of(tool, tool.replace("_", " ").capitalize() + ".", **{parameter: D})):
        assert values[parameter] < TODAY.isoformat()


def test_a_range_of_the_past_is_in_order_and_past() -> None:
    """A search from one day to another does not reach into the future."""
    tool = tool_of("get_history", "Get the history.", end_date=D, start_date=D)
    for values in draws(tool):
        assert values["start_date"] <= values["end_date"] <= TODAY.isoformat()


@pytest.mark.parametrize(
    ("tool", "name", "schema", "pattern"),
    [
        ("find_restaurant", "restaurant-booktime", {"description": "time of the booking"}, r"\d\d:\d\d"),
        ("find_restaurant", "restaurant-food", {"description": "the cuisine you look for"}, r"[A-Z][a-z]+"),
        ("find_hospital", "hospital-department", {"description": "type of medical care"}, r"[a-z ]+"),
        ("get_tides", "lat", {}, r"-?\d+\.\d\d"),
        ("find_voters", "state", {"description": "Name of a state in the US"}, r"(?!Montmartre|Soho).*"),
        ("list_orders", "page", {"description": "The page number"}, r"\d+"),
        ("list_cards", "period", {"description": "Valid values: P1D, P1W, P1M."}, r"P1[DWM]"),
        ("get_news", "sort", {}, r"[a-z]+"),
        ("find_user", "user", {"description": "User to get info on"}, r"[a-z]+\d*"),
    ],
)
def test_a_value_is_of_the_kind_that_a_parameter_asks_for(
    tool: str, name: str, schema: dict[str, Any], pattern: str
) -> None:
    """No name of a restaurant for a time, no title for a prefix."""
    for values in draws(tool_of(tool, tool.replace("_", " ").capitalize() + ".", **{name: {**S, **schema}}), 20):
        assert re.fullmatch(pattern, values[name])


def test_a_city_lies_in_its_country() -> None:
    """City and country agree."""
    tool = tool_of("find_office", "Find an office.", city=S, country=S)
    for values in draws(tool):
        assert cities()[values["city"]].name == values["country"]


def test_origin_and_destination_differ() -> None:
    """Nobody flies to where they are."""
    tool = tool_of("book_flight", "Book a flight.", departure_city=S, arrival_city=S)

    assert all(values["departure_city"] != values["arrival_city"] for values in draws(tool))


def test_name_and_mail_are_of_one_person() -> None:
    """The address is made of the name."""
    tool = tool_of("add_contact", "Add a contact.", contact_name=S, contact_email=S)
    for values in draws(tool):
        given = re.sub("[^a-z]", "", values["contact_email"].partition(".")[0])
        assert given[:1] == values["contact_name"][0].lower() or not values["contact_name"][0].isascii()


def test_the_user_s_own_name_is_the_persona_s() -> None:
    """A parameter about the user gets the user's name."""
    tool = tool_of("register", "Register.", name={**S, "description": "your full name"})

    assert {"Priya Raman"} == {values["name"] for values in draws(tool, 10)}


def test_lower_ends_lie_below_upper_ends() -> None:
    """min <= max, start time <= end time."""
    number = {"type": "number"}
    tool = tool_of("search", "Search.", max_price=number, min_price=number, start_time=S, end_time=S)
    for values in draws(tool):
        assert values["min_price"] <= values["max_price"]
        assert values["start_time"] <= values["end_time"]


def test_lower_ends_lie_below_upper_ends_inside_objects_too() -> None:
    """A budget with a least and a greatest amount is drawn in order."""
    ends = {"maxBudget": {"type": "number"}, "minBudget": {"type": "number"}}
    budget = {"type": "object", "properties": ends, "required": list(ends)}
    tool = tool_of("search_tenders", "Search tenders.", budget=budget)

    for values in draws(tool):
        assert values["budget"]["minBudget"] <= values["budget"]["maxBudget"]


@pytest.mark.parametrize(
    ("schema", "pattern"),
    [
        ({**S, "pattern": "^PO-[0-9]{5}$"}, r"PO-\d{5}"),
        ({**S, "examples": ["TR-4821"]}, r"TR-[1-9]\d{3}"),
        ({**S, "format": "uuid", "description": "uuid"}, r"[0-9a-f-]{36}"),
        ({"type": "integer", "minimum": 500, "maximum": 600}, r"5\d\d|600"),
    ],
)
def test_identifiers_have_their_shape(schema: dict[str, Any], pattern: str) -> None:
    """Pattern, examples and what the description says are kept to."""
    for values in draws(tool_of("get_order", "Get an order.", order_id=schema)):
        assert re.fullmatch(pattern, str(values["order_id"]))


def test_placeholders_are_not_values() -> None:
    """`string` as an example is nobody's value."""
    tool = tool_of("create_project", "Create a project.", project_name={**S, "example": "string"})

    assert not {"string", "example", ""} & {values["project_name"] for values in draws(tool)}


def test_amounts_are_round_or_have_cents() -> None:
    """1,250 and 89.90, not 1,237.4183."""
    tool = tool_of("pay", "Pay.", amount={"type": "number", "minimum": 5, "maximum": 4000})
    for values in draws(tool):
        amount = values["amount"]
        assert 5 <= amount <= 4000
        assert amount == round(amount, 2)
        assert amount < 1000 or amount % 50 == 0


def test_lists_are_short_and_objects_hold_what_is_required() -> None:
    """One to three items; no more properties than needed."""
    inner = {"type": "object", "properties": {"city": S, "zip": S, "floor": {"type": "integer"}}, "required": ["city"]}
    tool = tool_of("visit", "Visit.", places={"type": "array", "items": inner}, home=inner)
    for values in draws(tool):
        assert 1 <= len(values["places"]) <= 3
        assert {"city"} == set(values["home"])


def test_an_impossible_schema_fails_the_rollout() -> None:
    """A number that must be both above 5 and below 3 cannot be drawn."""
    tool = tool_of("odd", "Odd.", n={"type": "number", "minimum": 5, "maximum": 3})
    with pytest.raises(RolloutFailed, match="odd") as failure:
        draw_values(Random(1), tool, PRIYA, today=TODAY)

    assert (failure.value.kind, failure.value.role) == ("values", "author")


PARTS = st.fixed_dictionaries(
    {"type": st.sampled_from(["string", "integer", "number", "boolean", "array", "object"])},
    optional={
        "enum": st.lists(st.text(max_size=5) | st.integers(0, 9), min_size=1, max_size=3),
        "minimum": st.integers(-50, 50),
        "maximum": st.integers(-50, 50),
        "multipleOf": st.sampled_from([1, 5, 0.25]),
        "minLength": st.integers(0, 30),
        "maxLength": st.integers(0, 30),
        "minItems": st.integers(0, 4),
        "pattern": st.sampled_from(["^[A-Z]{3}$", "^a", "(", "[0-9]+"]),
        "format": st.sampled_from(["date", "email", "uuid", "odd"]),
        "examples": st.lists(st.text(max_size=6), max_size=2),
        "description": st.text(max_size=30),
    },
)


@given(st.dictionaries(st.text(min_size=1, max_size=12), PARTS, max_size=4), st.integers(0, 99))
def test_any_schema_gives_valid_values_or_a_named_failure(properties: dict[str, Any], seed: int) -> None:
    """However odd the schema, the only error is the documented one."""
    tool = Tool(name="odd", parameters=encode({"properties": properties, "required": list(properties)}))
    try:
        values = draw_values(Random(seed), tool, PRIYA, today=TODAY)
    except RolloutFailed:
        return

    assert conforms(encode(values), tool)


@pytest.mark.parametrize("name", ["_", "0", "--", ".", "a.", "ids"])
def test_a_parameter_without_a_word_in_its_name_gets_a_value(name: str) -> None:
    """Names of other people's tools may be signs alone."""
    assert draw_values(Random(1), tool_of("odd", "Odd.", **{name: S}), PRIYA, today=TODAY)


def _wild() -> list[Tool]:
    lines = (DATA / "wild" / "tools_en.jsonl").read_text(encoding="utf-8").splitlines()
    return [tool for line in lines for tool in functions.read(json.loads(line), source="wild").tools]


def _bundled() -> list[Tool]:
    text = (ROOT / "src" / "callwright" / "data" / "enterprise.json").read_bytes()
    return list(functions.read(parse(text), source="bundled").tools)


def _documented(name: str) -> list[Tool]:
    return list(openapi.read(parse((DATA / "openapi" / name).read_bytes()), source=name).tools)


def _check(tools: list[Tool], seed: int) -> None:
    rng = Random(seed)
    unheard = []
    for tool in tools:
        values = draw_values(rng, tool, rng.choice(bank()), today=TODAY, also=list(wanted_parameters(tool)))
        assert conforms(encode(values), tool)
        for name, value in values.items():
            kind = kind_of(name, tool.properties[name])
            if kind != "boolean" and not mentions(say(value, kind, rng=rng, today=TODAY), value, kind, today=TODAY):
                unheard.append((tool.name, name, value))
    assert len(unheard) <= len(tools) / 100, unheard


@pytest.mark.parametrize("seed", [1, 2])
def test_every_bundled_tool_gets_valid_values_that_can_be_said(seed: int) -> None:
    """All draws over the bundled catalogue conform, and what is said of them mentions them."""
    _check(_bundled(), seed)


@needs_data
def test_every_wild_tool_gets_valid_values_that_can_be_said() -> None:
    """The same over 1,244 foreign tools."""
    _check(_wild(), 3)


@needs_data
@pytest.mark.parametrize("name", ["box.json", "slack_v2.json"])
def test_every_documented_operation_gets_valid_values(name: str) -> None:
    """The same over real OpenAPI documents."""
    _check(_documented(name), 4)


def test_word_lists_have_no_doubles_and_known_countries() -> None:
    """Data files agree with one another."""
    from callwright.author.value_bank import names, topics

    codes = {country.alpha2 for country in countries()}
    assert codes
    assert names()
    assert all(set(region.countries) <= codes for region in names().values())
    for bank_name in ("titles", "texts", "codes"):
        assert topics(bank_name)
        assert all(len(topic.values) == len(set(topic.values)) for topic in topics(bank_name).values())


@pytest.mark.parametrize(("name", "last"), [("day", 28), ("month", 12)])
def test_two_digits_of_a_date_are_drawn_as_such(name: str, last: int) -> None:
    """A day beside a month and a year is no date, and no month is called `00`."""
    drawn = {one[name] for one in draws(tool_of("get_games", "Get games.", **{name: {**S, "examples": ["05"]}}))}
    assert len(drawn) > 5
    assert all(len(one) == 2 and 1 <= int(one) <= last for one in drawn)


def test_the_names_and_the_address_of_one_person_agree() -> None:
    """A friendly name and an identity that is an address are those of the same person."""
    identity = {**S, "description": "The email address of the member."}
    friendly = {**S, "description": "The name of the member that others see."}
    for one in draws(tool_of("add_member", "Add a member.", identity=identity, friendly_name=friendly), 12):
        given_name = one["identity"].split("@")[0].split(".")[0]
        assert given_name[0] == ascii_letters(one["friendly_name"])[0].lower()
