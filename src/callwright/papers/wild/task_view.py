"""One task of a run, explained: the gold calls, the calls that the model made, and the first error.

`explain` returns this as data, `task_view` for a terminal. All text in the view comes from data: it is never read as
markup, and characters that could steer a terminal are replaced.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from callwright.papers.wild.session_design import hidings_of
from callwright.papers.wild.task_verdict import TaskVerdict, topology_of
from callwright.records.dialogue import Call, Dialogue
from callwright.records.jsontext import Json, decode, encode
from callwright.records.transcript import Transcript

if TYPE_CHECKING:
    from rich.console import RenderableType

DecodedCall = tuple[str, Json]
"""A tool's name and the arguments; arguments that are no JSON object stay as the model wrote them."""


class TaskExplanation(msgspec.Struct, frozen=True, kw_only=True):
    """Calls, dependencies and steps as `score_orchestration` takes them, and its result."""

    calls: tuple[DecodedCall, ...]
    """The gold calls, with the first accepted value of each argument."""
    after: tuple[tuple[int, int], ...]
    """`(i, j)`: gold call j needs gold call i."""
    steps: tuple[tuple[DecodedCall, ...], ...]
    """The calls that the model made, step by step."""
    progress: float
    accomplished: bool
    """True for a right task: all calls were made in a legal order, and words came where they are due."""
    optimal: bool
    shortest: int
    left_at: int | None
    """Position of the first illegal step; None when every step is legal."""
    why: str
    """The first error in words; empty for a right task."""


def explain(verdict: TaskVerdict) -> TaskExplanation:
    """Return the verdict on a task as plain data."""
    golds, orchestration = verdict.gold.golds, verdict.orchestration
    return TaskExplanation(
        calls=tuple((gold.tool, gold.values) for gold in golds),
        after=tuple((needed, at) for at, gold in enumerate(golds) for needed in gold.after),
        steps=tuple(tuple(map(_decoded, step)) for step in verdict.steps),
        progress=orchestration.progress,
        accomplished=verdict.right,
        optimal=verdict.right and orchestration.optimal,
        shortest=orchestration.shortest,
        left_at=orchestration.left_at,
        why=verdict.why,
    )


def _decoded(call: Call) -> DecodedCall:
    return call.tool, decode(call.arguments)


class _Line(NamedTuple):
    """One line of the view; `colour` is that of label and number, `style` that of the text."""

    label: str = ""
    text: str = ""
    style: str = ""
    colour: str = ""
    number: str = ""
    remark: str = ""


def task_view(dialogue: Dialogue, at: int, transcript: Transcript, verdict: TaskVerdict) -> RenderableType:
    """Return one task with its verdict; calls and steps are numbered from 1."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from callwright.report.dialogue_view import shown

    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    for line in _lines(dialogue, at, transcript, verdict):
        text = shown(line.text, line.style).append(line.remark, "dim")
        grid.add_row(Text(line.label, f"bold {line.colour}"), Text(line.number, line.colour), text)
    return Group(Text.assemble(shown(dialogue.id, "bold"), shown(f"/{at + 1}", "bold")), Text(), grid)


def _lines(dialogue: Dialogue, at: int, transcript: Transcript, verdict: TaskVerdict) -> Iterator[_Line]:
    task = dialogue.tasks[at]
    yield _Line("task", ", ".join(filter(None, (task.kind, topology_of(verdict.gold), hidings_of(dialogue)[at]))))
    yield _Line("model", f"{transcript.model}, trial {transcript.trial}", "dim")
    for turn in verdict.turns:
        if turn.text:
            yield _Line("model" if dialogue.role(turn) == "assistant" else "user", turn.text)
    yield _Line()
    for nth, gold in enumerate(verdict.gold.golds):
        needs = f"  after {', '.join(str(needed + 1) for needed in gold.after)}" if gold.after else ""
        label = "" if nth else "due"
        yield _Line(label, f"{gold.tool} {encode(gold.values)}", "yellow", "yellow", str(nth + 1), needs)
    if not verdict.gold.golds:
        yield _Line("due", "no call: only words", "yellow", "yellow")
    yield _Line()
    yield from _step_lines(verdict)
    yield _Line()
    yield from _verdict_lines(verdict)


def _step_lines(verdict: TaskVerdict) -> Iterator[_Line]:
    matched = verdict.orchestration.matched
    for at, step in enumerate(verdict.steps):
        for nth, call in enumerate(step):
            is_legal = at < len(matched)
            label, number = "" if at or nth else "made", "" if nth else str(at + 1)
            style, remark = ("magenta", f"  is call {matched[at][nth] + 1}") if is_legal else ("red", "")
            yield _Line(label, f"{call.tool} {call.arguments}", style, "magenta", number, remark)
    if not verdict.steps:
        yield _Line("made", "no call", "dim", "magenta")


def _verdict_lines(verdict: TaskVerdict) -> Iterator[_Line]:
    due = len(verdict.gold.golds)
    steps = f"steps made: {len(verdict.steps)}; the fewest: {verdict.orchestration.shortest}"
    if verdict.right:
        yield _Line("right", f"all calls made: {due}; {steps}" if due else "words, and no call", "green")
        return
    yield _Line("wrong", str(verdict.error), "bold red")
    yield _Line("why", verdict.why)
    if due:
        yield _Line("progress", f"{verdict.made} of {due} calls; {steps}")
