"""Tools that fail in a `wild` session: the error says whether to try again, to ask, or to use another tool.

    retry         the service was busy for a moment; the same call again does it
    ask           the service is closed for some time; the user says how to go on (only where nothing is to follow)
    other_tool    the service is gone for good; another tool of the list does the same, with what the user said
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from callwright.papers.wild.chat_tasks import PlannedChat
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask
from callwright.papers.wild.session_memory import is_valid
from callwright.papers.wild.stand_ins import stand_in
from callwright.papers.wild.task_builder import Desk
from callwright.records.annotations.wild_notes import PlannedFailure, Remedy
from callwright.records.dialogue import Result

_T = TypeVar("_T")

SHARE: Final = 0.4
"""Of the tasks in which something may fail."""

ERRORS: Final[Mapping[Remedy, tuple[str, ...]]] = {
    "retry": (
        "the service timed out, please try again",
        "the service was busy for a moment, please send the request again",
        "the connection was lost, please try again",
    ),
    "ask": (
        "the service is closed for maintenance until tomorrow",
        "the service is switched off until the end of the week",
        "the quota of this account is used up until next month",
    ),
    "other_tool": (
        "this service was shut down for good and will not come back",
        "this service is no longer offered",
        "this service does not serve this region and never will",
    ),
}
"""What a tool says that fails, by what is right then."""


class _StandIn(msgspec.Struct, frozen=True):
    call: int
    place: int
    """Of the tool that does the same, in the list."""
    parameters: dict[str, str]


def fail(
    desk: Desk, tasks: Sequence[PlannedTask | PlannedChat], position: int, *, holds: bool
) -> PlannedFailure | int | None:
    """Let a call of a task fail now and then, and add the call that makes up for it.

    Returns the position of the task where a tool was to be gone for good and none of the list does the same. `holds`:
    whether a later task hides something in a result of this one; then nothing fails.
    """
    task = tasks[position]
    if holds or isinstance(task, PlannedChat):
        return None
    places = (place for one in tasks for place in one.hidden)
    is_meant = any(place.origin.task == position and not place.parameter for place in places)
    found = None if is_meant else _stand_in(desk, tasks, task)
    if found is not None:
        return _replace(desk, task, position, found)
    if desk.rng.random() >= SHARE:
        return None
    is_last = position == len(tasks) - 1 and len(task.calls) == 1
    remedy = desk.rng.choice(("retry", "ask", "other_tool") if is_last else ("retry", "other_tool"))
    if remedy == "other_tool":
        return position
    return _give_up(desk, task, position) if remedy == "ask" else _retry(desk, task, position)


def _stand_in(desk: Desk, tasks: Sequence[PlannedTask | PlannedChat], task: PlannedTask) -> _StandIn | None:
    """A call that no other needs, of a tool that the session needs once, and a tool that does the same."""
    called = [call.place for one in tasks if isinstance(one, PlannedTask) for call in one.calls]
    if task.missing:  # a clarify task is of one call
        return None
    needed = {parent for call in task.calls for parent in call.after}
    for position, call in enumerate(task.calls):
        if position in needed or called.count(call.place) > 1:
            continue
        for place, tool in enumerate(desk.bench.tools):
            others = {*called, *desk.used} - {call.place}
            if place in others or place == call.place or any((place, one) in desk.bench.rivals for one in others):
                continue
            parameters = stand_in(call.tool, tool, call.values)
            if parameters is not None and is_valid(tool, _renamed(call.values, parameters)):
                return _StandIn(position, place, parameters)
    return None


def _replace(desk: Desk, task: PlannedTask, position: int, found: _StandIn) -> PlannedFailure | None:
    failing, tool = task.calls[found.call], desk.bench.tools[found.place]
    other = PlannedCall(
        found.place,
        tool,
        desk.bench.names[found.place],
        _renamed(failing.values, found.parameters),
        (*failing.after, found.call),
        _renamed(failing.ways, found.parameters),
        _renamed(failing.references, found.parameters),
    )
    other.result = desk.world.call(tool, other.values)
    if other.result.value is None:
        return None
    desk.used.add(found.place)
    names = {"": "", **found.parameters}
    return _make_up(desk, task, position, found.call, other, "other_tool", names)


def _renamed(by_name: Mapping[str, _T], names: Mapping[str, str]) -> dict[str, _T]:
    return {names[name]: one for name, one in by_name.items()}


def _retry(desk: Desk, task: PlannedTask, position: int) -> PlannedFailure:
    """The first call fails and is made again; what needs it needs the second."""
    first = task.calls[0]
    again = PlannedCall(first.place, first.tool, first.name, dict(first.values), (0,), dict(first.ways))
    again.references = dict(first.references)
    again.result = first.result
    for call in task.calls[1:]:
        call.after = tuple(dict.fromkeys(len(task.calls) if parent == 0 else parent for parent in call.after))
    return _make_up(desk, task, position, 0, again, "retry", None)


def _make_up(
    desk: Desk,
    task: PlannedTask,
    position: int,
    failing: int,
    other: PlannedCall,
    remedy: Remedy,
    names: Mapping[str, str] | None,
) -> PlannedFailure:
    """Let a call fail and another make up for it; what was hidden in the one is hidden in the other."""
    error = desk.rng.choice(ERRORS[remedy])
    done_by = len(task.calls)
    task.calls[failing].result = Result(error=error)
    task.calls.append(other)
    task.hidden += [
        msgspec.structs.replace(place, call=done_by, parameter=names[place.parameter] if names else place.parameter)
        for place in task.hidden
        if place.call == failing
    ]
    return PlannedFailure(task=position, call=failing, error=error, remedy=remedy, done_by=done_by)


def _give_up(desk: Desk, task: PlannedTask, position: int) -> PlannedFailure:
    error = desk.rng.choice(ERRORS["ask"])
    task.calls[0].result = Result(error=error)
    return PlannedFailure(task=position, call=0, error=error, remedy="ask")
