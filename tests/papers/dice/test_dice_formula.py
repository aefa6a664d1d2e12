"""DICE-SCORE: published numbers, properties, and an independent slow version."""

from __future__ import annotations

from fractions import Fraction
from math import e, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.errors import BadInput
from callwright.papers.dice.dice_formula import dice_score

counts = st.integers(1, 12).flatmap(
    lambda total: st.tuples(st.lists(st.integers(0, total), min_size=1, max_size=30), st.just(total))
)


@pytest.mark.parametrize(
    ("total", "score"),
    list(enumerate((0.4702, 0.5127, 0.5511, 0.5849, 0.6150, 0.6422, 0.6673, 0.6905), start=1)),
)
def test_one_utterance_that_says_it_all(total: int, score: float) -> None:
    """The scores of one utterance with all items, for 1 to 8 items."""
    assert round(dice_score([total], total), 4) == score


def test_repeating_an_item() -> None:
    """In an empty utterance a repeated item raises the score, in one with another item it lowers it."""
    assert round(dice_score([2, 0, 1, 0], 4), 3) == 1.637
    assert round(dice_score([2, 1, 1, 0], 4), 3) == 1.711
    assert dice_score([3, 0, 1, 0], 4) < dice_score([2, 0, 1, 0], 4)


def slow(found: list[int], total: int) -> float:
    """The formula word by word."""
    weight = Fraction(0)
    speaking = 0
    for one in found:
        weight += Fraction(log(1 + e * e * one))
        speaking += 1 if one != 0 else 0
    return 0.0 if speaking == 0 else float(min(speaking, total) * sqrt(len(found) * total) / float(weight))


@given(counts)
def test_it_is_the_formula(given_: tuple[list[int], int]) -> None:
    """Equal to the slow version; 0 just where nothing is mentioned."""
    found, total = given_
    assert dice_score(found, total) == pytest.approx(slow(found, total))
    assert (dice_score(found, total) == 0) == (not any(found))


@given(counts, st.randoms())
def test_order_does_not_count(given_: tuple[list[int], int], rng: object) -> None:
    """A permutation of the utterances has the same score."""
    found, total = given_
    assert dice_score(sorted(found), total) == pytest.approx(dice_score(found, total))


@given(counts)
def test_a_silent_utterance_raises_it_by_a_root(given_: tuple[list[int], int]) -> None:
    """One more utterance that mentions nothing: sqrt((n + 1) / n) times the score."""
    found, total = given_
    wanted = dice_score(found, total) * sqrt((len(found) + 1) / len(found))
    assert dice_score([*found, 0], total) == pytest.approx(wanted)


@given(counts)
def test_more_in_a_speaking_utterance_lowers_it(given_: tuple[list[int], int]) -> None:
    """An item repeated where another one is mentioned lowers the score."""
    found, total = given_
    place = next((at for at, one in enumerate(found) if 0 < one < total), None)
    if place is None:
        return
    more = [one + (at == place) for at, one in enumerate(found)]
    assert dice_score(more, total) < dice_score(found, total)


@pytest.mark.parametrize(("found", "total"), [([], 3), ([1], 0), ([4], 3), ([-1], 3)])
def test_what_has_no_score_is_an_error(found: list[int], total: int) -> None:
    """No utterances, no items, and counts that cannot be."""
    with pytest.raises(BadInput):
        dice_score(found, total)
