"""Figures of judgements: means over turns, and failed and absent apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.measure.judged_values import Judged, by_item, panel
from callwright.records.judgement import Judgement, Sample


def judgement(item: str, *values: float, turn: int | None = None, trial: int = 0, failed: str = "") -> Judgement:
    """A judgement with these samples."""
    return Judgement(
        item=item, trial=trial, turn=turn, criterion="conv-rel", version=1, rubric="r", judge="openai/x", subject="s",
        samples=tuple(Sample(str(value), value) for value in values), failed=failed,
    )  # fmt: skip


def test_a_dialogue_is_the_mean_over_its_turns() -> None:
    """Grades 1, 2 and 3 count 0, .5 and 1; the mean is over turns, then over dialogues (DiaFORGE, C.1)."""
    made = [judgement("a", value, turn=turn) for turn, value in ((1, 0.0), (3, 0.5), (5, 1.0), (7, 1.0))]
    figures = by_item([*made, judgement("b", 1.0, turn=1)])
    assert figures.values == {("a", 0): 0.625, ("b", 0): 1.0}


def test_a_judgement_is_the_mean_over_its_samples() -> None:
    """The expected score; the settled grade is the one most samples have, the lower of two."""
    several = judgement("a", 1.0, 2.0, 2.0, 5.0)
    assert (several.value, several.settled) == (2.5, 2.0)
    assert judgement("a", 3.0, 1.0).settled == 1.0
    assert judgement("a", 3.0, failed="timeout").value is None
    assert judgement("a").settled is None


def test_failed_and_absent_turns_make_no_number() -> None:
    """A dialogue with a turn that failed is failed, one with a turn not judged yet is absent; neither counts as 0."""
    figures = by_item(
        [
            *(judgement("good", 1.0, turn=turn) for turn in (1, 3)),
            *(judgement("bad", 1.0, turn=1), judgement("bad", turn=3, failed="bad_reply"), judgement("bad", turn=5)),
            *(judgement("open", 1.0, turn=1), judgement("open", turn=3)),
        ]
    )
    assert figures == Judged({("good", 0): 1.0}, frozenset({("bad", 0)}), frozenset({("open", 0)}))


def test_a_panel_counts_what_all_judged() -> None:
    """Its value is the mean over judges; an item that failed any of them is failed, one that lacks any is absent."""
    first = by_item([judgement("a", 1.0), judgement("b", 1.0), judgement("c", 1.0)])
    second = by_item([judgement("a", 0.0), judgement("b", failed="timeout"), judgement("c")])
    assert panel([first, second]) == Judged({("a", 0): 0.5}, frozenset({("b", 0)}), frozenset({("c", 0)}))
    assert panel([]) == Judged({})


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2), st.sampled_from([None, 0.0, 0.5, 1.0]))))
def test_every_item_is_in_exactly_one_place(rows: list[tuple[str, int, float | None]]) -> None:
    """Judged, failed and absent items are apart, and together all items."""
    made = [
        judgement(item, *([] if value is None else [value]), trial=trial, failed="x" * (trial == 2))
        for item, trial, value in rows
    ]
    figures = by_item(made)
    places = [*figures.values, *figures.failed, *figures.absent]
    assert sorted(places) == sorted({one.key for one in made})
    assert all(0 <= value <= 1 for value in figures.values.values())
    assert panel([figures]).values == pytest.approx(figures.values)
