"""Extras of a `wild` session, off by default and not in the paper: minefields, tool failures, values that change."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from callwright.environment.returns import CHANGES, CREATES, action_of
from callwright.papers.wild.chat_tasks import PlannedChat
from callwright.papers.wild.gold_calls import PlannedTask
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.papers.wild.task_briefs import Change, Wish
from callwright.papers.wild.task_builder import Desk
from callwright.papers.wild.tool_failures import fail
from callwright.papers.wild.value_changes import PlannedChange, change
from callwright.records.annotations.wild_notes import Mine, PlannedFailure, ValueChange
from callwright.records.jsontext import encode


class Extras(msgspec.Struct):
    """What was added to a session, for its record and for its words."""

    mines: tuple[Mine, ...] = ()
    failures: tuple[PlannedFailure, ...] = ()
    changes: tuple[ValueChange, ...] = ()
    taken_back: dict[int, Wish] = {}
    """By task: a wish said and withdrawn."""
    changed: dict[int, Change] = {}
    """By task: a value said, and changed in the middle."""
    no_other_tool: tuple[int, ...] = ()
    """Tasks in which a tool was to be gone for good, and no other of the list does the same."""


def add_extras(
    desk: Desk, tasks: Sequence[PlannedTask | PlannedChat], minefields: bool, failures: bool, changes: float
) -> Extras:
    """Return the extras that were asked for; failing calls and their remedies are added to the tasks.

    A task has a failure or a change. Mines are laid last, around the calls that are right then.
    """
    extras = Extras()
    for position, task in enumerate(tasks):
        if isinstance(task, PlannedChat):
            continue
        if failures:
            _add_failure(extras, fail(desk, tasks, position, holds=_holds(tasks, position)))
        has_failed = any(failure.task == position for failure in extras.failures)
        if changes and not has_failed and desk.rng.random() < changes:
            _add_change(extras, change(desk, tasks, position))
    for position, task in enumerate(tasks):
        if minefields and isinstance(task, PlannedTask):
            _mine(desk, extras, position, task)
    return extras


def _add_failure(extras: Extras, failure: PlannedFailure | int | None) -> None:
    if isinstance(failure, PlannedFailure):
        extras.failures += (failure,)
    elif failure is not None:
        extras.no_other_tool += (failure,)


def _add_change(extras: Extras, planned: PlannedChange | None) -> None:
    if planned is not None:
        extras.changes += (planned.record,)
        extras.changed[planned.record.task] = planned.change


def _holds(tasks: Sequence[PlannedTask | PlannedChat], position: int) -> bool:
    """Whether a later task hides something in a result of this one."""
    places = (place for task in tasks for place in task.hidden)
    return any(place.origin.task == position and place.origin.call is not None for place in places)


def _mine(desk: Desk, extras: Extras, position: int, task: PlannedTask) -> None:
    gold = {call.place for call in task.calls}
    about = frozenset().union(*(asked_gloss(call.tool).object_stems for call in task.calls))
    for place, tool in enumerate(desk.bench.tools):
        alters = action_of(tool)[0] in CREATES | CHANGES
        shown = not any((place, one) in desk.bench.rivals for one in desk.used)
        if place not in gold and alters and shown and asked_gloss(tool).object_stems & about:
            extras.mines += (Mine(task=position, kind="look_alike", tool=desk.bench.names[place]),)
    if task.design.kind != "single" or task.again is not None or desk.rng.random() < 0.5:
        return
    for place in desk.order():
        call = desk.draw(place, optional=False)
        if call is not None and place not in gold and call.values:
            arguments = encode(call.values)
            extras.mines += (Mine(task=position, kind="taken_back", tool=call.name, arguments=arguments),)
            extras.taken_back[position] = call.wish()
            desk.used.add(place)
            return
