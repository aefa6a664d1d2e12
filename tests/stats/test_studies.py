"""Sample sizes and correlations: published numbers and independent versions."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import assume, given
from hypothesis import strategies as st

from callwright.cli import main
from callwright.errors import BadInput
from callwright.stats.studies import pearson, sample_size

PRINTED = [(0.805, 1.42), (0.691, 3.25), (0.519, 4.55), (0.493, 5.36)]
"""Accuracy and DICE-SCORE of dialogues of 1 to 4 rounds, as DICE-BENCH prints them."""

numbers = st.floats(-1e3, 1e3)


def test_the_size_of_the_published_study() -> None:
    """384.16 cases of a population without end; of 1,607 they are 310.2, rounded up 311."""
    found = sample_size(1607)
    assert round(found.infinite, 2) == 384.16
    assert found.finite is not None
    assert round(found.finite, 1) == 310.2
    assert found.cases == 311
    assert sample_size().cases == 385


def test_the_correlation_of_the_published_points() -> None:
    """r = -.98342 and t = -7.668, so p = .0166; the paper prints t = -8.38 and p < .01, which is wrong."""
    found = pearson(PRINTED)
    assert found.t is not None
    assert (round(found.r, 5), round(found.t, 3), round(found.p, 4), found.n) == (-0.98342, -7.668, 0.0166, 4)


@given(st.lists(st.tuples(numbers, numbers), min_size=3, max_size=20))
def test_it_is_scipys(points: list[tuple[float, float]]) -> None:
    """The same r and p as an independent implementation."""
    from scipy.stats import pearsonr

    xs, ys = zip(*points, strict=True)
    assume(max(xs) - min(xs) > 1e-3 and max(ys) - min(ys) > 1e-3)
    found, wanted = pearson(points), pearsonr(xs, ys)
    assert found.r == pytest.approx(float(wanted.statistic), abs=1e-6)
    assert found.p == pytest.approx(float(wanted.pvalue), abs=1e-4)


@given(st.integers(1, 10**9), st.floats(0.01, 0.99), st.floats(0.01, 0.5))
def test_a_finite_population_needs_fewer(population: int, share: float, error: float) -> None:
    """Never more than the whole population, nor than a population without end."""
    found = sample_size(population, share=share, error=error)
    assert found.finite is not None
    assert found.finite <= max(found.infinite, 1) + 1e-9
    assert found.cases <= max(population, 1) + 1


@pytest.mark.parametrize(
    "points", [[(1.0, 2.0)] * 2, [(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)], [(1.0, 1.0), (2.0, 1.0), (3.0, 1.0)]]
)
def test_what_has_no_correlation_is_refused(points: list[tuple[float, float]]) -> None:
    """Too few points, and a figure that never changes."""
    with pytest.raises(BadInput):
        pearson(points)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("size", "--population", "1607"), "311 cases (384.16 of a population without end, 310.2 of 1,607)"),
        (("size", "--population", "0"), "a population of 0"),
        (("size", "--share", "nan"), "share nan"),
        (("size", "--error", "1e-200"), "not below 1e-09"),
        (("size", "--z", "1e200"), "at most 100"),
    ],
)
def test_sizes_on_the_command_line(arguments: tuple[str, ...], said: str) -> None:
    """Figures and refusals."""
    assert said in CliRunner().invoke(main, ["study", *arguments]).output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("score,dice\n.805,1.42\n.691,3.25\n.519,4.55\n.493,5.36\n", "r = -0.98342 over 4 points, t = -7.668"),
        ("1,2\n2,4\n3,6\n", "r = 1 exactly over 3 points: they lie on a line, and t is not finite\n"),
        ("1,6\n2,4\n3,2\n", "r = -1 exactly over 3 points"),
        ("1,2\n3\n", ":2: two numbers"),
        ("1,2\n3,inf\n", ":2: a number must be finite"),
        ("1,2\n", "1 points"),
        ("1,1\n2,1e308\n3,-1e308\n", "a figure beyond 1e+100"),
        ("1,1e-200\n2,2e-200\n3,1e-200\n", "r = 0.00000 over 3 points"),
        ("1,1\n2,1\n3,1\n", "the same in all points"),
    ],
)
def test_points_on_the_command_line(tmp_path: Path, text: str, said: str) -> None:
    """A header is passed over; a bad line is named."""
    (tmp_path / "points.csv").write_text(text)
    assert said in CliRunner().invoke(main, ["study", "correlate", str(tmp_path / "points.csv")]).output
