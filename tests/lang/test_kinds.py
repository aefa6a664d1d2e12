"""The kind of value that a parameter holds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.kinds import Kind, kind_of, kind_of_value
from callwright.lang.schemas import options_of

S = {"type": "string"}


@pytest.mark.parametrize(
    ("name", "schema", "kind"),
    [
        ("x", {"type": "boolean"}, "boolean"),
        ("x", {"enum": ["a", "b"]}, "enum"),
        ("built", {"type": "integer"}, "year"),
        ("items_built", {"type": "integer"}, "count"),
        ("x", {**S, "format": "date"}, "date"),
        ("x", {**S, "format": "date-time"}, "datetime"),
        ("x", {**S, "pattern": "^PO-[0-9]{5}$"}, "code"),
        ("pool_name", {**S, "pattern": r"[\w\s+=,.@-]+"}, "title"),
        ("pool_name", {**S, "pattern": "[A-Za-z0-9._#-]+"}, "title"),
        ("x", {**S, "pattern": r"^[\w.]+@[\w.]+$"}, "email"),
        ("x", {**S, "pattern": r"^\d{4}-\d{2}-\d{2}$"}, "date"),
        ("start_time", {**S, "pattern": "^[01][0-9]:[0-5][0-9]$"}, "time"),
        ("x", {**S, "examples": ["09:30", "14:00"]}, "time"),
        ("x", {**S, "examples": ["ana@mailbox.example"]}, "email"),
        ("employeeId", S, "code"),
        ("order_id", {"type": "integer"}, "code"),
        ("fiscalYear", {"type": "integer"}, "year"),
        ("guests", {"type": "integer"}, "count"),
        ("amount", {"type": "number"}, "money"),
        ("amount", {"type": "float"}, "money"),
        ("discount", {"type": "number"}, "percent"),
        ("latitude", {"type": "number"}, "number"),
        ("created", {"type": "integer", "description": "Unix time"}, "datetime"),
        ("check_in", {**S, "description": "check-in date", "format": "date"}, "date"),
        ("destination", S, "city"),
        ("countryCode", S, "country"),
        ("toCurrency", S, "currency"),
        ("language", S, "language"),
        ("email_address", S, "email"),
        ("ip_address", S, "code"),
        ("street_address", S, "title"),
        ("phone_number", S, "phone"),
        ("name", {**S, "description": "The user's name."}, "person"),
        ("name", {**S, "description": "Name of the fish."}, "title"),
        ("paymentMethod", {**S, "description": "Method, such as 'cash', 'paypal'"}, "enum"),
        ("type", {**S, "description": "Order type, 'buy' or 'sell'"}, "enum"),
        ("reason", S, "text"),
        ("tags", {"type": "array", "items": S}, "list"),
        ("where", {"properties": {"a": S}}, "object"),
        ("x", {"anyOf": [{"type": "null"}, {**S, "format": "date"}]}, "date"),
        ("x", {"type": ["null", "boolean"]}, "boolean"),
        ("blob", S, "other"),
        ("blob", {}, "other"),
        ("make_date", {"type": "integer", "example": 1465784944}, "datetime"),
        ("size", {"type": "integer", "example": 1465784944}, "count"),
        ("ProjectIDFK", {"type": "integer"}, "code"),
        ("city", {**S, "format": "password"}, "city"),
        ("password", {**S, "format": "password"}, "code"),
    ],
)
def test_evidence_decides_the_kind(name: str, schema: dict[str, Any], kind: Kind) -> None:
    """Type, format, choices, pattern, examples, name and description are weighed in this order."""
    assert kind == kind_of(name, schema)


@pytest.mark.parametrize(
    ("name", "description", "kind"),
    [
        ("restaurant-booktime", "time of the restaurant booking", "time"),
        ("scheduleddatetime", "when the message is sent", "datetime"),
        ("guest_expiration_ts", "Timestamp when the guest account ends.", "datetime"),
        ("subaccountid", "", "code"),
        ("Subaccountid", "", "code"),
        ("timeZone", "", "code"),
        ("time_interval", "The interval.", "other"),
        ("date_of_journey", "", "date"),
        ("number_of_beds", "", "count"),
        ("train_number", "The number of the train.", "code"),
        ("stay_length", "Length of stay in days", "count"),
        ("page", "", "count"),
        ("page", "Name of the page", "title"),
        ("topLat", "", "number"),
        ("location", "the point, as 'longitude,latitude'", "code"),
        ("where_to", "Location of the house", "city"),
        ("channel", "ID of the conversation to archive", "code"),
        ("channel", "Channel to post in", "title"),
        ("artist", "The unique identifier or name of the artist.", "title"),
        ("user", "User to get info on", "code"),
        ("since", "the start, as Unix timestamp", "datetime"),
        ("presence", "Either auto or away", "enum"),
        ("as_user", "Pass true to post as the user.", "enum"),
        ("period", "The window. Valid values: P1D, P1W, P1M.", "enum"),
        ("city", "town or city", "city"),
        ("recipient_business_name", "", "title"),
        ("recipient_name", "", "person"),
    ],
)
def test_the_head_of_a_name_decides_before_its_other_words(name: str, description: str, kind: Kind) -> None:
    """Then how the description begins, and only then a word such as `restaurant`, `content` or `guest`."""
    assert kind == kind_of(name, {**S, "description": description})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "items", "enum", "anyOf", "pattern", "examples", "const"]), inner, max_size=4
        )
    ),
    max_leaves=10,
)


@given(st.text(max_size=20), st.dictionaries(st.sampled_from(["type", "enum", "format", "anyOf", "example"]), JSON))
def test_no_schema_breaks_it(name: str, schema: dict[str, Any]) -> None:
    """However odd a schema, it gets some kind."""
    assert isinstance(kind_of(name, schema), str)


@pytest.mark.parametrize(
    ("value", "kind"),
    [("2026-11-05", "date"), ("a@b.example", "email"), ("PO-55120", "code"), ("Atlas", "title"), (3, "number"),
     (88213, "code"), (True, "boolean"), ([1], "list")],
)  # fmt: skip
def test_values_show_their_kind(value: object, kind: Kind) -> None:
    """Without a schema the value itself tells."""
    assert kind == kind_of_value(value)


@pytest.mark.parametrize(
    ("described", "options"),
    [
        ('Possible values are: "none" - No access. "reader" - Read access.', ("none", "reader")),
        ("Possible values are: enabled and disabled.", ("enabled", "disabled")),
        ("Allowed values are integers or nothing that is shorter.", ()),
        ("The period: latesthour|latestday | all", ("latesthour", "latestday", "all")),
    ],
)
def test_listed_choices_are_a_closed_choice(described: str, options: tuple[str, ...]) -> None:
    """Each with what it does, or two with `and`; not any two words."""
    assert options_of({"type": "string", "description": described}) == options


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"description": "Resource location"}, "title"),
        ({"description": "The geo-location where the resource lives."}, "title"),
        ({"example": "us-east1"}, "title"),
        ({"example": "West US"}, "title"),
        ({"description": "Location of the en-suite room."}, "city"),
        ({"description": "The location of the meeting."}, "city"),
    ],
)
def test_machines_are_in_regions_and_not_in_cities(schema: dict[str, Any], kind: str) -> None:
    assert kind_of("location", {"type": "string", **schema}) == kind


def test_machines_are_in_zones_too() -> None:
    described = {"type": "string", "description": "The name of the compute engine zone of the cluster."}
    assert kind_of("zone", described) == "title"
    assert kind_of("zone", {"type": "string", "description": "The time zone."}) != "title"


def test_a_moment_with_a_pattern_is_a_moment() -> None:
    form = r"^([12]\d{3})-(1[0-2]|0[1-9])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)Z$"
    assert kind_of("Timestamp", {"type": "string", "pattern": form}) == "datetime"
