"""Other values than the one that a document shows."""

from __future__ import annotations

import re
from importlib.resources import files
from random import Random

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from callwright.author.kindred_values import Pairs, shown_alone, with_kindred
from callwright.author.value_bank import topics
from callwright.catalog.slots import slots
from callwright.formats.functions import read
from callwright.match.schema import conforms
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def tool(name: str, description: str, **properties: dict[str, Json]) -> Tool:
    """A tool whose parameters are all required."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    function = {"name": name, "description": description, "parameters": schema}
    return read([function], source="test").tools[0]


def text(description: str, **more: Json) -> dict[str, Json]:
    return {"type": "string", "description": description, **more}


def drawn(of: Tool, values: dict[str, Json], times: int = 60) -> list[dict[str, Json]]:
    found = [with_kindred(Random(seed), of, values) for seed in range(times)]
    assert all(conforms(encode(one), of) for one in found)
    return found


MEALS = tool("find_meals", "Find meals of a cuisine.", cuisine=text("Type of cuisine (e.g. 'Italian')."))
TRADES = tool("get_coin_price", "Get the price of a coin.", coin=text("Name of the coin (e.g. 'bitcoin')."))
FLIGHTS = tool(
    "book_seat",
    "Book a seat on a flight.",
    from_airport=text("Departure airport (e.g. 'JFK')."),
    to_airport=text("Arrival airport (e.g. 'LAX')."),
)
BASKETS = tool(
    "order_things", "Order groceries.", items=text("Comma-separated list of groceries (e.g. 'apples,bananas,milk').")
)


def test_the_one_example_is_one_of_its_kind() -> None:
    """A cuisine of which only one is shown may be any; the shown one is among them."""
    found = {str(one["cuisine"]) for one in drawn(MEALS, {"cuisine": "Italian"}, 200)}
    assert len(found) > 8
    assert "Italian" in found


def test_values_are_written_as_the_example_is() -> None:
    """A document that writes `bitcoin` gets `ethereum`, not `Ethereum`."""
    found = {str(one["coin"]) for one in drawn(TRADES, {"coin": "bitcoin"})}
    assert len(found) > 4
    assert all(one == one.lower() for one in found)


def test_two_values_of_a_call_differ() -> None:
    """Nobody flies from an airport to the same one."""
    found = drawn(FLIGHTS, {"from_airport": "JFK", "to_airport": "LAX"}, 200)
    assert len({str(one) for one in found}) > 50
    assert all(one["from_airport"] != one["to_airport"] for one in found)


def test_lists_in_one_text_stay_lists() -> None:
    """Of three things joined by commas three others are drawn, each once."""
    for one in drawn(BASKETS, {"items": "apples,bananas,milk"}):
        parts = str(one["items"]).split(",")
        assert len(set(parts)) == 3
        assert set(parts) <= set(topics("kindred")["grocery"].values)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (text("Name of the thing (e.g. 'zorblax prime')."), "zorblax prime"),
        (text("Type of cuisine (e.g. 'Italian').", enum=["Italian", "Other"]), "Italian"),
        (text("Type of cuisine (e.g. 'Italian').", pattern="^It"), "Italian"),
    ],
)
def test_what_has_no_other_value_stays(schema: dict[str, Json], value: str) -> None:
    """An example of no known kind, choices and patterns keep the value."""
    of = tool("find_it", "Find meals of a cuisine.", cuisine=schema)
    found = drawn(of, {"cuisine": value})
    assert {one["cuisine"] for one in found} == {value}


@pytest.mark.parametrize(
    ("name", "example", "shape"),
    [
        ("inspector", "Dana Reed", r"\S+ \S+"),
        ("apiary", "Hillside Apiary", r"\S+ Apiary"),
        ("hall_name", "Victoria Hall", r"\w+ Hall"),
        ("policy_name", "Sales Policy", r"\w+ Policy"),
        ("remarks", "cleat on the north side is loose", r"cleat on the \w+ side is loose"),
    ],
)
def test_names_and_texts_have_others_of_their_shape(name: str, example: str, shape: str) -> None:
    """The one that is shown is among them."""
    of = tool("record_it", "Record it.", **{name: text("", example=example)})
    found = {str(one[name]) for one in drawn(of, {name: example}, 200)}
    assert len(found) > 3
    assert example in found
    assert all(re.fullmatch(shape, one) for one in found)


_SCHEMAS: st.SearchStrategy[dict[str, Json]] = st.fixed_dictionaries(
    {"type": st.just("string"), "example": st.sampled_from(("Dana Reed", "Hillside", "T-9", "Main Dock", "two tents"))},
    optional={
        "maxLength": st.integers(9, 20),
        "minLength": st.integers(1, 3),
        "pattern": st.sampled_from(("^[A-Z]", "^[A-Za-z -]+[0-9]?$", "e", "s$")),
        "enum": st.just(["Dana Reed", "Hillside", "T-9", "Main Dock", "two tents"]),
    },
)


@given(_SCHEMAS, st.sampled_from(("inspector", "site", "code", "note", "label")), st.integers(0, 99))
def test_the_schema_decides_last(schema: dict[str, Json], name: str, seed: int) -> None:
    """Whatever pattern, length or choice it has, what is drawn instead keeps to it."""
    of, values = tool("record_it", "Record it.", **{name: schema}), {name: schema["example"]}
    assume(conforms(encode(values), of))
    assert conforms(encode(with_kindred(Random(seed), of, values)), of)


@pytest.mark.parametrize(
    ("name", "described", "example"),
    [
        ("note", "Strike note of the bell", "F sharp"),
        ("note", "Where it is kept", "broken shelf"),
        ("reason", "Why it is called off", "broken stay"),
        ("comment", "Kind of the comment", "Praise"),
    ],
)
def test_a_word_or_two_give_no_sentences(name: str, described: str, example: str) -> None:
    """A `note` that is no sentence is none of the texts that people write on notes."""
    of = tool("record_it", "Record it.", **{name: text(described, example=example)})
    assert all(len(str(one[name]).split()) == len(example.split()) for one in drawn(of, {name: example}))


@pytest.mark.parametrize("example", ["Please review", "Review completed!", "Hello"])
def test_short_messages_give_others(example: str) -> None:
    """What somebody says is a message still, however short."""
    of = tool("send_it", "Send a message.", message=text("The message", example=example))
    assert len({str(one["message"]) for one in drawn(of, {"message": example})}) > 4


def test_a_code_is_no_text() -> None:
    """A note of music has other digits, and is no note to a reader."""
    of = tool("wind_string", "Wind a string.", note=text("note name", example="F#1"))
    assert {one["note"] for one in drawn(of, {"note": "F#3"})} == {"F#3"}


def test_texts_are_of_the_kind_that_is_asked_for() -> None:
    """A note is one of the notes, a text to be analysed a sentence, a reason is left as it was drawn."""
    note = tool("take_note", "Take a note.", content=text("Text content to save in the note."))
    analysed = tool("analyse_mood", "Analyse the sentiment of a text.", text=text("The text to be analysed."))
    reason = tool("cancel_trip", "Cancel a trip.", reason=text("Why it is cancelled."))
    assert {one["content"] for one in drawn(note, {"content": "x"})} <= set(topics("written")["note"].values)
    assert {one["text"] for one in drawn(analysed, {"text": "x"})} <= set(topics("written")["sentence"].values)
    assert {one["reason"] for one in drawn(reason, {"reason": "plans have changed"})} == {"plans have changed"}


def test_a_note_on_a_payment_is_no_note_to_oneself() -> None:
    """What a tool is for decides, and not the name of a parameter alone."""
    paid = tool("record_payment", "Record a payment for an invoice.", note=text("A note associated with the payment."))

    assert {one["note"] for one in drawn(paid, {"note": "Paid in full"})} == {"Paid in full"}


def test_make_and_model_go_together() -> None:
    """A motorcycle's make and model come from one row."""
    of = tool(
        "find_motorcycles",
        "Find motorcycles by make and model.",
        make=text("Name of the manufacturer."),
        model=text("Name of the model."),
    )
    found = {(one["make"], one["model"]) for one in drawn(of, {"make": "Larkfield Foods", "model": "Willow"})}
    assert len(found) > 8
    assert ("Ducati", "Monster") in found
    assert ("Ducati", "CB500X") not in found


def test_the_only_example_is_found() -> None:
    """One example is the only one; two are none."""
    two = tool("find_films", "Find films.", genre=text("Movie genre (e.g. 'action', 'comedy')."))
    assert shown_alone(slots(MEALS)["cuisine"]) == "Italian"
    assert shown_alone(slots(two)["genre"]) == ""


def test_lists_hold_nothing_twice() -> None:
    """No list has a value twice, and each row of pairs has a place for each column."""
    lists = [topic.values for bank in ("kindred", "written") for topic in topics(bank).values()]
    assert len(lists) > 40
    assert all(len(set(one)) == len(one) for one in lists)


def test_pairs_are_rectangular() -> None:
    """Each row of pairs has as many places as there are columns."""
    source = (files("callwright.author") / "data" / "values" / "pairs.json").read_bytes()
    tables = msgspec.json.decode(source, type=dict[str, Pairs]).values()
    assert tables
    assert all(len(row) == len(one.columns) for one in tables for row in one.rows)
