"""Statistics of `wild` sessions for the card of a dataset (WildToolBench, section 3.6 and figure 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

from callwright.measure.shape import Statistics
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

Name = TypeVar("Name", str, int)


def wild_statistics(dialogues: Iterable[Dialogue], tools: Mapping[str, Tool]) -> Statistics:
    """Return the rows of a card: the name of each statistic, and its counts with their shares.

    Only `wild` sessions count; other dialogues are left out.
    """
    found = [(one, one.annotation) for one in dialogues if isinstance(one.annotation, WildPlan)]
    tasks = [task for dialogue, _ in found for task in dialogue.tasks]
    hidings = (task.hiding for dialogue, _ in found for task in dialogue.tasks[1:])
    topologies = (topology for _, plan in found for topology in plan.topologies if topology)
    calls = Counter(len(task.gold) for task in tasks if task.gold)
    values = [place for _, plan in found for place in plan.hidden if place.parameter]
    held = sum(place.origin.call is not None for place in values)
    rows = [
        ("sessions", f"{len(found):,}"),
        ("tasks", f"{len(tasks):,}"),
        ("kinds of tasks", _shares(task.kind for task in tasks)),
        ("topologies of `multi` tasks", _shares(topologies)),
        ("hiding of later tasks", _shares(hidings)),
        ("sessions by number of transitions", _shares(plan.transitions for _, plan in found)),
        ("calls per task", ", ".join(f"{number} × {count:,}" for number, count in sorted(calls.items())) or "-"),
        ("hidden values that occur only in a result", f"{held:,} of {len(values):,}"),
    ]
    extras = sum((_extras(plan) for _, plan in found), Counter[str]())
    if extras:
        told = ", ".join(f"{name} {count:,}" for name, count in sorted(extras.items()))
        rows.append(("extras beyond the paper", told))
    return Statistics(tuple(rows))


def _extras(plan: WildPlan) -> Counter[str]:
    """Count the extras of one session; the sum of such counters leaves out what never occurs."""
    return Counter(
        {
            "minefields": len(plan.mines),
            "value changes": len(plan.changes),
            "tool failures not made: no other tool does the same": len(plan.no_other_tool),
            **Counter(f"tool failures ({failure.remedy})" for failure in plan.failures),
        }
    )


def _shares(names: Iterable[Name]) -> str:
    """Return how often each name occurs, with its share; the empty name is `none`."""
    counts = Counter(names)
    named = (("none" if name == "" else name, count) for name, count in sorted(counts.items()))
    return ", ".join(f"{name} {count:,} ({count / counts.total():.1%})" for name, count in named) or "-"
