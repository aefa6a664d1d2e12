"""Queries on MultiWOZ's database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_multiwoz import slow_query, slow_ratio

from callwright.errors import BadInput
from callwright.papers.fnctod.venue_database import VenueDatabase, VenueTable, is_similar, partial_ratio, read_table

TRAINS = [
    {"trainid": "TR1", "arrive": "09:15", "leave": "08:00", "departure": "ely", "destination": "cambridge"},
    {"trainid": "TR2", "arrive": "10:15", "leave": "09:00", "departure": "ely", "destination": "norwich"},
    {"trainid": "TR3", "arrive": "24:05", "leave": "?", "departure": "stevenage", "destination": "cambridge"},
]
WORDS = st.text("abc ", max_size=8)


def database(rows: list[dict[str, str]], domain: str) -> VenueDatabase:
    key = "trainid" if domain == "train" else "id"
    columns = {name: tuple(row[name] for row in rows) for name in rows[0]}
    return VenueDatabase({domain: VenueTable(columns[key], columns)})


@pytest.mark.parametrize(
    ("constraints", "found"),
    [
        ({}, "123"),
        ({"arrive": "10:15"}, "12"),
        ({"leave": "08:30"}, "23"),
        ({"leave": "soon"}, "123"),
        ({"arrive": "by 10:15", "departure": "dontcare"}, "12"),
        ({"departure": "do n't care", "destination": "not mentioned"}, "123"),
        ({"departure": "elyy"}, "12"),
        ({"departure": "paris"}, ""),
        ({"departure": ""}, ""),
        ({"moon": "full"}, "123"),
        ({"departure": None}, "123"),
        ({"departure": 4}, ""),
    ],
)
def test_a_query_finds_the_rows_that_meet_all_constraints(constraints: dict[str, str], found: str) -> None:
    assert database(TRAINS, "train").query("train", constraints) == {f"TR{at}" for at in found}


def test_a_domain_without_table_has_no_rows() -> None:
    assert database(TRAINS, "train").query("taxi", {}) == frozenset()


@given(WORDS, WORDS)
def test_the_ratio_equals_the_slow_one(one: str, other: str) -> None:
    assert partial_ratio(one, other) == slow_ratio(one, other)
    assert is_similar(one, other) == (slow_ratio(one, other) >= 90)


@given(
    st.lists(st.tuples(WORDS, st.sampled_from("ab?")), min_size=1, max_size=5),
    st.fixed_dictionaries({}, optional={"name": WORDS, "area": st.sampled_from(["a", "b", "dontcare"])}),
)
def test_a_query_equals_the_slow_one(held: list[tuple[str, str]], wanted: dict[str, str]) -> None:
    rows = [{"id": str(at), "name": name, "area": area} for at, (name, area) in enumerate(held)]
    found = database(rows, "hotel").query("hotel", wanted)
    canonical = [{**row, "name": row["name"].strip()} for row in rows]
    assert database(canonical, "hotel").query("hotel", wanted) == set(slow_query(canonical, "hotel", wanted))
    assert found <= {row["id"] for row in rows}


def test_a_table_has_canonical_names_and_values(tmp_path: Path) -> None:
    path = tmp_path / "attraction_db.json"
    row = {"id": "1", "entrance fee": "free", "type": "mutliple sports", "location": [1, 2], "name": "The Junction"}
    path.write_text(json.dumps([row]))
    table = read_table(path, "attraction")
    assert table.columns == {
        "id": ("1",),
        "entrancefee": ("free",),
        "type": ("multiple sports",),
        "name": ("junction theatre",),
    }


@pytest.mark.parametrize("text", ["{}", "[]", "[3]", '[{"id": 3}]', '[{"name": "a"}]'])
def test_a_bad_table_is_one_error_with_its_place(tmp_path: Path, text: str) -> None:
    path = tmp_path / "hotel_db.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"hotel_db\.json"):
        read_table(path, "hotel")


def test_the_shared_tables_are_read(shared_data: Path) -> None:
    found = read_table(shared_data / "multiwoz" / "db" / "train_db.json", "train")
    assert (len(found.ids), len(set(found.ids))) == (2828, 2462)  # one number leaves on several days
