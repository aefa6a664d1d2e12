"""How many dialogues each stage of a cascade removes, by a property of the design such as the number of rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from callwright.recipe.panels import PREFIX, JudgedStage

RULES: Final = "rules"
"""The validator of a stage that no model judges."""
FAILED: Final = "failed"
JUDGE: Final = "judge"
OTHER: Final = "other"


class Stages(NamedTuple):
    """The stages of a recipe's cascade, each made of rules, and the property that their counts are by."""

    reasons: Mapping[str, tuple[str, ...]]
    """Name of each stage, in order, to the reasons for which it rejects."""
    group: str
    """Name of the property, such as `rounds`."""
    group_of: Callable[[Any, int], str]
    """Returns the property of an item, by the recipe's options and the item's index."""


class StagedLine(msgspec.Struct, frozen=True):
    """The dialogues of one group: `initial == all removed + final`."""

    group: str
    initial: int
    removed: dict[str, int]
    """By column of the funnel."""
    final: int


class StagedFunnel(msgspec.Struct, frozen=True):
    """Removals by group and stage."""

    by: str
    validators: dict[str, str]
    """Who checks in each column: `rules`, or the judge's name; a rollout that failed was not checked."""
    lines: tuple[StagedLine, ...]
    """One a group, and one of all where there are several."""


def staged_funnel(
    stages: Stages, ended: Iterable[tuple[str, str]], *, judge: str = "", judged: Sequence[JudgedStage] = ()
) -> StagedFunnel:
    """Return the funnel of items that ended, each a group with the reason of its end.

    The reason is empty where the item was kept, and `FAILED` where it gave no dialogue; reasons of the critics begin
    with `judge_`, and those of no stage are `OTHER`. A stage that the judge takes part in has a column of its own for
    it, such as `stage 1 judge`, after those of the rules.
    """
    columns_of_judge = {f"{one.name} {JUDGE}".strip(): [panel.code for panel in one.panels] for one in judged}
    reasons_of = {**stages.reasons, **columns_of_judge}
    stage_of = {reason: stage for stage, reasons in reasons_of.items() for reason in reasons} | {FAILED: FAILED}
    found: dict[str, Counter[str]] = {}
    for group, reason in ended:
        usual = JUDGE if reason.startswith(PREFIX) else OTHER
        found.setdefault(group, Counter())[stage_of.get(reason, usual) if reason else ""] += 1
    whole = sum(found.values(), Counter[str]())
    by_judge = list(columns_of_judge) or ([JUDGE] if judge else [])
    columns = [FAILED, *stages.reasons, *by_judge, *([OTHER] if whole[OTHER] else [])]
    lines = [_line(group, found[group], columns) for group in sorted(found)]
    return StagedFunnel(
        by=stages.group,
        validators=dict.fromkeys(stages.reasons, RULES) | dict.fromkeys(by_judge, judge),
        lines=(*lines, *([_line("all", whole, columns)] if len(lines) > 1 else [])),
    )


def _line(group: str, found: Counter[str], columns: Iterable[str]) -> StagedLine:
    return StagedLine(group, found.total(), {name: found[name] for name in columns}, found[""])
