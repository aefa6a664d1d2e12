"""Services as functions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from callwright.errors import BadInput
from callwright.papers.fnctod.domain_functions import (
    choices_of,
    domain_tools,
    multiwoz_services,
    parameter_of,
    parameter_type,
    read_services,
    rendered,
    slot_of,
)

TOOLS = domain_tools(multiwoz_services())


def test_each_domain_is_one_function() -> None:
    assert {domain: tool.name for domain, tool in TOOLS.items()} == {
        "hotel": "find_book_hotel",
        "train": "find_book_train",
        "attraction": "find_attraction",
        "restaurant": "find_book_restaurant",
        "hospital": "find_hospital",
        "taxi": "book_taxi",
        "police": "find_police",
    }
    assert all(tool.required == () for tool in TOOLS.values())


def test_parameters_are_what_users_constrain() -> None:
    assert set(TOOLS["train"].properties) == {
        *("arrive_by", "departure", "day", "bookpeople", "leave_at_or_after", "destination")
    }
    assert "accommodation_type" in TOOLS["hotel"].properties
    assert "phone" not in TOOLS["hotel"].properties


@pytest.mark.parametrize(
    ("values", "kind"), [("yes no", "boolean"), ("0 5", "integer"), ("6 7", "string"), ("", "string")]
)
def test_types_follow_the_values(values: str, kind: str) -> None:
    assert parameter_type(values.split()) == kind


def test_renames_have_an_inverse() -> None:
    pairs = [(domain, slot_of(domain, name)) for domain, tool in TOOLS.items() for name in tool.properties]
    assert len(pairs) == 32
    assert all(slot_of(domain, parameter_of(domain, slot)) == slot for domain, slot in pairs)


def test_closed_choices_stand_beside_dontcare() -> None:
    assert TOOLS["hotel"].properties["area"]["enum"][-1] == "dontcare"
    assert choices_of(TOOLS)["hotel", "type"] == {"guesthouse", "hotel"}
    assert "such as" in TOOLS["restaurant"].properties["food"]["description"]


def test_a_function_is_lines_of_text() -> None:
    first, *lines = rendered(TOOLS["hotel"]).splitlines()
    assert first.startswith("find_book_hotel: Hotel reservations")
    assert "- stars (integer): star rating of the hotel; one of 0, 1, 2, 3, 4, 5, dontcare" in lines


def test_no_schema_is_one_error() -> None:
    with pytest.raises(BadInput, match=r"x\.json"):
        read_services([{"slots": 3}], where="x.json")


@pytest.mark.parametrize(("part", "services"), [("train", 26), ("dev", 17), ("test", 21)])
def test_services_of_sgd_convert(shared_data: Path, part: str, services: int) -> None:
    document = json.loads((shared_data / "sgd" / part / "schema.json").read_text())
    tools = domain_tools(read_services(document, where=part))
    assert len(tools) == services
    assert all(tool.properties for tool in tools.values())
