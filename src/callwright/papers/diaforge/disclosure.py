"""Disclosure: each gold value is said by the user in the turn where it is due, and never before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from callwright.author.briefs import Known
from callwright.author.value_checks import TELLING, is_said, is_sayable
from callwright.catalog.slots import slots
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.tool import Tool


def gold_known(dialogue: Dialogue, tool: Tool) -> tuple[Known, ...]:
    """Return the documented gold values of the first task with their slots; `tool` is the gold tool."""
    by_name = slots(tool)
    arguments = [argument for argument in dialogue.tasks[0].gold[0].arguments if argument.name in by_name]
    return tuple(Known(by_name[argument.name], argument.accepted[0]) for argument in arguments)


def disclosure_issues(dialogue: Dialogue, known: Sequence[Known]) -> Iterator[Issue]:
    """Yield gold values that come too early, not at all, or from the assistant first."""
    notes = dialogue.annotation
    if not isinstance(notes, DiaforgeNotes):
        return
    due = {entry.parameter: entry.turn for entry in notes.disclosed}
    for entry in known:
        yield from _one_value(dialogue, entry, due.get(entry.slot.name), known, due)


def _one_value(
    dialogue: Dialogue, entry: Known, turn: int | None, known: Sequence[Known], due: dict[str, int]
) -> Iterator[Issue]:
    name = entry.slot.name
    if turn is None:
        yield Issue("value_never_said", "turns", f"{name} is called with a value that nobody said")
        return
    if not 0 <= turn < len(dialogue.turns) or turn % 2:
        yield Issue("value_not_said_when_due", f"turns[{turn}]", f"{name} is due in a turn that is not the user's")
        return
    if not is_said(dialogue.turns[turn].text, entry, dialogue.today):
        yield Issue("value_not_said_when_due", f"turns[{turn}].text", f"{name} is not said here")
    if not is_sayable(entry):
        return
    for position in range(turn):
        if _due_by_then(entry, position, known, due):
            return
        if position % 2 and entry.slot.kind not in TELLING:
            continue  # an assistant may list choices, and count what it asks for
        if is_said(dialogue.turns[position].text, entry, dialogue.today):
            yield Issue("value_too_early", f"turns[{position}].text", f"{name} is due in turn {turn}")


def _due_by_then(entry: Known, position: int, known: Sequence[Known], due: dict[str, int]) -> bool:
    """Whether another parameter with the same value was already due."""
    return any(other.text == entry.text and due.get(other.slot.name, position + 1) <= position for other in known)
