"""The statistics of wild sessions count what the sessions are."""

from __future__ import annotations

from collections import Counter

from callwright.papers.wild.wild_recipe import wild_statistics
from callwright.records.annotations.wild_notes import WildPlan
from wild_workshop import sessions


def counted(row: str) -> Counter[str]:
    """Return the counts of a row such as `single 3 (75.0%), chat 1 (25.0%); the paper: 25% each`."""
    pairs = (part.split(" (")[0].rsplit(" ", 1) for part in row.partition("; the paper: ")[0].split(", "))
    return Counter({name: int(count) for name, count in pairs})


def test_counts_are_those_of_the_sessions() -> None:
    """Kinds, hidings, topologies and transitions are counted over all tasks and sessions, and nothing else."""
    dialogues = [made.dialogue for made in sessions(12) if made.dialogue.tasks][:8]
    rows = dict(wild_statistics(dialogues, {}).rows)
    plans = [one.annotation for one in dialogues if isinstance(one.annotation, WildPlan)]

    assert (len(plans), rows["sessions"], rows["tasks"]) == (8, "8", "32")
    assert counted(rows["kinds of tasks"]) == Counter(task.kind for one in dialogues for task in one.tasks)
    assert counted(rows["hiding of later tasks"]) == Counter(
        hiding or "none" for plan in plans for hiding in plan.hidings[1:]
    )
    assert counted(rows["topologies of `multi` tasks"]) == Counter(
        topology for plan in plans for topology in plan.topologies if topology
    )
    assert counted(rows["sessions by number of transitions"]) == Counter(str(plan.transitions) for plan in plans)
    assert "extras beyond the paper" not in rows


def test_nothing_gives_rows_without_numbers() -> None:
    """No session: zeros and dashes, no division by nothing."""
    rows = dict(wild_statistics([], {}).rows)

    assert (rows["sessions"], rows["kinds of tasks"], rows["calls per task"]) == ("0", "-", "-")
