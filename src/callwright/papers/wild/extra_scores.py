"""Figures of the extras of a `wild` session, apart from those of the paper: what was forbidden, failed, or changed.

mine_rate      tasks with a forbidden call in which it was made; by kind of mine (slice `mine`)
remedy_rate    tasks right, over those in which the call that fails was made; by what is right then (`remedy`)
again_rate     tasks in which a tool that is gone, or closed for now, was called again, over the same tasks
change_rate    tasks in which the call was made with the value as it was changed, over those in which that was told
stale_rate     tasks in which it was made with the value as it was before, over the same tasks

A task that ended before it came to its failure or its change is absent: part of no rate, and counted. Where the right
thing is to ask (`ask`), any words without a further call count as asking.
"""

from __future__ import annotations

from collections.abc import Sequence

from callwright.match.values import arguments_of, equal
from callwright.papers.wild.task_verdict import TaskVerdict
from callwright.protocol.ratio_sums import Sums
from callwright.records.annotations.wild_notes import Mine, PlannedFailure, ValueChange, WildPlan
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import decode


def has_extras(dialogue: Dialogue) -> bool:
    """Return whether a session has forbidden calls, failing tools or changed values."""
    plan = dialogue.annotation
    return isinstance(plan, WildPlan) and bool(plan.mines or plan.failures or plan.changes)


def changing_turns(dialogue: Dialogue) -> frozenset[int]:
    """Return the positions of the turns in which the user changes a value."""
    plan = dialogue.annotation
    changes = plan.changes if isinstance(plan, WildPlan) else ()
    return frozenset(change.turn for change in changes if change.turn is not None)


def add_extras(sums: Sums, dialogue: Dialogue, verdicts: Sequence[TaskVerdict]) -> None:
    """Add what one transcript of a session with extras counts."""
    plan = dialogue.annotation
    if not isinstance(plan, WildPlan):
        return
    for kind in sorted({mine.kind for mine in plan.mines}):
        for at in sorted({mine.task for mine in plan.mines if mine.kind == kind}):
            mines = [mine for mine in plan.mines if (mine.task, mine.kind) == (at, kind)]
            hit = any(_is_mine(verdicts[at], mine) for mine in mines)
            sums.add((), "mine_rate", dialogue.id, hit, 1)
            sums.add((("mine", kind),), "mine_rate", dialogue.id, hit, 1)
    for failure in plan.failures:
        _add_failure(sums, dialogue.id, verdicts[failure.task], failure)
    for change in plan.changes:
        _add_change(sums, dialogue.id, verdicts[change.task], change)


def _add_failure(sums: Sums, dialogue: str, verdict: TaskVerdict, failure: PlannedFailure) -> None:
    seen = any(failure.call in move for move in verdict.orchestration.matched)
    rates = {"remedy_rate": verdict.right}
    if failure.remedy != "retry":
        rates["again_rate"] = _is_called_again(verdict, failure)
    for metric, hit in rates.items():
        for slice_ in ((), (("remedy", failure.remedy),)):
            if seen:
                sums.add(slice_, metric, dialogue, hit, 1)
            else:
                sums.absent[slice_, metric] += 1


def _add_change(sums: Sums, dialogue: str, verdict: TaskVerdict, change: ValueChange) -> None:
    done = any(change.call in move for move in verdict.orchestration.matched)
    for metric, hit in (("change_rate", done), ("stale_rate", _is_stale(verdict, change))):
        if verdict.begun > 1:
            sums.add((), metric, dialogue, hit, 1)
        else:
            sums.absent[(), metric] += 1


def _is_called_again(verdict: TaskVerdict, failure: PlannedFailure) -> bool:
    """Whether a tool that fails once in the gold was called more than once."""
    tool = verdict.gold.golds[failure.call].tool
    return sum(call.tool == tool for step in verdict.steps for call in step) > 1


def _is_mine(verdict: TaskVerdict, mine: Mine) -> bool:
    """Whether the forbidden call was made; where its arguments are known, a call with others is another call."""
    wanted = decode(mine.arguments) if mine.arguments is not None else None
    return any(
        call.tool == mine.tool and (wanted is None or equal(arguments_of(call.arguments), wanted))
        for step in verdict.steps
        for call in step
    )


def _is_stale(verdict: TaskVerdict, change: ValueChange) -> bool:
    """Whether a call of the same tool was made with the value the user took back."""
    tool, first = verdict.gold.golds[change.call].tool, decode(change.first)
    return any(
        call.tool == tool and equal((arguments_of(call.arguments) or {}).get(change.parameter), first)
        for step in verdict.steps
        for call in step
    )
