"""Values that a user changes in the middle of a `wild` task: said first in the request, and changed where recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callwright.author.briefs import Known
from callwright.author.value_checks import is_said
from callwright.catalog.slots import slots
from callwright.match.task_stages import task_stages
from callwright.records.annotations.wild_notes import ValueChange, WildPlan
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


def change_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield changes that the turns do not make; `tools` by shown name."""
    for position, change in enumerate(changes_of(dialogue)):
        if fault := _fault(dialogue, tools, change):
            yield Issue("change_untrue", f"annotation.changes[{position}]", fault)


def changes_of(dialogue: Dialogue) -> tuple[ValueChange, ...]:
    """Return the changes that a session records."""
    return dialogue.annotation.changes if isinstance(dialogue.annotation, WildPlan) else ()


def _fault(dialogue: Dialogue, tools: Mapping[str, Tool], change: ValueChange) -> str:
    golds = dialogue.tasks[change.task].gold if 0 <= change.task < len(dialogue.tasks) else ()
    if not 0 <= change.call < len(golds) or golds[change.call].tool not in tools:
        return "it names no call"
    gold, stages = golds[change.call], task_stages(dialogue, change.task)
    if change.turn not in [stage.first for stage in stages[1:]]:
        return f"turn {change.turn} is none in the middle of task {change.task}"
    if encode(gold.values.get(change.parameter)) != change.then or change.parameter not in tools[gold.tool].properties:
        return f"the call has another {change.parameter}"
    slot = slots(tools[gold.tool])[change.parameter]
    ask, turn = dialogue.turns[stages[0].first].text, dialogue.turns[change.turn].text
    if not is_said(ask, Known(slot, change.first), dialogue.today):
        return f"the request does not say {change.first}"
    return "" if is_said(turn, Known(slot, change.then), dialogue.today) else f"its turn does not say {change.then}"
