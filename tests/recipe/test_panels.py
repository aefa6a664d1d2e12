"""Panels keep a dialogue by a rule over several answers."""

from __future__ import annotations

import pytest

from callwright.recipe.panels import CriteriaPanel, CriteriaPanels, JudgedStage, panel_issues
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Dialogue, Provenance
from callwright.records.judgement import Judgement, Sample

MEAN = CriteriaPanel(reason="low", criteria=("a", "b", "c"), rule="mean", least=4.0)
COUNT = CriteriaPanel(reason="few", criteria=("a", "b", "c"), rule="count", least=2)
TYPE = CriteriaPanel(reason="unlike", criteria=("type",), rule="agree", field="dialogue_type")
TALK = Dialogue(
    id="d",
    recipe="hand.v1",
    participants=(),
    turns=(),
    provenance=Provenance(author="hand", callwright="0"),
    annotation=DiceNotes(dialogue_type="quarrel", rounds=()),
)


def said(**answers: float | str) -> list[Judgement]:
    """The judgements of one judge, each with one answer."""
    return [
        Judgement(
            item="d",
            criterion=name,
            version=1,
            rubric="r",
            judge="openai/x",
            subject="s",
            samples=(Sample(str(one), one if isinstance(one, (int, float)) else 1.0, "so"),),
        )
        for name, one in answers.items()
    ]


@pytest.mark.parametrize(
    ("panel", "answers", "is_kept"),
    [
        (MEAN, {"a": 5, "b": 4, "c": 3}, True),
        (MEAN, {"a": 5, "b": 3, "c": 3}, False),
        (MEAN, {"a": 5, "c": 3}, True),
        (MEAN, {"a": 4, "c": 3}, False),
        (COUNT, {"a": 1, "b": 0, "c": 1}, True),
        (COUNT, {"a": 1, "b": 0, "c": 0}, False),
        (COUNT, {"a": 1, "b": 0}, True),
        (COUNT, {"b": 0, "c": 0}, False),
        (TYPE, {"type": "quarrel"}, True),
        (TYPE, {"type": "inquiry"}, False),
        (TYPE, {}, True),
    ],
)
def test_a_panel_keeps_from_its_bound_on(
    panel: CriteriaPanel, answers: dict[str, float | str], *, is_kept: bool
) -> None:
    """The bound itself is kept; a criterion that was not asked denies nothing."""
    issues = panel_issues(JudgedStage("stage", (panel,)), TALK, said(**answers))
    assert [one.code for one in issues] == ([] if is_kept else [f"judge_{panel.reason}"])


def test_an_issue_tells_what_was_said() -> None:
    """The grades of a mean, the criteria that a count lacks, and the other answer with its reason."""
    told = [
        panel_issues(JudgedStage("", (panel,)), TALK, said(**answers))[0].message
        for panel, answers in ((MEAN, {"a": 1, "b": 4}), (COUNT, {"a": 1, "b": 0, "c": 0}), (TYPE, {"type": "joke"}))
    ]
    assert told == [
        "openai/x says a 1, b 4; kept is mean of 3 at least 4",
        "openai/x says b 0, c 0; kept is count of 3 at least 2",
        "openai/x says joke, not quarrel: so",
    ]


@pytest.mark.parametrize(
    ("how", "grades", "codes"),
    [
        ("any", {"a": 1, "type": "quarrel"}, ["judge_low"]),
        ("all", {"a": 1, "type": "quarrel"}, []),
        ("all", {"a": 5, "type": "inquiry"}, []),
        ("all", {"a": 1, "type": "inquiry"}, ["judge_low", "judge_unlike"]),
    ],
)
def test_panels_of_a_stage_are_joined(how: str, grades: dict[str, float | str], codes: list[str]) -> None:
    """Any of them rejects, or all only at once."""
    (stage,) = CriteriaPanels((JudgedStage("stage 1", (MEAN, TYPE)),), option="join").joined(how)
    assert [one.code for one in panel_issues(stage, TALK, said(**grades))] == codes
