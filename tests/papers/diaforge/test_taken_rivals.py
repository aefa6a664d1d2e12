"""Replies that take another wish than the user's, and those that repeat the right one."""

from __future__ import annotations

import pytest
from guarded_user import kinds, order, refund

from callwright.papers.diaforge.taken_rivals import repeats_right_option

DRIFT = {"goal_drift"}
PARTS = "Is it one item, or the whole order?"


@pytest.mark.parametrize(
    ("heard", "text"),
    [
        (PARTS, "The whole order."),
        ("A refund of one item, or a replacement for it?", "A replacement, please."),
        ("Do you want to approve it, or cancel it?", "Please cancel it."),
        ("Do you want to approve it, or cancel it?", "No, cancel it, please."),
    ],
)
def test_a_rival_in_a_choice_is_drift(heard: str, text: str) -> None:
    """A short answer that holds the rival's word and none of the user's own."""
    state = order(picked=False) if "approve" in heard else refund(picked=False)
    assert kinds(state, heard, text) >= DRIFT


@pytest.mark.parametrize(
    ("heard", "text"),
    [
        (PARTS, "One item."),
        (PARTS, "Only an item, not the whole order."),
        (PARTS, "The first."),
        ("Do you want to approve it, or cancel it?", "I'd never cancel it, I approve."),
        ("Do you want to approve it, or cancel it?", "Approve it, please."),
    ],
)
def test_the_right_option_is_no_drift(heard: str, text: str) -> None:
    """Also where a rival is turned down beside it."""
    state = order(picked=False) if "approve" in heard else refund(picked=False)
    assert kinds(state, heard, text) == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Aye, do that.", DRIFT),
        ("Yes, please, that would be grand.", DRIFT),
        ("Oh no, please don't!", set()),
        ("No. I want it approved.", set()),
    ],
)
def test_another_act_may_not_be_agreed_to(text: str, found: set[str]) -> None:
    """What the assistant proposes in place of the wish is put right."""
    assert kinds(order(), "Thank you. Shall I cancel that order?", text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("You know what, skip the approval and just cancel it.", DRIFT), ("Just approve it, don't cancel it.", set())],
)
def test_the_wish_may_not_be_turned_to_another_act(text: str, found: set[str]) -> None:
    """Not even once it is settled."""
    assert kinds(order(), "I approve PO-25340 now. All right?", text) == found


def test_a_repeated_option_with_a_word_of_the_wish_is_right() -> None:
    """`An order` to `approve an order` means no other tool for orders."""
    gold, heard = order().gold, "Is it about approving a purchase order, or about a contract?"
    assert repeats_right_option("A purchase order.", heard, gold)
    assert not repeats_right_option("A contract.", heard, gold)
