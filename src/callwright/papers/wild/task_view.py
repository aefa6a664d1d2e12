"""Renders one task of the `wild` protocol for a terminal: gold calls, the calls of each step, and the first error.

All text comes from data: it is never read as markup, and control characters are replaced.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from callwright.papers.wild.task_verdict import TaskVerdict, task_turns, topology_of
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import encode
from callwright.records.transcript import Transcript
from callwright.report.dialogue_view import shown


def task_view(dialogue: Dialogue, at: int, transcript: Transcript, verdict: TaskVerdict) -> RenderableType:
    """Return one task with its verdict; calls and steps are numbered from 1."""
    task = dialogue.tasks[at]
    kind = ", ".join(filter(None, (task.kind, topology_of(verdict.gold), task.hiding)))
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text("task", "bold"), "", shown(kind))
    grid.add_row(Text("model", "bold"), "", shown(f"{transcript.model}, trial {transcript.trial}", "dim"))
    for speaker, text in _said(dialogue, at, transcript):
        grid.add_row(Text(speaker, "bold"), "", shown(text))
    grid.add_row()
    _add_gold(grid, verdict)
    grid.add_row()
    _add_steps(grid, verdict)
    grid.add_row()
    for name, line in _lines(verdict):
        grid.add_row(Text(name, "bold"), "", line)
    return Group(Text.assemble(shown(dialogue.id, "bold"), shown(f"/{at + 1}", "bold")), Text(), grid)


def _said(dialogue: Dialogue, at: int, transcript: Transcript) -> Iterator[tuple[str, str]]:
    for turn in task_turns(transcript, at):
        if turn.text:
            yield ("model" if dialogue.role(turn) == "assistant" else "user"), turn.text


def _add_gold(grid: Table, verdict: TaskVerdict) -> None:
    for at, gold in enumerate(verdict.gold.golds):
        line = shown(f"{gold.tool} {encode(gold.values)}", "yellow")
        if gold.after:
            line.append(f"  after {', '.join(str(needed + 1) for needed in gold.after)}", "dim")
        grid.add_row(Text("due" if at == 0 else "", "bold yellow"), Text(str(at + 1), "yellow"), line)
    if not verdict.gold.golds:
        grid.add_row(Text("due", "bold yellow"), "", Text("no call: only words", "yellow"))


def _add_steps(grid: Table, verdict: TaskVerdict) -> None:
    matched = verdict.orchestration.matched
    for at, step in enumerate(verdict.steps):
        for nth, call in enumerate(step):
            is_legal = at < len(matched)
            line = shown(f"{call.tool} {call.arguments}", "magenta" if is_legal else "red")
            if is_legal:
                line.append(f"  is call {matched[at][nth] + 1}", "dim")
            name = "made" if (at, nth) == (0, 0) else ""
            grid.add_row(Text(name, "bold magenta"), Text(str(at + 1) if nth == 0 else "", "magenta"), line)
    if not verdict.steps:
        grid.add_row(Text("made", "bold magenta"), "", Text("no call", "dim"))


def _lines(verdict: TaskVerdict) -> Iterator[tuple[str, Text]]:
    course, due = verdict.orchestration, len(verdict.gold.golds)
    steps = f"steps made: {len(verdict.steps)}; the fewest: {course.shortest}"
    if verdict.right:
        yield "right", Text(f"all calls made: {due}; {steps}" if due else "words, and no call", "green")
        return
    yield "wrong", shown(str(verdict.error), "bold red")
    yield "why", shown(verdict.why)
    if due:
        yield "progress", Text(f"{verdict.made} of {due} calls; {steps}")
