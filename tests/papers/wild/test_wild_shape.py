"""The shape of wild sessions counts what the sessions are."""

from __future__ import annotations

from collections import Counter

from callwright.papers.wild.session_shape import wild_shape, wild_statistics
from callwright.records.wild_plan import WildPlan
from wild_workshop import sessions


def test_counts_are_those_of_the_sessions() -> None:
    """Kinds, hidings and transitions are counted over all tasks and sessions, and nothing else."""
    dialogues = [made.dialogue for made in sessions(8)]
    shape = wild_shape(dialogues)
    plans = [one.annotation for one in dialogues if isinstance(one.annotation, WildPlan)]
    assert (shape.sessions, shape.tasks) == (8, 32)
    assert shape.kinds == Counter(task.kind for one in dialogues for task in one.tasks)
    assert shape.hidings == Counter(task.hiding for one in dialogues for task in one.tasks[1:])
    assert shape.transitions == Counter(plan.transitions for plan in plans)
    assert shape.extras == {}


def test_nothing_gives_rows_without_numbers() -> None:
    """No session: zeros and dashes, no division by nothing."""
    assert dict(wild_statistics([], {}).rows)["kinds of tasks"] == "-"
