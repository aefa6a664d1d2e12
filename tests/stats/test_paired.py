"""Exact tests of paired differences, against slow enumeration and published numbers."""

from __future__ import annotations

from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.stats.paired import DRAWS, MOST_EXACT, PairedTest, p_text, paired_test


def slow(differences: list[float]) -> float:
    """The share of all ways to flip signs that give a sum as far from 0."""
    found = [one for one in differences if one]
    sums = [abs(sum(sign * one for sign, one in zip(signs, found, strict=True))) for signs in _signs(len(found))]
    return sum(one >= abs(sum(found)) - 1e-7 for one in sums) / len(sums)


def _signs(n: int) -> list[tuple[int, ...]]:
    return list(product((1, -1), repeat=n))


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), max_size=10))
def test_measures_of_0_and_1_have_the_sign_test(differences: list[float]) -> None:
    """It is what flipping all signs gives, and exact."""
    found = paired_test(differences)
    assert found == PairedTest(pytest.approx(slow(differences)), "sign test, exact")


@given(st.lists(st.sampled_from([-2.0, -1.0, -2 / 3, -1 / 3, 0.0, 1 / 3, 0.5, 1.0, 3.25]), max_size=10))
def test_few_differences_of_any_size_are_flipped_in_all_ways(differences: list[float]) -> None:
    """The share is that of the slow enumeration, thirds included."""
    found = paired_test(differences)
    assert found.p == pytest.approx(slow(differences))
    assert found.name.endswith(", exact")


def test_fisher_s_plants() -> None:
    """Darwin's 15 pairs of plants: 863 of 32,768 sums are as large (Fisher, Design of Experiments, 1935, 21)."""
    plants = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert paired_test(plants) == PairedTest(2 * 863 / 32_768, "sign flips, exact")


def test_siegel_s_couples() -> None:
    """11 of 14 couples lean one way: .029 on one side (Siegel, Nonparametric Statistics, 1956, the sign test)."""
    assert paired_test([1.0] * 11 + [-1.0] * 3 + [0.0] * 3).p / 2 == pytest.approx(0.029, abs=0.0005)


def test_large_tables_are_exact() -> None:
    """McNemar's test of 150 against 86 changes of mind is the binomial sum, term by term."""
    found = paired_test([1.0] * 150 + [-1.0] * 86 + [0.0] * 1364)
    assert found == PairedTest(pytest.approx(2 * sum(comb(236, k) for k in range(87)) / 2**236), "sign test, exact")
    assert found.p == pytest.approx(3.7e-5, rel=0.01)


def test_many_differences_of_any_size_are_drawn_with_a_seed() -> None:
    """The draws give the same each time, in any order, are near the exact share, and never give 0."""
    few = [0.5, 1.0] * (MOST_EXACT // 2 - 3) + [-0.25, -1.0] * 3
    exact = paired_test(few)
    many = [*few, 1e-6]
    drawn = paired_test(many)
    assert (exact.name, drawn.name) == ("sign flips, exact", f"sign flips, {DRAWS} draws, seed 0")
    assert drawn == paired_test(many[::-1]) != paired_test(many, seed=1)
    assert drawn.p == pytest.approx(exact.p, abs=0.02)
    assert paired_test([1.0, 2.0] * 100).p == 1 / (1 + DRAWS)


def test_no_difference_is_chance() -> None:
    """Equal pairs, and no pairs, have a p of 1; a p is printed with three digits."""
    assert paired_test([]).p == paired_test([0.0, 0.0]).p == paired_test([1.0, -1.0]).p == 1
    assert [p_text(one) for one in (1.0, 0.0526, 0.0009)] == ["p = 1.000", "p = 0.053", "p < 0.001"]
