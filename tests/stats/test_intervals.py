"""Bootstrap intervals: bounds, degenerate cases and coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.measure.diversity import read_words, ttr
from callwright.stats.intervals import Interval, linear_interval, mean_interval, ratio_interval

pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=30)


@given(pairs)
def test_the_value_is_the_ratio_of_sums(values: list[tuple[int, int]]) -> None:
    """The value is sum over sum, and unmeasured where the denominator is 0."""
    top, bottom = sum(a for a, _ in values), sum(b for _, b in values)
    found = ratio_interval([a for a, _ in values], [b for _, b in values], resamples=50)

    assert (top / bottom if bottom else None) == found.value
    assert bool(found.why) == (bottom == 0)


@given(pairs.filter(lambda values: len(values) > 1))
def test_order_does_not_matter(values: list[tuple[int, int]]) -> None:
    """The same dialogues in another order have the same interval."""
    forward = ratio_interval([a for a, _ in values], [b for _, b in values], resamples=50)
    values.reverse()

    assert forward == ratio_interval([a for a, _ in values], [b for _, b in values], resamples=50)


def test_a_seed_fixes_the_interval() -> None:
    """One seed gives one interval; another seed another."""
    values = [float(i % 3) for i in range(50)]

    assert mean_interval(values, seed=1) == mean_interval(values, seed=1)
    assert mean_interval(values, seed=1) != mean_interval(values, seed=2)


def test_agreement_of_all_dialogues_gives_a_point() -> None:
    """When every dialogue says the same, so does every resample."""
    assert Interval(0.0, 0.0, 0.0) == mean_interval([0.0] * 20)


def test_one_dialogue_has_no_interval() -> None:
    """A single dialogue has a value and no bounds, whatever the statistic."""
    assert Interval(1.0) == mean_interval([1.0])
    assert Interval(0.5) == linear_interval(0.5, np.array([0.5]))


def test_bounds_are_the_middle_95_percent() -> None:
    """The bounds of a fair coin's mean over 400 tosses lie 1.96 standard errors, .049, from it."""
    found = mean_interval([0.0, 1.0] * 200, resamples=20_000)

    assert (found.low, found.high) == (pytest.approx(0.451, abs=0.002), pytest.approx(0.549, abs=0.002))


def test_no_dialogue_has_no_value() -> None:
    """Nothing measured is None, not zero."""
    assert Interval(None, why="nothing to divide by") == mean_interval([])


@pytest.mark.parametrize("statistic", ["mean", "ratio"])
def test_intervals_cover_the_truth(statistic: str) -> None:
    """About 95 % of intervals over 60 simulated dialogues hold the true value."""
    rng = np.random.default_rng(11)
    covered = 0
    for seed in range(300):
        sizes = np.ones(60) if statistic == "mean" else rng.integers(1, 6, size=60)
        hits = rng.binomial(sizes.astype(int), 0.3)
        found = ratio_interval(hits.tolist(), sizes.tolist(), resamples=300, seed=seed)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.3 <= found.high

    assert 0.89 <= covered / 300 <= 0.99


def test_lexical_intervals_hold_their_value_and_match_fresh_corpora() -> None:
    """Linear intervals of TTR are about as wide as TTR varies over fresh corpora of the same size."""
    rng = np.random.default_rng(3)

    def corpus() -> list[list[str]]:
        return [[" ".join(f"w{i}" for i in rng.zipf(1.6, size=rng.integers(5, 40)))] for _ in range(80)]

    values = []
    widths = []
    for seed in range(60):
        measured = ttr(read_words(corpus()))
        assert measured.value is not None
        found = linear_interval(measured.value, measured.influences, resamples=200, seed=seed)
        assert found.low is not None
        assert found.high is not None
        assert found.low <= measured.value <= found.high
        values.append(measured.value)
        widths.append(found.high - found.low)

    assert 0.7 <= np.mean(widths) / (2 * 1.96 * np.std(values)) <= 1.5
