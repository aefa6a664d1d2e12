"""What agrees within one result."""

from __future__ import annotations

from datetime import date

import pytest

from callwright.environment.settling import counted, settled
from callwright.records.jsontext import Json

TODAY = date(2026, 5, 4)


def whole(value: Json) -> Json:
    for edit in (*settled(value, TODAY), *counted(value)):
        edit.place[edit.name] = edit.value
    return value


def test_days_stand_in_their_order() -> None:
    """Created, then changed, both before today; due after it."""
    made = whole({"created_at": "2026-05-20", "updated_at": "2026-05-02", "due_on": "2026-04-01"})
    assert isinstance(made, dict)
    assert str(made["created_at"]) <= str(made["updated_at"]) <= TODAY.isoformat() <= str(made["due_on"])


def test_a_count_is_the_length_of_its_list() -> None:
    """Beside the list or in the object that tells of pages, which there is one of."""
    pages: Json = {"page": 3, "pageCount": 9, "itemCount": 40, "pageSize": 50}
    made = whole({"items": [{"name": "a"}, {"name": "b"}], "total": 17, "pagination": pages})
    assert isinstance(made, dict)
    assert made["total"] == 2
    assert made["pagination"] == {"page": 1, "pageCount": 1, "itemCount": 2, "pageSize": 50}


@pytest.mark.parametrize("key", ["email", "login"])
def test_an_address_is_that_of_the_name_beside_it(key: str) -> None:
    """In plain letters."""
    assert whole({"name": "Chloé Garnier", key: "x@example.com"}) == {
        "name": "Chloé Garnier",
        key: "chloe.garnier@example.com",
    }


def test_amounts_are_in_one_currency() -> None:
    """That of the first."""
    made = whole({"estimate": {"currency": "KYD"}, "deposit": {"currency": "MOP"}, "currencyCode": "CZK"})
    assert made == {"estimate": {"currency": "CZK"}, "deposit": {"currency": "CZK"}, "currencyCode": "CZK"}
