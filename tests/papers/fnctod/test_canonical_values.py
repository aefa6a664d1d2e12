"""Slots and values in the spelling of the standard evaluation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.papers.fnctod.canonical_values import canonical_slot, canonical_state, canonical_value, minutes_of


@pytest.mark.parametrize(
    ("slot", "name"), [("arriveBy", "arrive"), ("leave at", "leave"), ("price range", "pricerange"), ("Area", "area")]
)
def test_a_slot_has_one_name(slot: str, name: str) -> None:
    assert canonical_slot(slot) == name


@pytest.mark.parametrize(
    ("slot", "value", "canonical"),
    [
        ("name", " The Junction", "junction theatre"),
        ("name", "bed & breakfast", "bed and breakfast"),
        ("name", "bed&breakfast", "bed and breakfast"),
        ("departure", "saint john 's college", "saint john's college"),
        ("type", "mutliple sports", "multiple sports"),
        ("type", "Guest House", "Guest House"),
        ("food", " English", "british"),
        ("parking", "free", "yes"),
        ("area", "free", "free"),
        ("arrive", "noon", "12:00"),
        ("arrive", "by 9:15", "09:15"),
        ("arrive", "one o'clock p.m. sharp", "13:00"),
        ("leave", "after 17:15", "17:15"),
        ("leave", "afer 5 pm", "17:00"),
        ("leave", "3:30 p.m.", "15:30"),
        ("leave", "9:15 a.m.", "09:15"),
        ("leave", "1545", "15:45"),
        ("leave", "7", "07:00"),
        ("leave", "12 : 15", "12:15"),
        ("leave", "12:15.", "12:15"),
        ("leave", "", "00:00"),
        ("leave", "half past ten pm", "half past ten"),
        ("booktime", "5 pm", "5 pm"),
    ],
)
def test_a_value_has_one_spelling(slot: str, value: str, canonical: str) -> None:
    assert canonical_value(slot, value) == canonical


def test_what_is_no_time_counts_zero() -> None:
    assert [minutes_of(text) for text in ("07:15", "24:01", "soon", "7:15", "")] == [435, 1441, 0, 0, 0]


def test_a_state_keeps_what_is_no_text() -> None:
    assert canonical_state({"train": {"arriveBy": "9", "people": 3}}) == {"train": {"arrive": "09:00", "people": 3}}


@given(st.sampled_from(["name", "type", "food", "arrive", "parking", "area"]), st.text())
def test_no_text_is_an_error(slot: str, value: str) -> None:
    assert isinstance(canonical_value(slot, value), str)
