"""What a reply takes, turns down, agrees to and asks."""

from __future__ import annotations

import pytest

from callwright.papers.diaforge.reply_words import agrees, asks_back, lacking_in, says_yes, taken, turned_down


@pytest.mark.parametrize(
    ("text", "takes", "refuses"),
    [
        ("The glossary, not the blog.", "The glossary", "not the blog"),
        ("Skip the report and just send the list.", "send the list", "Skip the report and"),
        ("A page rather than a post", "A page ", "rather than a post"),
    ],
)
def test_a_clause_is_taken_up_to_its_negation(text: str, takes: str, refuses: str) -> None:
    """And turned down from there on."""
    assert takes in taken(text)
    assert refuses not in taken(text)
    assert refuses in turned_down(text)


@pytest.mark.parametrize(
    ("text", "is_yes"),
    [
        ("Aye, do it.", True),
        ("That's right.", True),
        ("Sounds good to me.", True),
        ("All correct, thanks.", True),
        ("Lovely weather over here.", False),
        ("No, that's not right.", False),
        ("Yes, but don't send it.", False),
    ],
)
def test_yes_has_many_words(text: str, is_yes: bool) -> None:
    """Praise of something else is none."""
    assert says_yes(text) == is_yes


def test_agreement_may_come_late() -> None:
    """In a later clause of a reply."""
    assert agrees("I read it twice, go ahead.")
    assert not agrees("The weather is lovely.")


def test_a_tag_is_no_question() -> None:
    """Nor is a plea; a word of the question, or what is meant, is asked about."""
    assert not asks_back("Those are long, aren't they?", frozenset(("code",)))
    assert not asks_back("Can't you find the code?", frozenset(("code",)))
    assert asks_back("Which code?", frozenset(("code",)))
    assert asks_back("What do you mean?", frozenset())


def test_lacking_is_no_manner() -> None:
    """`No problem` and `not only` lack nothing."""
    assert lacking_in("No problem, I have it here.") == ()
    assert lacking_in("Nobody ever told me the code.") == ("Nobody ever told me the code",)
