"""Agreement of judges: published values, an independent slow version, and properties."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.stats.agreement import Scale, krippendorff_alpha, percent_agreement

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", example C: 4 observers, 12 units, some unseen.
PUBLISHED = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)

grades = st.dictionaries(st.integers(0, 7), st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0]), max_size=8)
panels = st.lists(grades, min_size=2, max_size=4)
SCALES: tuple[Scale, ...] = ("nominal", "ordinal", "interval")


def observer(row: str) -> dict[int, float]:
    return {unit: float(grade) for unit, grade in enumerate(row.split()) if grade != "."}


@pytest.mark.parametrize(("scale", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_published_example(scale: Scale, alpha: float) -> None:
    """The worked example with missing grades has its published alphas; one unit has a single grade and counts not."""
    found = krippendorff_alpha([observer(row) for row in PUBLISHED], scale)
    assert found.value == pytest.approx(alpha, abs=5e-4)
    assert found.n == 11


def slow_alpha(judges: list[dict[int, float]], scale: Scale) -> float | None:
    """From the definition: mean distance within units over mean distance of all pairable grades."""
    units = [[judge[unit] for judge in judges if unit in judge] for unit in sorted({u for j in judges for u in j})]
    units = [unit for unit in units if len(unit) > 1]
    everything = [grade for unit in units for grade in unit]

    def distance(a: float, b: float) -> float:
        if scale == "nominal":
            return float(a != b)
        if scale == "interval":
            return (a - b) ** 2
        low, high = sorted((a, b))
        inside = [grade for grade in everything if low <= grade <= high]
        return float(len(inside) - (inside.count(low) + inside.count(high)) / 2) ** 2

    if not everything:
        return None
    observed = sum(sum(distance(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units)
    expected = sum(distance(a, b) for a, b in permutations(everything, 2)) / (len(everything) - 1)
    return None if expected == 0 else 1 - observed / expected


@given(panels, st.sampled_from(SCALES))
def test_alpha_is_what_the_definition_gives(judges: list[dict[int, float]], scale: Scale) -> None:
    """Counting coincidences gives the same as going through all pairs of grades."""
    found = krippendorff_alpha(judges, scale)
    slow = slow_alpha(judges, scale)
    assert (found.value is None) == (slow is None)
    assert found.value == (None if slow is None else pytest.approx(slow))
    assert bool(found.why) == (found.value is None)


@given(panels, st.sampled_from(SCALES), st.randoms())
def test_the_order_of_judges_changes_nothing(judges: list[dict[int, float]], scale: Scale, chance) -> None:  # type: ignore[no-untyped-def]
    """Alpha knows no first judge, and is at most 1."""
    mixed = list(judges)
    chance.shuffle(mixed)
    first, second = krippendorff_alpha(judges, scale), krippendorff_alpha(mixed, scale)
    assert first.n == second.n
    assert first.value == (None if second.value is None else pytest.approx(second.value))
    assert first.value is None or first.value <= 1 + 1e-12


@given(grades.filter(lambda one: len(set(one.values())) > 1), st.sampled_from(SCALES))
def test_judges_who_always_agree_have_an_alpha_of_one(one: dict[int, float], scale: Scale) -> None:
    """With the same grades from all, nothing is left to chance."""
    assert krippendorff_alpha([one, one, one], scale).value == pytest.approx(1)
    assert percent_agreement(one, one).value == 1


def test_nothing_to_agree_on_has_no_value() -> None:
    """No unit in common, and one grade throughout: no number, and the reason."""
    apart = krippendorff_alpha([{"a": 1.0}, {"b": 1.0}], "nominal")
    assert (apart.value, apart.n, apart.why) == (None, 0, "no unit has two grades")
    alike = krippendorff_alpha([{"a": 1.0}, {"a": 1.0}], "ordinal")
    assert (alike.value, alike.n) == (None, 1)
    assert "all grades are the same" in alike.why
    assert percent_agreement({"a": 1.0}, {"b": 1.0}).value is None


@given(grades, grades)
def test_equal_grades_are_counted_over_what_both_graded(a: dict[int, float], b: dict[int, float]) -> None:
    """The share is over the units that both graded, and the same from both sides."""
    share = percent_agreement(a, b)
    both = [unit for unit in a if unit in b]
    assert share.n == len(both)
    assert share.value == (sum(a[unit] == b[unit] for unit in both) / len(both) if both else None)
    assert share == percent_agreement(b, a)
