"""Renders one dialogue or transcript for a terminal: speakers, dimmed thoughts, calls, gold, and the tools shown.

All text comes from data: it is never read as markup, and control characters are replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from callwright.protocol.items import ItemTask, RunItem
from callwright.records.dialogue import Dialogue, GoldCall, Step, Task, Turn
from callwright.records.dialogue_state import ApiState
from callwright.records.tool import Tool
from callwright.records.transcript import Transcript

_STYLES: Final = {"user": "bold cyan", "assistant": "bold green"}
_MOST_DESCRIPTION: Final = 90
_ABOUT: Final = 28

Reason = tuple[str, str, str]
"""Code of a check, where in the dialogue, and what was found."""


def dialogue_view(
    dialogue: Dialogue,
    tools: Mapping[str, Tool],
    *,
    reasons: Sequence[Reason] = (),
    marks: Mapping[int, str] = MappingProxyType({}),
) -> RenderableType:
    """Return the view of a dialogue; `tools` by key, `reasons` for its rejection, `marks` below its turns, by place."""
    made = dialogue.provenance
    seed = "" if made.seed is None else f", seed {made.seed}"
    head = f"{dialogue.recipe}, author {made.author}{seed}"
    grid = _grid()
    _add_about(grid, dialogue, head)
    _add_pool(grid, dialogue, tools)
    _add_turns(grid, dialogue, dialogue.turns, marks)
    _add_gold(grid, dialogue)
    for reason in reasons:
        grid.add_row(Text("rejected", "bold red"), shown(": ".join(filter(None, reason))))
    return Group(*_title(dialogue.id), grid)


def transcript_view(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], item: RunItem
) -> RenderableType:
    """Return the view of a transcript, with the gold calls that it is scored against, and the verdict on each task."""
    grid = _grid()
    _add_about(grid, dialogue, f"{transcript.model}, {transcript.protocol}, trial {transcript.trial}")
    _add_pool(grid, dialogue, tools)
    _add_turns(grid, dialogue, transcript.turns, {})
    grid.add_row(Text("ended", "bold"), shown(_ENDINGS.get(transcript.ended, transcript.ended)))
    _add_gold(grid, dialogue)
    for task in item.tasks:
        name = "verdict" if len(item.tasks) == 1 else f"verdict {task.task}"
        grid.add_row(Text(name, "bold"), _verdict(item, task))
    for fault in transcript.faults:
        grid.add_row(Text("user fault", "bold red"), shown(f"turns[{fault.turn}]: {fault.kind}: {fault.detail}"))
    for error in transcript.format_errors:
        grid.add_row(Text("format", "bold red"), shown(error))
    return Group(*_title(transcript.dialogue), grid)


def _verdict(item: RunItem, task: ItemTask) -> Text:
    if item.right is None:
        return shown(f"{item.state}: {item.why}", "yellow")
    return (
        shown(": ".join(filter(None, ("wrong", task.error, task.why))), "red") if task.error else Text("right", "green")
    )


def list_view(entries: Iterable[tuple[str, str, str, str]]) -> RenderableType:
    """Return a list of dialogues, one per line: id, a short description and its style, the beginning of its text."""
    lines = []
    for id_, about, first, style in entries:
        about = f"{about[: _ABOUT - 1]}…" if len(about) > _ABOUT else about.ljust(_ABOUT)
        line = Text.assemble(shown(id_, "bold"), "  ", shown(about, style), "  ", shown(" ".join(first.split())))
        line.no_wrap, line.overflow = True, "ellipsis"
        lines.append(line)
    return Group(*lines)


def shown(text: str, style: str = "") -> Text:
    """Return data as text without markup and control characters; of a very long one its beginning."""
    more = len(text) - _LONGEST
    if more > 0:
        text = f"{text[:_LONGEST]}… and {more:,} characters more"
    return Text("".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text), style)


_LONGEST: Final = 20_000
"""Characters of one text that are shown: breaking millions into lines takes minutes."""


_ENDINGS: Final = {
    "call": "a call was made",
    "t_max": "the most exchanges were reached",
    "script": "the recorded user turns ran out",
    "left": "the user left",
    "tasks": "all tasks were tried",
}


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", no_wrap=True, max_width=16, overflow="ellipsis")
    grid.add_column(overflow="fold")
    return grid


def _title(id_: str) -> tuple[Text, Text]:
    return shown(id_, "bold"), Text()


def _add_about(grid: Table, dialogue: Dialogue, head: str) -> None:
    grid.add_row(Text("made", "dim"), shown(head, "dim"))
    if dialogue.today:
        grid.add_row(Text("today", "dim"), shown(dialogue.today, "dim"))
    for who in dialogue.participants:
        if who.persona:
            persona = ": ".join(filter(None, (who.name, who.persona)))
            grid.add_row(Text("persona", "dim"), shown(persona, "dim"))


def _add_pool(grid: Table, dialogue: Dialogue, tools: Mapping[str, Tool]) -> None:
    golds = {gold.tool for task in dialogue.tasks for gold in task.gold}
    for place, entry in enumerate(dialogue.tools):
        is_gold = entry.name in golds
        line = shown(entry.name, "bold yellow" if is_gold else "")
        if is_gold:
            line.append(" (gold)", "yellow")
        if (tool := tools.get(entry.key)) and tool.description:
            line.append_text(shown(f"  {_short(tool.description)}", "dim"))
        line.no_wrap, line.overflow = True, "ellipsis"
        grid.add_row(Text("tools shown" if place == 0 else "", "dim"), line)
    grid.add_row()


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_DESCRIPTION else f"{line[: _MOST_DESCRIPTION - 1]}…"


def _add_turns(grid: Table, dialogue: Dialogue, turns: Sequence[Turn], marks: Mapping[int, str]) -> None:
    names = {who.id: who.name or who.id for who in dialogue.participants}
    for place, turn in enumerate(turns):
        role = dialogue.role(turn)
        name = shown(names.get(turn.speaker, turn.speaker), _STYLES.get(role, "bold"))
        for line in (*_turn_lines(turn, thoughts=role != "user"), *_label_lines(turn, dialogue.annotation, place)):
            grid.add_row(name, line)
            name = Text()
        if mark := marks.get(place):
            grid.add_row(Text(), shown(mark, "yellow"))
        grid.add_row()


def _turn_lines(turn: Turn, *, thoughts: bool) -> list[Text]:
    thought = [shown(f"({step.thought})", "dim italic") for step in turn.steps if step.thought and thoughts]
    said = [shown(turn.text)] if turn.text else []
    called = [line for step in turn.steps for line in _call_lines(step)]
    closes = any(step.results for step in turn.steps)  # then the text tells the result
    return [*thought, *called, *said] if closes else [*thought, *said, *called] or [Text("(nothing)", "dim")]


def _label_lines(turn: Turn, annotation: object, place: int) -> list[Text]:
    """Acts, what the retriever found, and the state after the turn, where an annotation has API states by turn."""
    notes = getattr(annotation, "turns", ())
    state = getattr(notes[place], "state", None) if place < len(notes) else None
    if not isinstance(state, ApiState):
        return []
    statuses = [getattr(step, "retriever", None) for step in getattr(notes[place], "steps", ())]
    found = [f"{api.name} {api.score:.2f}" for one in statuses for api in getattr(one, "apis", ())]
    found += [text for one in statuses for text in getattr(one, "sources", ())]
    values = ", ".join(f"{one.name}={one.value}" for one in (*state.required, *state.optional) if one.value != '""')
    lines = [("acts", ", ".join(step.act for step in turn.steps)), ("retriever", "; ".join(found))]
    lines.append(("state", f"{state.api}({values})" if state.api else "no API confirmed"))
    return [shown(f"{name}: {told}", "dim cyan") for name, told in lines if told]


def _call_lines(step: Step) -> list[Text]:
    lines = [shown(step.text)] if step.text else []
    lines += [shown(f"→ {call.tool} {call.arguments}", "bold magenta") for call in step.calls]
    for result in step.results:
        said = str(result.value) if result.error is None else f"error: {result.error}"
        lines.append(shown(f"← {said}", "magenta"))
    return lines


def _add_gold(grid: Table, dialogue: Dialogue) -> None:
    if len(dialogue.tasks) > 1:
        _add_tasks(grid, dialogue.tasks, getattr(dialogue.annotation, "hidings", ()))
        return
    golds = [gold for task in dialogue.tasks for gold in task.gold]
    for place, gold in enumerate(golds):
        grid.add_row(Text("gold" if place == 0 else "", "bold yellow"), shown(_gold(gold), "yellow"))
    if not golds and dialogue.tasks:
        grid.add_row(Text("gold", "bold yellow"), Text("no call: no tool fits", "yellow"))


def _add_tasks(grid: Table, tasks: Sequence[Task], hidings: Sequence[str]) -> None:
    """Add one block per task: kind, hiding, missing values, and calls with their dependencies."""
    for number, (task, hiding) in enumerate(zip(tasks, (*hidings, *[""] * len(tasks)), strict=False), 1):
        about = [task.kind, hiding.replace("_", " "), f"lacks {', '.join(task.missing)}" if task.missing else ""]
        grid.add_row(Text(f"task {number}", "bold yellow"), shown(", ".join(filter(None, about)), "bold yellow"))
        for place, gold in enumerate(task.gold, 1):
            after = f" after {', '.join(str(parent + 1) for parent in gold.after)}" if gold.after else ""
            grid.add_row(Text(), shown(f"{place}{after}: {_gold(gold)}", "yellow"))
        if not task.gold:
            grid.add_row(Text(), Text("no call", "yellow"))


def _gold(gold: GoldCall) -> str:
    parts = []
    for argument in gold.arguments:
        accepted = " or ".join(argument.accepted)
        parts.append(f'"{argument.name}":{accepted}' + (" (optional)" if argument.optional else ""))
    return f"{gold.tool} {{{','.join(parts)}}}"
