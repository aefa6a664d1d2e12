"""No four words of the phrase bank become a mark of the generator, over whatever catalogue."""

from __future__ import annotations

import pytest
from phrase_chances import MANNERS, chances, phrases_of, said_by

from callwright.author.grammar import compile_frame

MOST = 0.02
"""Expected share of dialogues; the counts over a catalogue vary around it, and are to stay below one in twenty."""


@pytest.mark.parametrize("manner", MANNERS)
def test_no_four_words_of_the_bank_are_said_often(manner: str) -> None:
    """Each phrase is expected in one of fifty dialogues of its type at most, where its bank is used most."""
    found = chances(manner)
    often = {phrase: lines for phrase, lines in found.items() if sum(lines.values()) > MOST}
    assert len(found) > 3000
    assert not often


def test_a_phrase_has_the_chance_of_its_wording() -> None:
    """What a line says in every wording is certain, alternatives share the rest, and nothing goes across a value."""
    said = said_by(compile_frame("you know it very well (now|then), {value} is not it"))
    found = phrases_of(said)
    assert sum(said.values()) == 1
    assert found["you know it very"] == 1
    assert found["it very well now"] == found["know it very well"] / 2 == 0.5
    assert len(found) == 4


def test_somebody_formal_says_the_long_form() -> None:
    """A quarter of the people says `it is` for `it's`."""
    found = phrases_of(said_by(compile_frame("it's how we do")))
    assert found == {"it's how we do": 0.75, "it is how we": 0.25, "is how we do": 0.25}
