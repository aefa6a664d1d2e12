"""Values that are not the user's, where a value was asked for or proposed."""

from __future__ import annotations

import pytest
from guarded_user import kinds, order, refund, transfer, user

FOUND = {"value_not_gold"}


@pytest.mark.parametrize(
    ("heard", "text"),
    [
        ("How many units is it?", "Fifteen of them."),
        ("How many units is it?", "Eight."),
        ("Which warehouse does it go to?", "To the airport one."),
        ("What is the reason for the refund?", "I changed my mind about it."),
    ],
)
def test_another_number_or_choice_is_none_of_the_users(heard: str, text: str) -> None:
    """Also in words."""
    state = refund() if "refund" in heard else transfer()
    assert kinds(state, heard, text) >= FOUND


@pytest.mark.parametrize(
    ("heard", "text", "found"),
    [
        ("What should the company name be?", "Kestrel Brushes.", FOUND),
        ("What should the company name be?", 'It reads "Harbour Cranes".', FOUND),
        ("What should the company name be?", "Kestrel Tools, please.", set()),
        ("What else would you like to change?", "The company name! It should be Ostrom from now on.", FOUND),
        ("What else would you like to change?", "The company name! It should be Kestrel Tools.", set()),
    ],
)
def test_a_name_with_words_of_another_is_another(heard: str, text: str, found: set[str]) -> None:
    """Where it was asked for, and where the user calls it by its noun."""
    state = user("draft_one_way_nda", ("draft_mutual_nda",), {"company_name": "Kestrel Tools"})
    assert kinds(state, heard, text) - {"evasion"} == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Yes, that's the one.", FOUND),
        ("Correct.", FOUND),
        ("No, it ends in 340.", set()),
        ("PO-25340, please.", set()),
    ],
)
def test_a_wrong_value_may_not_be_agreed_to(text: str, found: set[str]) -> None:
    """A value that the assistant misheard is put right."""
    assert kinds(order(), "Did you say PO-25430?", text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("Store credit, please.", FOUND), ("Whichever you like.", set()), ("I don't mind.", set()), ("No idea.", set())],
)
def test_who_has_no_value_invents_none(text: str, found: set[str]) -> None:
    """A parameter for which the user has no value stays open."""
    assert kinds(refund(), "Which refund method, store credit or bank transfer?", text) == found


@pytest.mark.parametrize(
    ("heard", "text"),
    [
        ("How many of them would you like?", "Thirty of them, please."),
        ("Who should be told about it?", "Please tell Marta Olsen."),
        ("What is the address for it, with its code?", "It is 70413."),
    ],
)
def test_what_the_user_lacks_may_not_be_made_up(heard: str, text: str) -> None:
    """A number, a person or a code."""
    assert "value_not_gold" in kinds(order(), heard, text)
