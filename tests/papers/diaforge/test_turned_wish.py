"""A bare refusal of what is right is a denial; one that corrects something is none."""

from __future__ import annotations

import pytest
from guarded_user import kinds, order, refund

SURE = "So I approve the purchase order PO-25340. Right?"


@pytest.mark.parametrize(
    ("picked", "heard", "text"),
    [
        (True, SURE, "No."),
        (True, SURE, "No, that's all wrong."),
        (True, SURE, "Not so."),
        (True, SURE, "That isn't what I'm after."),
        (False, "Is it one item, or the whole order?", "Neither of them."),
        (False, "Is it one item, or the whole order?", "Oh no, not the order, and not an item either!"),
    ],
)
def test_what_is_right_may_not_be_turned_down(picked: bool, heard: str, text: str) -> None:
    """Neither a summary nor an option."""
    state = order(picked=picked) if heard == SURE else refund(picked=picked)
    assert kinds(state, heard, text) == {"denial"}


@pytest.mark.parametrize(
    ("heard", "text"),
    [
        (SURE, "Right."),
        (SURE, "No objections, go ahead."),
        ("So I cancel the purchase order PO-25340. Right?", "No."),
        ("I approve PO-25340 and afterwards the contract. Right?", "No."),
        ("Do you have anything else for me?", "No."),
        ("Is there a particular supplier that you have in mind?", "No."),
        ("Shall I approve PO-99340?", "No, that's wrong."),
    ],
)
def test_what_is_not_right_may_be_turned_down(heard: str, text: str) -> None:
    """Another act, another value, more than is wanted, or a question for something else."""
    assert kinds(order(), heard, text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "Your summary is mistaken.",
        "No, that recap isn't right.",
        "Wrong number.",
        "No, the order number you noted is wrong.",
        "You've got that wrong.",
    ],
)
def test_a_right_summary_may_not_be_called_wrong(text: str) -> None:
    """Whatever it is called."""
    assert "denial" in kinds(order(), "To recap: I approve purchase order PO-25340. Is that correct?", text)


def test_a_wrong_summary_may_be_called_wrong() -> None:
    """With a value that is not the user's."""
    heard = "To recap: I approve purchase order PO-99999. Is that correct?"
    assert "denial" not in kinds(order(), heard, "Wrong number.")
