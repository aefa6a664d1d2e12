"""Strings that say the same: one normal form, and what is near."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.tokens import words
from callwright.match.likeness import MAX_NEAR, near, normalised


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("New York", "new-york"),
        ("St. John's", "st johns"),
        ("ＯＳＬＯ", "oslo"),
        ("2024-05-01", "2024/05/01"),
        ("555 1234", "555-1234"),
        ("“Hello”, world!", "hello world"),
        ("नमस्ते दुनिया", "नमस्ते, दुनिया"),
    ],
)
def test_spellings_have_one_normal_form(one: str, other: str) -> None:
    """Case, width, spaces and punctuation do not count."""
    assert normalised(one) == normalised(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.5", "15"),
        ("10:30", "1030"),
        ("UTC-5", "UTC5"),
        ("-3", "3"),
        ("C++", "C"),
        ("50%", "50"),
        ("हिन्दी", "हिन्दू"),
        ("...", "!!!"),
        ("東京", "京都"),
    ],
)
def test_other_values_keep_apart(one: str, other: str) -> None:
    """What tells numbers apart stays, and so do marks, symbols and strings of punctuation alone."""
    assert normalised(one) != normalised(other)


@given(st.text(max_size=30))
def test_the_normal_form_is_final(text: str) -> None:
    """Normalising never fails or empties a text, and the normal form of ASCII text is its own normal form."""
    form = normalised(text)

    assert bool(form) == bool(text)
    if form.isascii() and any(character.isalnum() for character in form):
        assert normalised(form) == form


def slow_ratio(one: list[str], other: list[str]) -> float:
    """Return twice the longest common subsequence over the mean length, by the textbook table."""
    row = [0] * (len(other) + 1)
    for a in one:
        before = row[:]
        for at, b in enumerate(other, 1):
            row[at] = before[at - 1] + 1 if a == b else max(before[at], row[at - 1])
    return 2 * row[-1] / (len(one) + len(other)) if one or other else 1.0


@given(st.text(alphabet="ab ", min_size=1, max_size=14), st.text(alphabet="ab ", min_size=1, max_size=14))
def test_near_is_its_definition(text: str, gold: str) -> None:
    """Characters decide below ten characters of gold, words from there on."""
    if len(gold) < 10:
        assert near(text, gold) == (slow_ratio(list(text), list(gold)) >= 0.8 - 1e-12)
    else:
        expected = bool(words(text)) and slow_ratio(words(text), words(gold)) >= 0.7 - 1e-12
        assert near(text, gold) == expected


@pytest.mark.parametrize(
    ("text", "gold", "is_near"),
    [
        ("qiuet", "quiet", True),
        ("quiet", "quota", False),
        ("the blue car is late", "the blue car", True),
        ("the red car", "the blue car", False),
        ("abc abcdf", "abc abcde", True),
        ("abcd abcdf", "abcd abcde", False),
        ("a b c d e f g x y z", "a b c d e f g h i j", True),
        ("a" * MAX_NEAR, "a" * MAX_NEAR, True),
        ("a" * (MAX_NEAR + 1), "a" * (MAX_NEAR + 1), False),
    ],
)
def test_near_has_two_thresholds(text: str, gold: str, is_near: bool) -> None:
    """An edit ratio of .8 for less than ten characters, a ROUGE-L of .7 from there on, and an end to length."""
    assert near(text, gold) is is_near
