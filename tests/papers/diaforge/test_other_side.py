"""Words of an assistant in a user's mouth, and a user's own."""

from __future__ import annotations

import pytest
from guarded_user import kinds, order, refund

WHICH = "What's the purchase order number?"


@pytest.mark.parametrize(
    "text",
    [
        "I can approve or cancel it.",
        "I'd be delighted to approve it.",
        "I'll pull that up for you right away.",
        "Let me take care of it for you.",
        "Fetching the order now.",
        "Please hold while I get the order.",
        "Could you share your purchase order number with me?",
        "I'll need the purchase order number from you.",
        "What is its number?",
        "Your order has been approved.",
        "I've looked up the order, and here are its details.",
        "Shall I approve it now?",
        "Would you like me to cancel it?",
        "Tell me which one you need.",
        "Need anything else?",
        "How else may I help?",
    ],
)
def test_the_users_words_are_no_assistants(text: str) -> None:
    """It offers nothing, asks for nothing that it knows itself, and reports nothing."""
    assert "role_swap" in kinds(order(), WHICH, text)


@pytest.mark.parametrize(
    "text",
    [
        "I can give you the number: PO-25340.",
        "Let me check... PO-25340.",
        "I'll wait. It's PO-25340.",
        "I'd be glad to hear when it is done, it's PO-25340.",
        "Shall I spell it? PO-25340.",
        "Do you need anything else from me? It's PO-25340.",
        "What do you mean by number?",
        "Which number do you need?",
        "Here you go: PO-25340.",
        "I need the order approved before I can close my books: PO-25340.",
        "One moment, I have it for you here: PO-25340.",
    ],
)
def test_a_user_may_give_tell_wait_and_check(text: str) -> None:
    """And may ask what is meant."""
    assert kinds(order(), WHICH, text) == set()


def test_an_opening_asks_for_no_thing() -> None:
    """`Which order do you need?` without a question before it is an assistant's."""
    assert "role_swap" in kinds(order(picked=False), "", "Sure, which order do you need?")


def test_a_dictated_text_is_nobodys_role() -> None:
    """What a message quotes may be an assistant's words."""
    said = 'The order is 88213, and the note should read "I can refund it. Let me know if you have any questions".'
    assert "role_swap" not in kinds(refund(), "What is the order number?", said)


@pytest.mark.parametrize(
    "text",
    [
        "I can do both.",
        "Which of them should I process for you?",
        "Here's your order!",
        "I shall now compile the orders.",
        "I'm cancelling your order now.",
        "What state should I filter by?",
    ],
)
def test_a_user_serves_nobody(text: str) -> None:
    """It neither offers both, nor asks how to do its task."""
    assert "role_swap" in kinds(order(), WHICH, text)
