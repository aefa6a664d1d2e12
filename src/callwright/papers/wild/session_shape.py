"""The shape of a dataset of `wild` sessions: kinds, topologies, hidings, transitions, and extras beyond the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from callwright.measure.shape import Statistics
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool
from callwright.records.wild_plan import WildPlan


class WildShape(msgspec.Struct, frozen=True, kw_only=True):
    """Counts over the sessions of a dataset."""

    sessions: int
    tasks: int
    kinds: dict[str, int]
    topologies: dict[str, int]
    """Of `multi` tasks."""
    hidings: dict[str, int]
    """Of tasks after the first; the empty name means that nothing is hidden."""
    transitions: dict[int, int]
    """Of sessions."""
    calls: dict[int, int]
    """Gold calls per task, over tasks with calls."""
    held_by_results: int
    """Hidden values that occur only in a result."""
    hidden: int
    extras: dict[str, int]
    """Tasks by extra."""


def wild_shape(dialogues: Iterable[Dialogue]) -> WildShape:
    """Return the counts over `wild` sessions; other dialogues are ignored."""
    sessions = tasks = held = hidden = 0
    kinds, topologies, hidings = Counter[str](), Counter[str](), Counter[str]()
    transitions, calls, extras = Counter[int](), Counter[int](), Counter[str]()
    for dialogue in dialogues:
        notes = dialogue.annotation
        if not isinstance(notes, WildPlan):
            continue
        sessions += 1
        tasks += len(dialogue.tasks)
        kinds.update(task.kind for task in dialogue.tasks)
        topologies.update(topology for topology in notes.topologies if topology)
        hidings.update(task.hiding for task in dialogue.tasks[1:])
        transitions[notes.transitions] += 1
        calls.update(len(task.gold) for task in dialogue.tasks if task.gold)
        values = [place for place in notes.hidden if place.parameter]
        hidden += len(values)
        held += sum(place.from_call is not None for place in values)
        extras.update({"minefields": len(notes.mines), "value changes": len(notes.changes)})
        extras.update(f"tool failures ({failure.remedy})" for failure in notes.failures)
        extras["tool failures not made: no other tool does the same"] += len(notes.no_other_tool)
    return WildShape(
        sessions=sessions,
        tasks=tasks,
        kinds=dict(sorted(kinds.items())),
        topologies=dict(sorted(topologies.items())),
        hidings=dict(sorted(hidings.items())),
        transitions=dict(sorted(transitions.items())),
        calls=dict(sorted(calls.items())),
        held_by_results=held,
        hidden=hidden,
        extras={name: count for name, count in sorted(extras.items()) if count},
    )


def wild_statistics(dialogues: Iterable[Dialogue], tools: Mapping[str, Tool]) -> Statistics:
    """Return the counts as rows of a card: what is counted, and the numbers with their shares."""
    shape = wild_shape(dialogues)
    rows = [
        ("sessions", f"{shape.sessions:,}"),
        ("tasks", f"{shape.tasks:,}"),
        ("kinds of tasks", _shares(shape.kinds)),
        ("topologies of `multi` tasks", _shares(shape.topologies)),
        ("hiding of later tasks", _shares({name or "none": count for name, count in shape.hidings.items()})),
        ("sessions by number of transitions", _shares({str(key): n for key, n in shape.transitions.items()})),
        ("calls per task", ", ".join(f"{number} × {count:,}" for number, count in shape.calls.items()) or "-"),
        ("hidden values that occur only in a result", f"{shape.held_by_results:,} of {shape.hidden:,}"),
    ]
    if shape.extras:
        extras = ", ".join(f"{name} {count:,}" for name, count in shape.extras.items())
        rows.append(("extras beyond the paper", extras))
    return Statistics(tuple(rows))


def _shares(counts: dict[str, int]) -> str:
    total = sum(counts.values())
    return ", ".join(f"{name} {count:,} ({count / total:.1%})" for name, count in counts.items()) or "-"
