"""Invention: nobody says a value of the gold tool's sorts that the scenario does not hold.

A user's own slip, where one was planned, is no invention; nor is what the other side said, or an example from the
document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from callwright.author.briefs import Known
from callwright.papers.diaforge.foreign_values import foreign_values
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.tool import Tool


def invention_issues(dialogue: Dialogue, tool: Tool, known: Sequence[Known]) -> Iterator[Issue]:
    """Yield values that are none of the `known` ones of the gold tool, in the turn in which they are said first."""
    if not known:
        return
    corrects, today = _slip(dialogue), date.fromisoformat(dialogue.today) if dialogue.today else None
    documented = f"{tool.description} {tool.parameters}"
    for position, turn in enumerate(dialogue.turns):
        others = [earlier.text for earlier in dialogue.turns[:position] if earlier.speaker != turn.speaker]
        is_user = position % 2 == 0
        said = others if is_user else [*others, documented]
        slip = corrects if is_user else ""
        for value in foreign_values(turn.text, known, said, today=today, corrects=slip):
            yield Issue("value_not_gold", f"turns[{position}].text", f"{value!r} is not a value of the scenario")


def _slip(dialogue: Dialogue) -> str:
    """The parameter that the user was to say wrongly first."""
    plan = dialogue.scenario.annotation if dialogue.scenario else None
    return plan.corrects if isinstance(plan, DiaforgePlan) else ""
