"""Panels: criteria that are judged together and keep or reject a dialogue by one rule.

    mean    the mean of the values of the answers is at least `least`
    count   at least `least` of the answers have a value over 0
    agree   the answer is what the dialogue's annotation holds in the field `field`

A criterion that does not apply to a dialogue denies nothing: a mean is taken over the others, a count has it as held.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from callwright.judge.rubric import Rubric
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.judgement import Judgement

PREFIX = "judge_"
"""What the reasons of judges begin with."""


class CriteriaPanel(msgspec.Struct, frozen=True, kw_only=True):
    """Criteria and the rule by which their answers keep a dialogue."""

    reason: str
    """The reason for rejection, without `judge_`."""
    criteria: tuple[str, ...]
    rule: Literal["mean", "count", "agree"]
    least: float = 0.0
    field: str = ""
    """For `agree`, the field of the annotation."""

    @property
    def code(self) -> str:
        """Code of the issue."""
        return PREFIX + self.reason

    @property
    def told(self) -> str:
        """The rule in words."""
        if self.rule == "agree":
            return f"the answer is the dialogue's {self.field}"
        return f"{self.rule} of {len(self.criteria)} at least {self.least:g}"


class JudgedStage(msgspec.Struct, frozen=True):
    """Panels that are asked at once."""

    name: str
    """Name of the recipe's stage that the judge takes part in; empty for criteria that each reject on their own."""
    panels: tuple[CriteriaPanel, ...]
    needs_all: bool = False
    """Whether they reject a dialogue only together; else any of them does."""

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria of all panels."""
        return tuple(name for panel in self.panels for name in panel.criteria)


class CriteriaPanels(NamedTuple):
    """The panels of a recipe, which judge where a judge is named and no criteria are."""

    stages: tuple[JudgedStage, ...]
    """In order; the next stage is asked about what the one before keeps."""
    option: str = ""
    """Option of the recipe that says whether `any` panel of a stage rejects, or only `all`; empty: any does."""

    def joined(self, how: object) -> tuple[JudgedStage, ...]:
        """Return the stages with `option` at this value."""
        return tuple(msgspec.structs.replace(stage, needs_all=how == "all") for stage in self.stages)


def each_alone(rubrics: Iterable[Rubric]) -> JudgedStage:
    """Return a stage in which each criterion rejects what is below its `keep_from`."""
    panels = (
        CriteriaPanel(reason=one.name.replace("-", "_"), criteria=(one.name,), rule="mean", least=one.keep_from or 0.0)
        for one in rubrics
    )
    return JudgedStage("", tuple(panels))


def panel_issues(stage: JudgedStage, dialogue: Dialogue, judgements: Sequence[Judgement]) -> tuple[Issue, ...]:
    """Return why the panels of a stage reject a dialogue. No judgement has failed."""
    by_criterion = {one.criterion: one for one in judgements}
    asked = ((panel, [by_criterion[name] for name in panel.criteria if name in by_criterion]) for panel in stage.panels)
    issues = tuple(
        Issue(panel.code, "", _told(panel, dialogue, own))
        for panel, own in asked
        if own and not _holds(panel, dialogue, own)
    )
    return issues if not stage.needs_all or len(issues) == len(stage.panels) else ()


def _holds(panel: CriteriaPanel, dialogue: Dialogue, judgements: Sequence[Judgement]) -> bool:
    if panel.rule == "agree":
        return all(one.samples[0].answer == _intended(panel, dialogue) for one in judgements)
    values = [one.value or 0.0 for one in judgements]
    if panel.rule == "mean":
        return sum(values) >= panel.least * len(values)
    return len(panel.criteria) - sum(value <= 0 for value in values) >= panel.least


def _intended(panel: CriteriaPanel, dialogue: Dialogue) -> str:
    return str(getattr(dialogue.annotation, panel.field, ""))


def _told(panel: CriteriaPanel, dialogue: Dialogue, judgements: Sequence[Judgement]) -> str:
    judge, first = judgements[0].judge, judgements[0].samples[0]
    if len(panel.criteria) == 1:
        meant = f", not {_intended(panel, dialogue)}" if panel.rule == "agree" else ""
        return f"{judge} says {first.answer}{meant}: {first.why}"
    doubted = [one for one in judgements if panel.rule == "mean" or not one.value]
    said = ", ".join(f"{one.criterion} {one.samples[0].answer}" for one in doubted)
    return f"{judge} says {said}; kept is {panel.told}"
