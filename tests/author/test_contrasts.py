"""Words that may stand for one another."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.author.contrasts import contrasted


def drawn(example: str, own: tuple[str, ...] = ()) -> set[str]:
    return {contrasted(Random(seed), example, own) for seed in range(80)}


@pytest.mark.parametrize(
    ("example", "others"),
    [
        ("leak on the north side", {"leak on the south side", "leak on the east side", "leak on the west side"}),
        ("Main Dock", {"North Dock", "Central Dock"}),
        ("Sales Policy", {"Finance Policy", "Legal Policy"}),
        ("Studio B", {"Studio A", "Studio E"}),
        ("TUESDAY", {"MONDAY", "SUNDAY"}),
        ("two red tents", {"five red tents"}),
        ("Long Meadow", {"Far Meadow", "North Meadow"}),
        ("cut on the left wing", {"cut on the right wing"}),
        ("leave it behind the church", {"leave it behind the school"}),
        ("beside the shed at noon", {"beside the barn at noon"}),
    ],
)
def test_words_of_one_set_stand_for_one_another(example: str, others: set[str]) -> None:
    """They are written as the word was."""
    assert others <= drawn(example)
    assert example not in drawn(example)


@pytest.mark.parametrize(
    "example",
    [
        "damper felt set",
        "North America",
        "a 30 second clip",
        "second-hand books",
        "Vitamin C",
        "sales",
        "left the gate open",
        "the school bus",
        "",
    ],
)
def test_what_has_no_word_of_a_set_has_no_other_form(example: str) -> None:
    """Names of parts of the world are not places on a plan, and a number before `second` makes it a time."""
    assert drawn(example) == {""}


def test_words_of_the_tool_stay() -> None:
    """A workshop for violins tunes no cellos."""
    assert drawn("violin with two cracks", ("violin",)) >= {"violin with three cracks", "violin with six cracks"}
    assert all(one.startswith("violin ") for one in drawn("violin with two cracks", ("violin",)))


def test_two_words_of_a_set_stay_apart() -> None:
    """No meeting is on Monday and Monday."""
    assert all(len(set(one.split(" and "))) == 2 for one in drawn("Monday and Friday"))


_WORDS = st.sampled_from("the Main Dock north two Sales Policy oak violin gate 4 30 second B Hall on Tuesday".split())


@given(st.lists(_WORDS, min_size=1, max_size=8), st.integers(0, 1000))
def test_the_shape_of_the_text_stays(words: list[str], seed: int) -> None:
    """As many words, with the same capitals, and nothing else than letters differs."""
    example = " ".join(words)
    one = contrasted(Random(seed), example) or example
    assert [word[:1].isupper() for word in one.split()] == [word[:1].isupper() for word in words]
    assert all(a == b for a, b in zip(one.split(), words, strict=True) if not b.isalpha())
