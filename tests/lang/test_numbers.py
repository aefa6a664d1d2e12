"""Whole numbers in words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.numbers import WORDS, from_words, in_words


@given(st.integers(0, 999_999))
def test_every_number_in_words_reads_back(number: int) -> None:
    """What is written in words is read as the same number, and found whole by the expression."""
    words = in_words(number)
    found = re.fullmatch(WORDS, words, re.IGNORECASE)

    assert found is not None
    assert number == from_words(words)


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("twelve fifty", 1250),
        ("a hundred and five", 105),
        ("half a dozen", 6),
        ("Two Thousand", 2000),
        ("forty two", 42),
    ],
)
def test_other_ways_to_say_a_number_are_read(words: str, number: int) -> None:
    """Pairs, dozens, `a hundred` and `and` are understood."""
    assert re.fullmatch(WORDS, words, re.IGNORECASE)
    assert number == from_words(words)


def test_numbers_out_of_range_stay_in_digits() -> None:
    """Nobody writes a million or a negative number out."""
    assert in_words(-3) == "-3"
    assert in_words(1_000_000) == "1000000"
