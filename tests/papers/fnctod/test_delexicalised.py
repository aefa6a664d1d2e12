"""Responses with placeholders."""

from __future__ import annotations

import pytest

from callwright.papers.fnctod.delexicalised import booked_references, delexicalised, recall
from callwright.papers.fnctod.venue_database import VenueDatabase, VenueTable
from callwright.records.annotations.state_notes import StateTurn, TokenSpan
from callwright.records.dialogue_state import ActLabel
from callwright.records.jsontext import encode

COLUMNS = {
    "id": ("1", "2"),
    "name": ("the old mill", "the old mill inn"),
    "phone": ("01223 1", "?"),
    "area": ("east", "west"),
}
DATABASE = VenueDatabase({"hotel": VenueTable(COLUMNS["id"], COLUMNS)})
EMPTY = VenueDatabase({})


def test_spans_are_replaced_whole_and_from_the_end() -> None:
    spans = (TokenSpan("Hotel-Inform", "Name", "a b", 0, 1), TokenSpan("Hotel-Inform", "Area", "east", 3, 3))
    assert delexicalised("A B in east .", StateTurn(spans=spans), EMPTY) == "[hotel_name] in [hotel_area] ."


@pytest.mark.parametrize(("first", "last"), [(0, 9), (-1, 0), (2, 1)])
def test_a_span_outside_the_text_is_left_alone(first: int, last: int) -> None:
    spans = (TokenSpan("Hotel-Inform", "Name", "x", first, last),)
    assert delexicalised("A B", StateTurn(spans=spans), EMPTY) == "A B"


@pytest.mark.parametrize(
    ("act", "text", "found"),
    [
        (ActLabel("Booking-Book", "Ref", ("AB12CD34",)), "It is AB12CD34.", "It is [value_reference]."),
        (ActLabel("Train-Inform", "Time", ("50 minutes",)), "It takes 50 minutes.", "It takes [value_time]."),
        (ActLabel("Train-Inform", "Id", ("TR1234",)), "Take tr1234 .", "Take [train_id] ."),
        (ActLabel("Hotel-Inform", "Post", ("cb1 2ab",)), "at cb12ab", "at [hotel_postcode]"),
        (ActLabel("Hotel-Inform", "Phone", ("none",)), "none", "none"),
        (ActLabel("Hotel-Inform", "Choice", ("3",)), "3 hotels", "3 hotels"),
        (ActLabel("general-bye", "none", ("none",)), "none", "none"),
    ],
)
def test_values_of_acts_are_found_in_the_text(act: ActLabel, text: str, found: str) -> None:
    assert delexicalised(text, StateTurn(acts=(act,)), EMPTY) == found


def test_the_database_names_the_longest_value() -> None:
    said = "The Old Mill Inn or the old mill , 01223 1 , in the east"
    assert delexicalised(said, None, DATABASE) == "[hotel_name] or [hotel_name] , [hotel_phone] , in the east"
    assert delexicalised("[hotel_name] ab12", None, DATABASE, ["AB12"]) == "[hotel_name] [value_reference]"


def test_recall_counts_identifying_values() -> None:
    acts = [
        ActLabel("Hotel-Inform", "Phone", ("1",)),
        ActLabel("Hotel-Inform", "Name", ("x",)),
        ActLabel("A-B", "Area", ("e",)),
    ]
    assert recall("call [hotel_phone]", acts) == (1, 2)


def test_references_are_those_of_bookings() -> None:
    assert list(booked_references([encode({"reference": "AB"}), encode({"phone": "1"}), encode([])])) == ["AB"]
