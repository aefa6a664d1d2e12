"""Values that are said nearly, and numbers in words."""

from __future__ import annotations

import pytest
from guarded_user import refund, transfer

from callwright.author.briefs import known_values
from callwright.papers.diaforge.said_near import is_near, is_turned_round, numbers_in, other_choice
from made_dialogues import enterprise


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("half an hour", (30.0,)),
        ("three quarters of an hour", (45.0,)),
        ("a quarter of an hour", (15.0,)),
        ("twelve of them", (12.0,)),
        ("no number at all", ()),
    ],
)
def test_a_number_may_be_in_words(text: str, numbers: tuple[float, ...]) -> None:
    """A duration is in minutes."""
    assert numbers_in(text) == numbers


def test_a_word_of_the_family_is_near() -> None:
    """`damage` is near `damaged`, and no word of the parameter's own noun is."""
    reason = next(one for one in refund().known if one.slot.name == "reason")
    assert is_near(reason, "It came with damage.", "")
    assert not is_near(reason, "I have no reason.", "")


def test_another_choice_is_told_by_its_words() -> None:
    """Unless the own one is said as well, or the other one is turned down."""
    target = next(one for one in transfer().known if one.slot.name == "to_warehouse")
    assert other_choice(target, "To the south one.", "") == "south"
    assert other_choice(target, "To the harbour, not the south one.", "") == ""


def test_a_yes_or_no_is_turned_round_in_its_clause() -> None:
    """`Hot but not spicy` has one of each."""
    tool = next(
        tool for tool in enterprise().tools if any(one.get("type") == "boolean" for one in tool.properties.values())
    )
    name = next(key for key, one in tool.properties.items() if one.get("type") == "boolean")
    (known,) = known_values(tool, {name: True})
    said = name.replace("_", " ")
    assert is_turned_round(known, f"It is fast, but no {said}.")
    assert not is_turned_round(known, f"Not fast, but {said}.")
