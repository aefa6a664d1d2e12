"""Codes and addresses in other spellings than their own."""

from __future__ import annotations

import pytest

from callwright.author.spoken_codes import is_spoken
from callwright.lang.kinds import Kind


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("it's lea dot brandt at northwind dot example", "lea.brandt@northwind.example", "email"),
        ("LEA (dot) BRANDT (at) northwind.example", "lea.brandt@northwind.example", "email"),
        ("our page is northwind dot example slash shop", "https://northwind.example/shop", "url"),
        ("batch HB 7061", "HB-7061", "code"),
        ("hb7061, please", "HB-7061", "code"),
        ("HB dash 7061", "HB-7061", "code"),
        ("meter 552 19 07", "5521907", "code"),
        ("F L, dash, 10937", "FL-10937", "code"),
        ("Foxtrot Lima, one zero nine three seven", "FL-10937", "code"),
        ("f as in Frank, l for Lima, hyphen, ten nine thirty-seven", "FL-10937", "code"),
        ("it's P O slash four four oh double seven", "PO/44077", "code"),
        ("capital B, underscore, seventy-one two", "B_712", "code"),
        ("oh seven nine, triple five, twenty thirty-one", "079 555 20 31", "phone"),
        ("079 555 20 31, but with the Swiss code", "+41 79 555 20 31", "phone"),
        ("plus 41 79 555 20 31", "+41795552031", "phone"),
    ],
)
def test_a_value_is_said_in_another_spelling(text: str, value: str, kind: Kind) -> None:
    """As people speak and type it."""
    assert is_spoken(text, value, kind)


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("batch HB 7016", "HB-7061", "code"),
        ("batch HB 70612", "HB-7061", "code"),
        ("lea at northwind dot example", "lea.brandt@northwind.example", "email"),
        ("079 555 20 13", "+41 79 555 20 31", "phone"),
        ("3 of 7", "37", "code"),
        ("F L, dash, 10973", "FL-10937", "code"),
        ("Foxtrot Mike, one zero nine three seven", "FL-10937", "code"),
        ("4 double 7", "4477", "code"),
        ("7061", 7061, "count"),
    ],
)
def test_another_value_is_not(text: str, value: object, kind: Kind) -> None:
    """Though it is near."""
    assert not is_spoken(text, value, kind)  # type: ignore[arg-type]
