"""Values that change in the middle of a `wild` task: said in the request, changed before the call that needs them.

    clarify    the request lacks a value; the answer gives it, and changes another one
    multi      the assistant has made the first calls of a chain; the user speaks up, and a later call has the new value
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.slots import slots
from callwright.lang.kinds import Kind
from callwright.match.call_graph import call_graph
from callwright.papers.wild.chat_tasks import PlannedChat
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask
from callwright.papers.wild.session_memory import is_valid
from callwright.papers.wild.task_briefs import Change
from callwright.papers.wild.task_builder import Desk
from callwright.records.annotations.wild_notes import HiddenPlace, ValueChange
from callwright.records.jsontext import JsonText, encode

Tasks = Sequence[PlannedTask | PlannedChat]

_CHANGED: Final[frozenset[Kind]] = frozenset(
    ("city", "country", "date", "time", "year", "code", "title", "count", "money", "email", "person", "currency",
     "language", "enum")
)  # fmt: skip
_ORDERED: Final[frozenset[Kind]] = frozenset(("date", "time", "year", "count", "money"))
"""Kinds of which one call may have a beginning and an end, or a least and a most: then none is changed alone."""
_TRIES: Final = 4


class PlannedChange(msgspec.Struct, frozen=True):
    """A change, for its record and for its words."""

    record: ValueChange
    change: Change


def change(desk: Desk, tasks: Tasks, position: int) -> PlannedChange | None:
    """Return a change of a value in the middle of a task; None where it has no such value, or a later task means it.

    Where the user speaks up between calls, all that comes later in the session is two turns further on.
    """
    task = tasks[position]
    if isinstance(task, PlannedChat) or not (task.missing or task.design.topology in ("S", "S+P")):
        return None
    asked = sum(map(_turns, tasks[:position]))
    for at, name in _changeable(task):
        call = task.calls[at]
        first = None if _is_meant_later(tasks, position, call, name) else _another(desk, tasks, call, name)
        if first is not None:
            slot, then = slots(call.tool)[name], encode(call.values[name])
            if not task.missing:
                _make_room(tasks, task, position, asked)
            record = ValueChange(task=position, call=at, parameter=name, first=first, then=then, turn=asked + 2)
            return PlannedChange(record, Change(Known(slot, first), Known(slot, then)))
    return None


def levels(calls: Sequence[PlannedCall]) -> Sequence[int]:
    """Return for each call the first step, from 0, in which all it needs is done."""
    return call_graph(len(calls), [(parent, at) for at, call in enumerate(calls) for parent in call.after]).level


def _turns(task: PlannedTask | PlannedChat) -> int:
    return 4 if isinstance(task, PlannedTask) and (task.missing or task.is_interrupted) else 2


def _changeable(task: PlannedTask) -> Iterator[tuple[int, str]]:
    """Values that the request says once, of calls that cannot be made at once, each of a tool called once."""
    tools = [call.place for call in task.calls]
    values = [encode(value) for call in task.calls for value in call.values.values()]
    for at, (call, level) in enumerate(zip(task.calls, levels(task.calls), strict=True)):
        if tools.count(call.place) > 1 or not (level or task.missing):
            continue
        kinds = [slots(call.tool)[name].kind for name in call.values]
        for (name, value), kind in zip(call.values.items(), kinds, strict=True):
            may_change = kind in _CHANGED and not (kind in _ORDERED and kinds.count(kind) > 1)
            is_once = sum(encode(value) in other for other in values) == 1  # also within lists
            if may_change and is_once and call.ways.get(name, "said") == "said":
                yield at, name


def _is_meant_later(tasks: Tasks, position: int, call: PlannedCall, name: str) -> bool:
    """Whether a later task leaves out this value, or one that it could be taken for, as what this task's words said."""
    then, kind = encode(call.values[name]), slots(call.tool)[name].kind
    return any(
        place.origin.task == position
        and place.origin.call is None
        and (place.value == then or _kind(one, place) == kind)
        for one in tasks
        for place in one.hidden
    )


def _kind(task: PlannedTask | PlannedChat, place: HiddenPlace) -> Kind | None:
    """What sort of value is hidden there; None where it is a wish."""
    if isinstance(task, PlannedChat):
        return None if task.recalled is None else task.recalled.known.slot.kind
    return slots(task.calls[place.call or 0].tool)[place.parameter].kind if place.parameter else None


def _another(desk: Desk, tasks: Tasks, call: PlannedCall, name: str) -> JsonText | None:
    """A value to say at first: valid, and none that the session has otherwise."""
    known = {str(value) for task in tasks if isinstance(task, PlannedTask) for value in _values(task)}
    for _ in range(_TRIES):
        other = desk.draw(call.place)
        value = other.values.get(name) if other is not None else None
        if value is not None and str(value) not in known and is_valid(call.tool, {**call.values, name: value}):
            return encode(value)
    return None


def _values(task: PlannedTask) -> list[object]:
    return [value for call in task.calls for value in call.values.values()]


def _make_room(tasks: Tasks, task: PlannedTask, position: int, asked: int) -> None:
    """Move what later tasks take from this one's later calls, and from all that follows it, by two turns."""
    task.is_interrupted = True
    level = levels(task.calls)

    def moved(place: HiddenPlace) -> HiddenPlace:
        origin = place.origin
        is_late = origin.task == position and origin.call is not None and level[origin.call] > 0
        if origin.turn is None or not (is_late or origin.turn > asked + 1):
            return place
        return msgspec.structs.replace(place, origin=msgspec.structs.replace(origin, turn=origin.turn + 2))

    for one in tasks:
        if isinstance(one, PlannedTask):
            one.hidden = [moved(place) for place in one.hidden]
        else:
            one.hidden = tuple(moved(place) for place in one.hidden)
