"""Aim: the user's words never mean another tool than the one that is wanted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from callwright.author.briefs import Known
from callwright.catalog.gloss import gloss
from callwright.papers.diaforge.goal_drift import drifts_to
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.tool import Tool


def aim_issues(dialogue: Dialogue, tool: Tool, others: Sequence[Tool], known: Sequence[Known]) -> Iterator[Issue]:
    """Yield user turns whose words mean one of `others` and not `tool`, the gold tool."""
    gold, rivals = gloss(tool), [(other.name, gloss(other)) for other in others]
    for position, turn in enumerate(dialogue.turns):
        if position % 2:
            continue
        meant = next((name for name, rival in rivals if drifts_to(turn.text, gold, rival, known)), "")
        if meant:
            yield Issue("goal_drifts", f"turns[{position}].text", f"the words mean {meant}, not {tool.name}")
