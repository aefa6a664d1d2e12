"""Checks what the types of a dialogue's fields cannot tell: a file edited by hand is refused when it is opened.

Each fault names its field as a path: `scenario.tasks[0].gold[0].arguments[1].accepted[0]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import msgspec

from callwright.errors import BadDocument, BadRecord
from callwright.records.dialogue import Dialogue, GoldCall, Result, Scenario, Task
from callwright.records.jsontext import JsonText, decode, refuse_long_numbers


def check_dialogue(dialogue: Dialogue, *, where: str) -> None:
    """Raise BadRecord, naming `where` and the field, for the first fault."""
    for field, said in _faults(dialogue):
        raise BadRecord(f"{where}: {field}: {said}")


def _faults(dialogue: Dialogue) -> Iterator[tuple[str, str]]:
    yield from _day(dialogue.today, "today")
    for nth, turn in enumerate(dialogue.turns):
        for at, step in enumerate(turn.steps):
            place = f"turns[{nth}].steps[{at}]"
            for one, call in enumerate(step.calls):
                yield from _json(call.arguments, f"{place}.calls[{one}].arguments")
            for one, result in enumerate(step.results):
                yield from _result(result, f"{place}.results[{one}]")
    yield from _asked(dialogue)
    yield from _tasks(dialogue.tasks, "tasks")
    yield from _json(dialogue.provenance.options, "provenance.options")
    if dialogue.scenario is not None:
        yield from _scenario(dialogue.scenario)
    yield from _values(dialogue.annotation, "annotation")
    noted = getattr(dialogue.annotation, "turns", dialogue.turns)  # of a corpus, one a turn
    if len(noted) != len(dialogue.turns):
        yield "annotation.turns", f"notes on {len(noted)} turns for {len(dialogue.turns)}. Restore those of each turn."


def _asked(dialogue: Dialogue) -> Iterator[tuple[str, str]]:
    before = -1
    for nth, task in enumerate(dialogue.tasks):
        if task.turn is None:
            continue
        place = f"tasks[{nth}].turn"
        if not 0 <= task.turn < len(dialogue.turns):
            yield place, f"{task.turn} is not the position of a turn. Turns are counted from 0."
        elif dialogue.role(dialogue.turns[task.turn]) != "user":
            yield place, f"turn {task.turn} is no user's. Give the position of the turn that asks for the task."
        elif task.turn <= before:
            yield place, f"turn {task.turn} is not after that of the task before. Put the tasks in order."
        before = task.turn


def _scenario(scenario: Scenario) -> Iterator[tuple[str, str]]:
    roles = {who.role for who in scenario.participants}
    if not roles.issuperset(("user", "assistant")):
        yield "scenario.participants", "a plan needs a user and an assistant. Restore them."
    if not scenario.tasks:
        yield "scenario.tasks", "a plan needs at least one task. Restore it."
    yield from _day(scenario.today, "scenario.today")
    yield from _tasks(scenario.tasks, "scenario.tasks")
    yield from _values(scenario.annotation, "scenario.annotation")


def _tasks(tasks: Sequence[Task], where: str) -> Iterator[tuple[str, str]]:
    for nth, task in enumerate(tasks):
        for at, gold in enumerate(task.gold):
            yield from _gold(gold, f"{where}[{nth}].gold[{at}]", others=len(task.gold))


def _gold(gold: GoldCall, where: str, *, others: int) -> Iterator[tuple[str, str]]:
    for nth, argument in enumerate(gold.arguments):
        for at, text in enumerate(argument.accepted):
            yield from _json(text, f"{where}.arguments[{nth}].accepted[{at}]")
    for nth, needed in enumerate(gold.after):
        if not 0 <= needed < others:
            yield f"{where}.after[{nth}]", f"{needed} is not the position of a gold call of its task."
    if gold.result is not None:
        yield from _result(gold.result, f"{where}.result")


def _result(result: Result, where: str) -> Iterator[tuple[str, str]]:
    yield from _json(result.value, f"{where}.value")


def _values(note: object, where: str) -> Iterator[tuple[str, str]]:
    """Check the JSON texts of an annotation, however deep they lie."""
    if isinstance(note, tuple):
        for nth, one in enumerate(note):
            yield from _values(one, f"{where}[{nth}]")
    elif isinstance(note, msgspec.Struct):
        for name in note.__struct_fields__:
            inner = getattr(note, name)
            is_json = "JsonText" in str(note.__annotations__.get(name))
            yield from _json(inner, f"{where}.{name}") if is_json else _values(inner, f"{where}.{name}")


def _json(text: JsonText | None, where: str) -> Iterator[tuple[str, str]]:
    try:
        if isinstance(text, str):
            decode(text)
            refuse_long_numbers(text, where=where)
    except BadDocument:
        said = 'is not JSON, or a number too long. A text stands in quotation marks of its own: "\\"Oslo\\"".'
        yield where, f"{text!r:.60} {said}"


def _day(text: str, where: str) -> Iterator[tuple[str, str]]:
    try:
        date.fromisoformat(text) if text else None
    except ValueError:
        yield where, f"{text!r:.60} is no date. Write it as 2026-11-23, or leave it empty."
