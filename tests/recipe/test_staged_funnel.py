"""What each stage of a cascade removes, by a property of the design."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from callwright.recipe.panels import CriteriaPanel, JudgedStage
from callwright.recipe.staged_funnel import FAILED, Stages, staged_funnel

STAGES = Stages({"stage 1": ("low", "other_type"), "stage 2": ("refusal",)}, "rounds", lambda options, at: str(at))
REASONS = {"low": "stage 1", "other_type": "stage 1", "refusal": "stage 2", "judge_x": "judge", "odd": "other"}


def test_lines_and_columns() -> None:
    """One line a group, then all; failed rollouts, stages in their order, the judge, and what is of no stage."""
    ended = [("2", "refusal"), ("1", ""), ("1", "low"), ("2", "judge_x"), ("2", FAILED), ("1", "other_type")]
    found = staged_funnel(STAGES, ended, judge="openai/x")
    assert [(line.group, line.initial, line.removed, line.final) for line in found.lines] == [
        ("1", 3, {"failed": 0, "stage 1": 2, "stage 2": 0, "judge": 0}, 1),
        ("2", 3, {"failed": 1, "stage 1": 0, "stage 2": 1, "judge": 1}, 0),
        ("all", 6, {"failed": 1, "stage 1": 2, "stage 2": 1, "judge": 1}, 1),
    ]
    assert found.validators == {"stage 1": "rules", "stage 2": "rules", "judge": "openai/x"}


def test_a_stage_of_a_judge_has_its_own_column() -> None:
    """It is named for the stage and the judge, and stands after the columns of the rules."""
    panel = CriteriaPanel(reason="low", criteria=("a",), rule="mean", least=1.0)
    ended = [("1", ""), ("1", "low"), ("1", "judge_low")]
    found = staged_funnel(STAGES, ended, judge="openai/x", judged=[JudgedStage("stage 1", (panel,))])
    (line,) = found.lines
    assert line.removed == {"failed": 0, "stage 1": 1, "stage 2": 0, "stage 1 judge": 1}
    assert found.validators == {"stage 1": "rules", "stage 2": "rules", "stage 1 judge": "openai/x"}


def test_one_group_needs_no_sum_and_none_no_lines() -> None:
    """The line of all is there where there is something to add up."""
    assert [line.group for line in staged_funnel(STAGES, [("1", "")]).lines] == ["1"]
    assert staged_funnel(STAGES, []).lines == ()


@given(st.lists(st.tuples(st.sampled_from("1234"), st.sampled_from(["", FAILED, *REASONS])), min_size=1))
def test_nothing_is_lost_or_counted_twice(ended: list[tuple[str, str]]) -> None:
    """In each line what came in is what was removed and what is left, as counted one by one."""
    found = staged_funnel(STAGES, ended, judge="j")
    assert found.lines
    for line in found.lines:
        own = [reason for group, reason in ended if line.group in (group, "all")]
        assert line.initial == len(own) == sum(line.removed.values()) + line.final
        assert line.final == own.count("")
        for stage, count in line.removed.items():
            assert count == sum(reason != "" and {**REASONS, FAILED: FAILED}[reason] == stage for reason in own)
