"""Extras of a `wild` session, off by default and not in the paper: minefields, tool failures, values that change."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from callwright.author.acts import Known
from callwright.author.wild_acts import Change, Wish
from callwright.catalog.asked import asked_gloss
from callwright.catalog.returns import CHANGES, CREATES, action_of
from callwright.catalog.slots import slots
from callwright.recipes.wild_calls import PlannedCall, PlannedTask
from callwright.recipes.wild_chats import PlannedChat
from callwright.recipes.wild_desk import Desk
from callwright.records.dialogue import Result
from callwright.records.jsontext import encode
from callwright.records.wild_plan import Mine, PlannedFailure, ValueChange

_CHANGED = frozenset(("city", "country", "date", "code", "title", "count", "money", "email", "person"))
_ERRORS = ("the service timed out", "the service is busy at the moment", "the connection was lost")


class Extras(msgspec.Struct):
    """What was added to a session, for its record and for its words."""

    mines: tuple[Mine, ...] = ()
    failures: tuple[PlannedFailure, ...] = ()
    changes: tuple[ValueChange, ...] = ()
    taken_back: dict[int, Wish] = {}
    """By task: a wish said and withdrawn."""
    changed: dict[int, Change] = {}
    """By task: a value said wrongly at first."""
    given_up: frozenset[int] = frozenset()
    """Tasks that end with the question how to go on."""


def add_extras(
    desk: Desk, tasks: Sequence[PlannedTask | PlannedChat], minefields: bool, failures: bool, changes: float
) -> Extras:
    """Return the extras that were asked for; failing calls are added to the tasks."""
    extras = Extras()
    for position, task in enumerate(tasks):
        if isinstance(task, PlannedChat):
            continue
        if minefields:
            _mine(desk, extras, position, task)
        if changes and task.design.kind == "single" and task.again is None and desk.rng.random() < changes:
            _change(desk, extras, position, task)
        if failures and not _holds(tasks, position) and desk.rng.random() < 0.4:
            _fail(desk, extras, position, task, last=position == len(tasks) - 1)
    return extras


def _holds(tasks: Sequence[PlannedTask | PlannedChat], position: int) -> bool:
    """Whether a later task hides something in a result of this one."""
    places = (place for task in tasks for place in task.hidden)
    return any(place.from_task == position and place.from_call is not None for place in places)


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


def _change(desk: Desk, extras: Extras, position: int, task: PlannedTask) -> None:
    call = task.calls[0]
    other = desk.draw(call.place, optional=False)
    names = [n for n in call.values if call.ways.get(n, "said") == "said" and slots(call.tool)[n].kind in _CHANGED]
    for name in names:
        if other is not None and name in other.values and other.values[name] != call.values[name]:
            slot = slots(call.tool)[name]
            first, then = encode(other.values[name]), encode(call.values[name])
            extras.changed[position] = Change(Known(slot, first), Known(slot, then))
            extras.changes += (ValueChange(task=position, call=0, parameter=name, first=first, then=then),)
            return


def _fail(desk: Desk, extras: Extras, position: int, task: PlannedTask, *, last: bool) -> None:
    """Let the first call of a task fail; it is tried again, or, in a last task of one call, given up."""
    error = desk.rng.choice(_ERRORS)
    first = task.calls[0]
    if last and len(task.calls) == 1 and desk.rng.random() < 0.4:
        first.result = Result(error=error)
        extras.failures += (PlannedFailure(task=position, call=0, error=error, remedy="ask"),)
        extras.given_up |= {position}
        return
    again = PlannedCall(first.place, first.tool, first.name, dict(first.values), (0,), dict(first.ways))
    again.references = dict(first.references)
    again.result = first.result
    first.result = Result(error=error)
    for call in task.calls[1:]:
        call.after = tuple(dict.fromkeys(len(task.calls) if parent == 0 else parent for parent in call.after))
    task.calls.append(again)
    done_by = len(task.calls) - 1
    task.hidden += [msgspec.structs.replace(place, call=done_by) for place in task.hidden if place.call == 0]
    extras.failures += (PlannedFailure(task=position, call=0, error=error, remedy="retry", done_by=done_by),)
