"""Extras of a `wild` session, off by default and not in the paper: minefields, tool failures, values that change."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from callwright.author.acts import Known
from callwright.author.wild_acts import Change, Wish
from callwright.catalog.asked import asked_gloss
from callwright.catalog.returns import CHANGES, CREATES, action_of
from callwright.catalog.slots import slots
from callwright.recipes.wild_calls import PlannedTask
from callwright.recipes.wild_chats import PlannedChat
from callwright.recipes.wild_desk import Desk
from callwright.recipes.wild_failures import fail
from callwright.records.jsontext import encode
from callwright.records.wild_plan import Mine, PlannedFailure, ValueChange

_CHANGED = frozenset(("city", "country", "date", "code", "title", "count", "money", "email", "person"))


class Extras(msgspec.Struct):
    """What was added to a session, for its record and for its words."""

    mines: tuple[Mine, ...] = ()
    failures: tuple[PlannedFailure, ...] = ()
    changes: tuple[ValueChange, ...] = ()
    taken_back: dict[int, Wish] = {}
    """By task: a wish said and withdrawn."""
    changed: dict[int, Change] = {}
    """By task: a value said wrongly at first."""
    no_other_tool: tuple[int, ...] = ()
    """Tasks in which a tool was to be gone for good, and no other of the list does the same."""


def add_extras(
    desk: Desk, tasks: Sequence[PlannedTask | PlannedChat], minefields: bool, failures: bool, changes: float
) -> Extras:
    """Return the extras that were asked for; failing calls are added to the tasks."""
    extras = Extras()
    for position, task in enumerate(tasks):
        if isinstance(task, PlannedChat):
            continue
        if failures:
            failure = fail(desk, tasks, position, holds=_holds(tasks, position))
            if isinstance(failure, PlannedFailure):
                extras.failures += (failure,)
            elif failure is not None:
                extras.no_other_tool += (failure,)
        if minefields:
            _mine(desk, extras, position, task)
        if changes and task.design.kind == "single" and task.again is None and desk.rng.random() < changes:
            _change(desk, extras, position, task)
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
