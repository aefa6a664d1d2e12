"""A wrong value that a user takes back in its next message."""

from __future__ import annotations

import pytest

from callwright.author.briefs import Known, known_values
from callwright.papers.diaforge.user_slips import is_taken_back, slips_in
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from strong_author import play_talk, talks

TOOL = Tool(
    name="pay",
    parameters=encode(
        {"type": "object", "properties": {"amount": {"type": "number"}, "invoice_number": {"type": "string"}}}
    ),
)
TODAY = "2027-03-09"


def known() -> tuple[Known, ...]:
    return known_values(TOOL, {"amount": 1840.5, "invoice_number": "2027-0118"})


@pytest.mark.parametrize(
    ("wrong", "is_slip"),
    [("1804.50", True), ("1840.40", True), ("2027-0181", True), ("99.95", False), ("2027-0455", False)],
)
def test_a_slip_is_nearly_the_right_value(wrong: str, is_slip: bool) -> None:
    """Another value is invented, however it goes on."""
    assert slips_in([wrong], f"It's {wrong}.", known(), [], TODAY) == [wrong] * is_slip


def test_a_value_that_was_said_rightly_is_not_put_right() -> None:
    """A wrong one after it contradicts it."""
    assert slips_in(["1804.50"], "So 1804.50 it is.", known(), ["They paid 1840.50."], TODAY) == []


@pytest.mark.parametrize(
    ("text", "is_back"),
    [
        ("But wait, I've swapped two digits above: the amount is 1840.50.", True),
        ("Sorry, 1,840.50 I mean.", True),
        ("By bank transfer.", False),
        ("The amount is 1840.50.", False),
        ("Sorry, it's invoice 2027-0118.", False),
        ("No, 1850.50.", False),
    ],
)
def test_it_is_taken_back_with_words_and_the_right_value(text: str, is_back: bool) -> None:
    """Not without such words, and not with a value of another sort."""
    assert is_taken_back("1804.50", text, known(), ["It was 1804.50."], TODAY) is is_back


PAID = next(talk for talk in talks() if talk.name == "paid at last")


def test_a_slip_that_is_not_taken_back_rejects() -> None:
    """The user is to blame, though the assistant's call has the wrong value."""
    *before, last = PAID.user
    silent = PAID._replace(user=[*before, last.partition(" But wait")[0]])
    assert [issue.code for issue in play_talk(silent).issues] == ["value_not_gold"]


def test_a_call_with_a_slip_is_the_users_fault() -> None:
    """Where the assistant knows all else and calls before the user has put it right."""
    hasty = {**PAID.assistant[-1], "call": {"name": PAID.tool, "arguments": {**PAID.gold, "amount": 1804.5}}}
    (issue,) = play_talk(PAID._replace(assistant=[*PAID.assistant[:-2], hasty])).issues
    assert (issue.code, "not taken back" in issue.message) == ("value_not_gold", True)
