"""Words of a user who gives up, and words that only sound like it."""

from __future__ import annotations

import pytest

from callwright.papers.diaforge.giving_up import gives_up


@pytest.mark.parametrize(
    "text",
    [
        "Let's drop the whole thing.",
        "Scrap that, it isn't worth the trouble.",
        "It's no longer needed.",
        "It isn't that important after all.",
        "Far too many questions for me.",
        "That's too complicated.",
        "I've changed my mind, sorry.",
        "Please end this conversation.",
        "I'll take it up with somebody else.",
        "I'd rather do it by hand.",
        "I'll look into it another day.",
        "I'll phone the office instead, I'll ask my manager.",
        "I have to run now.",
        "Thanks anyway. Have a good evening!",
        "Enough for today.",
        "I'm out.",
    ],
)
def test_giving_up_is_heard(text: str) -> None:
    """In all its families: dropped, unneeded, too much, put off, elsewhere, a farewell."""
    assert gives_up(text, tells=False)


@pytest.mark.parametrize(
    "text",
    [
        "Leave it empty.",
        "Leave it as it is, please.",
        "I'd leave that to you.",
        "Leave out the second name.",
        "Drop it into the green folder.",
        "I'll be at my desk later.",
        "I don't need a description.",
        "Yes, go ahead. Have a good evening!",
        "I've changed my mind about the day.",
        'The note reads "let\'s forget the whole thing".',
        "Don't worry about the length.",
    ],
)
def test_a_value_that_is_left_open_is_not_given_up(text: str) -> None:
    """Nor is a farewell after an answer."""
    assert not gives_up(text, tells=False)


def test_who_gives_a_value_goes_on() -> None:
    """And who wants to end something may say so."""
    assert not gives_up("Have a good evening, it's 4711.", tells=True)
    assert not gives_up("Drop it, please.", tells=False, ends=True)
    assert gives_up("Drop it, please.", tells=False)


def test_being_finished_gives_up() -> None:
    """As a sentence of its own."""
    assert gives_up("We're finished here.", tells=False)
    assert not gives_up("We're done once it is approved.", tells=False)
