"""What became of one task, laid out: the call graph, what was called when, and where it left the legal paths."""

from __future__ import annotations

import msgspec

from callwright.papers.wild.task_verdict import TaskVerdict
from callwright.records.dialogue import Call
from callwright.records.jsontext import Json, decode

LaidOut = tuple[str, Json]
"""A tool's name and the arguments; what is no JSON object stands as it was made."""


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Calls, dependencies and steps as `score_orchestration` takes them, and what it made of them."""

    calls: tuple[LaidOut, ...]
    """The gold calls, with the first accepted value of each argument."""
    after: tuple[tuple[int, int], ...]
    """`(i, j)`: gold call j needs gold call i."""
    steps: tuple[tuple[LaidOut, ...], ...]
    """What was called, step by step."""
    progress: float
    accomplished: bool
    """True when the task is right: everything was called as it must be, and words came where they are due."""
    optimal: bool
    shortest: int
    left_at: int | None
    """Position of the first illegal step; None when every step is legal."""
    why: str
    """The first error; empty when there is none."""


def explain(verdict: TaskVerdict) -> Explanation:
    """Return a verdict, laid out."""
    golds, course = verdict.gold.golds, verdict.orchestration
    return Explanation(
        calls=tuple((gold.tool, gold.values) for gold in golds),
        after=tuple((needed, at) for at, gold in enumerate(golds) for needed in gold.after),
        steps=tuple(tuple(map(_laid_out, step)) for step in verdict.steps),
        progress=course.progress,
        accomplished=verdict.right,
        optimal=verdict.right and course.optimal,
        shortest=course.shortest,
        left_at=course.left_at,
        why=verdict.why,
    )


def _laid_out(call: Call) -> LaidOut:
    return call.tool, decode(call.arguments)
