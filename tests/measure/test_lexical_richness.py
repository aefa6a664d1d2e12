"""Richness and BLEU."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.measure.lexical_richness import msttr, richness, tokens_of
from callwright.stats.corpus_bleu import corpus_bleu, tokens_13a

LINES = st.lists(st.text("ab .", max_size=12), max_size=4)


def test_tokens_are_words_without_punctuation() -> None:
    assert tokens_of("NAME's  b-and-b, (ok)? & more!") == ["names", "bandb", "ok", "&", "more"]
    assert tokens_of("") == [""]


def test_the_numbers_of_two_responses() -> None:
    found = richness(["a b a", "a c"])
    assert (found.avg_length, found.unique_1, found.unique_2, found.unique_3) == (2.5, 3, 3, 1)
    assert found.entropy == pytest.approx(-0.6 * math.log2(0.6) - 2 * 0.2 * math.log2(0.2))
    # a b, b a, a c: each is one pair in five tokens; a is followed by each of two once in three times
    assert found.cbe == pytest.approx(2 * 0.2 * math.log2(3))
    assert found.msttr == 0.6


def test_nothing_said_has_no_numbers() -> None:
    found = richness([])
    assert (found.avg_length, found.cbe, found.entropy, found.msttr) == (None,) * 4


def test_segments_are_whole() -> None:
    assert msttr(["a"] * 50 + ["b"] * 50 + list("cdefg")) == 1 / 50
    assert msttr(["a"] * 50) == 1 / 50


def test_bleu_of_equal_texts_is_100() -> None:
    assert corpus_bleu(["NAME is in the east ."], ["NAME is in the east ."]) == pytest.approx(100)
    assert corpus_bleu([], []) is None
    assert corpus_bleu(["a b"], ["c d"]) == 0.0


def test_bleu_smooths_orders_without_a_match() -> None:
    # 1-grams 4/5, 2-grams 2/4, 3-grams none of 3, 4-grams none of 2; both have five tokens.
    found = corpus_bleu(["a b x c d"], ["a b y c d"])
    assert found == pytest.approx(100 * (4 / 5 * 2 / 4 * 1 / (2 * 3) * 1 / (4 * 2)) ** 0.25)


def test_bleu_punishes_short_texts() -> None:
    assert corpus_bleu(["a b c d"], ["a b c d e"]) == pytest.approx(100 * math.exp(1 - 5 / 4))


def test_tokens_of_13a() -> None:
    assert tokens_13a("It's 3.5, ok (yes).") == ["It's", "3.5", ",", "ok", "(", "yes", ")", "."]
    assert tokens_13a("a 7-day b&amp;b") == ["a", "7", "-", "day", "b", "&", "b"]


@given(LINES)
def test_bleu_with_itself_is_100_or_too_short(lines: list[str]) -> None:
    found = corpus_bleu(lines, lines)
    assert found is None or found == pytest.approx(100) or all(len(tokens_13a(line)) < 4 for line in lines)
