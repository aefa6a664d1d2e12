"""Replies to a question for values: denied, evaded, answered, or asked back."""

from __future__ import annotations

import pytest
from guarded_user import kinds, order, refund, transfer

WHICH = "What's the purchase order number?"
BOTH = "Please give me the order number and the reason for the refund."


@pytest.mark.parametrize(
    "text",
    [
        "I was never given one.",
        "I have been given neither a number nor a code.",
        "Nobody has told me the number.",
        "It escapes me, sorry.",
        "I've got no purchase order number.",
        "Not a clue, I'm afraid.",
        "I don't know it, could you look it up?",
    ],
)
def test_what_is_known_may_not_be_denied(text: str) -> None:
    """In whatever words somebody says that a value is not there."""
    assert kinds(order(), WHICH, text) == {"denial"}


@pytest.mark.parametrize("text", ["The order is 88213. I don't have a reason for it.", "88213, but no reason."])
def test_each_value_is_looked_at(text: str) -> None:
    """One may be given and another one denied."""
    assert kinds(refund(), BOTH, text) == {"denial"}


@pytest.mark.parametrize(
    ("heard", "text"),
    [
        (WHICH, "It's the one for the new chairs."),
        (WHICH, "You'll find it on your side, surely."),
        (WHICH, "Those numbers are so long, aren't they?"),
        (WHICH, "Can't you just look it up?"),
        ("And which item is it?", "Something that my brother bought in spring."),
        ("What is the reason for the refund?", "I'll be brief, the weather is too nice for this."),
        ("Shall I approve PO-25340 now?", "Our canteen had soup today."),
        ("How many units is it?", "As always."),
    ],
)
def test_a_question_may_not_be_evaded(heard: str, text: str) -> None:
    """Neither one for a code, a name, a choice or a number, nor one for yes or no."""
    state = transfer() if "units" in heard else refund() if "refund" in heard or "item" in heard else order()
    assert kinds(state, heard, text) == {"evasion"}


@pytest.mark.parametrize(
    ("heard", "text"),
    [
        (WHICH, "What do you mean by number?"),
        (WHICH, "Where would I find that?"),
        (WHICH, "That'd be PO-25340, thanks!"),
        ("Shall I approve PO-25340 now?", "By all means."),
        ("Shall I approve PO-25340 now?", "Sounds good, thank you."),
        ("How are you today?", "Can't complain, the sun is out."),
        ("And which item is it?", "The boots."),
        ("How many units is it?", "A dozen."),
        (BOTH, "88213, and it arrived with damage."),
        ("Is there a preferred refund method?", "No, whatever is easiest."),
    ],
)
def test_an_answer_in_other_words_is_one(heard: str, text: str) -> None:
    """A question back, a word of the value's family, or a yes in whatever form."""
    state = transfer() if "units" in heard else order() if "PO-" in heard or heard == WHICH else refund()
    assert kinds(state, heard, text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "That is a great question. I look forward to it.",
        "You're very kind.",
        "Whatever makes sense.",
        "Just get on with it.",
        "Pick whichever works best.",
        "Those are good options.",
    ],
)
def test_kind_words_and_leaving_the_choice_are_no_answer(text: str) -> None:
    """What the user wants is the user's to say."""
    heard = "What should I do? I can approve a purchase order, or cancel one. Which of them is it?"
    assert "evasion" in kinds(order(picked=False), heard, text)


@pytest.mark.parametrize("text", ["The first one.", "A.", "A, please.", "I'd like the former.", "Number one, thanks."])
def test_an_option_may_be_picked_by_its_place(text: str) -> None:
    """Or by its letter."""
    heard = "Which one do you need: A) approve a purchase order, or B) cancel one?"
    assert kinds(order(picked=False), heard, text) == set()


def test_what_is_asked_for_may_not_be_missing() -> None:
    """Also where the thing alone is called."""
    heard = "What is the purchase order number?"
    assert "denial" in kinds(order(), heard, "I have not been given any number.")


@pytest.mark.parametrize("text", ["That is correct, thank you.", "Yes, that is right."])
def test_a_confirmation_answers(text: str) -> None:
    """Also where it is asked for as a request."""
    assert kinds(order(), "Please confirm the purchase order: PO-25340.", text) == set()
