"""Another wish in plain words."""

from __future__ import annotations

import msgspec
import pytest
from guarded_user import kinds, order, refund, transfer, user

from callwright.lang.tokens import stem_set
from callwright.papers.diaforge.plain_drift import opening_drift
from callwright.papers.diaforge.user_policy import UserState

DRIFT = {"goal_drift"}


def due() -> UserState:
    """Wants to see what is due, and nothing made or removed."""
    return user("list_tasks_due", ("create_task", "cancel_purchase_order"), {})


@pytest.mark.parametrize(
    "text", ["I want to take an order out of the system.", "One of our orders needs to be cancelled."]
)
def test_an_opening_with_another_act_is_drift(text: str) -> None:
    """To remove what is to be seen."""
    assert opening_drift(due(), text)


@pytest.mark.parametrize("text", ["I'd like to see what's on my plate.", "Don't cancel anything, I'm only looking."])
def test_an_opening_in_doubt_is_none(text: str) -> None:
    """Without an act, or with one that is turned down."""
    assert not opening_drift(due(), text)


def test_a_word_of_one_other_document_is_drift_without_own_words() -> None:
    """`Overdue` may only stand in one look-alike's document."""
    state = msgspec.structs.replace(due(), apart=((stem_set("escalation"), stem_set("due")),))
    assert opening_drift(state, "It's about an escalation.")
    assert not opening_drift(state, "An escalation that is due.")


@pytest.mark.parametrize(
    ("text", "found"), [("Replacing it.", DRIFT), ("A refund.", set()), ("Just the refund, no replacement.", set())]
)
def test_a_wrong_option_is_drift(text: str, found: set[str]) -> None:
    """With none of the right one's words."""
    assert kinds(refund(picked=False), "Is it about a refund for it, or about replacing it?", text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("Reserve the lot of it.", set()), ("Reserve all of them.", DRIFT), ("Reserve is what I don't want.", set())],
)
def test_an_order_with_a_rivals_verb_is_drift(text: str, found: set[str]) -> None:
    """Where a thing follows it."""
    heard = "I'll move it now, from north to harbour. All right?"
    assert DRIFT & kinds(transfer(), heard, text) == (DRIFT if "lot" in text else found)


@pytest.mark.parametrize(
    ("text", "found"), [("Yes, and cancel the old one as well.", DRIFT), ("Yes, and thank you for it.", set())]
)
def test_another_act_besides_is_drift(text: str, found: set[str]) -> None:
    """Agreement does not cover it."""
    state = user("list_tasks_due", ("create_task", "cancel_purchase_order"), {}, picked=True)
    assert kinds(state, "I'll list your tasks that are due. Shall I go ahead?", text) == found


def test_the_wish_itself_is_no_drift() -> None:
    """Said as an order."""
    assert kinds(order(), "I approve PO-25340 now. All right?", "Approve it, please.") == set()


@pytest.mark.parametrize(("text", "found"), [("The second one.", DRIFT), ("The first one, please.", set())])
def test_an_option_is_taken_by_its_place(text: str, found: set[str]) -> None:
    """Of two options, one is the user's."""
    state = order(picked=False)
    assert kinds(state, "Do you want to approve a purchase order, or cancel one?", text) == found
