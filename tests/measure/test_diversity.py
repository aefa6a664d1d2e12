"""TTR, NGD and MATTR against slow versions that read like their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.tokens import words
from callwright.measure.diversity import mattr, ngd, read_words, ttr

texts = st.lists(st.lists(st.text(alphabet="abc d", max_size=12), max_size=4), max_size=6)


def slow_ngd(dialogues: list[list[str]], n: int) -> float | None:
    grams = []
    for turns in dialogues:
        for text in turns:
            tokens = words(text)
            grams += [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return len(set(grams)) / len(grams) if grams else None


def slow_mattr(dialogues: list[list[str]], window: int) -> float | None:
    tokens = [word for turns in dialogues for text in turns for word in words(text)]
    shares = [len(set(tokens[i : i + window])) / window for i in range(len(tokens) - window + 1)]
    return sum(shares) / len(shares) if shares else None


@given(texts)
def test_ttr_is_distinct_over_all_words(dialogues: list[list[str]]) -> None:
    """The ratio equals one counted over a plain set of words."""
    assert slow_ngd(dialogues, 1) == ttr(read_words(dialogues)).value


@given(texts, st.integers(2, 4))
def test_n_grams_stay_inside_turns(dialogues: list[list[str]], n: int) -> None:
    """The diversity equals one counted over tuples of words of single turns."""
    assert slow_ngd(dialogues, n) == ngd(read_words(dialogues), n).value


@given(texts, st.integers(1, 7))
def test_mattr_is_the_mean_over_windows(dialogues: list[list[str]], window: int) -> None:
    """The moving average equals one counted window by window."""
    expected = slow_mattr(dialogues, window)
    found = mattr(read_words(dialogues), window=window).value

    assert expected == (found if found is None else pytest.approx(found))


@given(texts.filter(lambda dialogues: len(dialogues) > 1), st.integers(1, 3))
def test_influences_are_what_leaving_a_dialogue_out_does(dialogues: list[list[str]], n: int) -> None:
    """Each pseudo-value equals the one computed by removing the dialogue and counting again."""
    corpus = read_words(dialogues)
    found = ttr(corpus) if n == 1 else ngd(corpus, n)
    assert len(found.influences) == (0 if found.value is None else len(dialogues))
    for index, influence in enumerate(found.influences):
        without = slow_ngd(dialogues[:index] + dialogues[index + 1 :], n)
        left = found.value if without is None else without

        assert influence == pytest.approx(len(dialogues) * found.value - (len(dialogues) - 1) * left)


def test_nothing_said_is_unmeasured() -> None:
    """A corpus without words has no diversity, rather than one of zero, and says why."""
    corpus = read_words([["..."], []])

    assert (ttr(corpus).value, ttr(corpus).why) == (None, "no words")
    assert ngd(corpus, 2).value is None
    assert (mattr(corpus).value, mattr(corpus).why) == (None, "fewer than 50 words")


def test_mattr_does_not_fall_with_corpus_size_as_ttr_does() -> None:
    """Ten times as many words from one source halve TTR and more, and leave MATTR where it was."""
    rng = np.random.default_rng(5)
    dialogues = [[" ".join(f"w{i}" for i in rng.zipf(1.5, size=20))] for _ in range(2000)]
    small, large = read_words(dialogues[:200]), read_words(dialogues)

    assert ttr(large).value < 0.6 * ttr(small).value  # type: ignore[operator]  # both are measured
    assert mattr(small).value == pytest.approx(mattr(large).value, abs=0.01)


def test_large_vocabularies_do_not_overflow() -> None:
    """Four-grams over more words than fit a packed number are still told apart."""
    words = [f"w{i}" for i in range(60_000)]
    corpus = read_words([[" ".join(words)], [" ".join(words[:4])]])

    assert ngd(corpus, 4).value == pytest.approx(59_997 / 59_998)
