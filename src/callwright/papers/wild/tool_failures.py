"""Tools that fail; the error says whether to try again, to ask, or to use another tool (an extra, not in the paper).

retry         the service was busy for a moment; the same call works the second time
ask           the service is closed for some time; the user has to decide (only in a last task of one call)
other_tool    the service is gone for good; another tool of the list does the same
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

import msgspec

from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.environment.returns import action_of, identity_of
from callwright.lang.tokens import content_stems, stem_set
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS
from callwright.papers.wild.chat_tasks import PlannedChat
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask
from callwright.papers.wild.session_memory import is_valid
from callwright.papers.wild.task_builder import TaskBuilder
from callwright.records.annotations.wild_notes import PlannedFailure, Remedy
from callwright.records.dialogue import Result
from callwright.records.tool import Tool

_T = TypeVar("_T")

SHARE: Final = 0.4
"""Share of the tasks of calls in which something may fail."""

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
"""The texts of errors, by the right reaction."""


def fail(
    builder: TaskBuilder, tasks: Sequence[PlannedTask | PlannedChat], position: int
) -> tuple[PlannedFailure | None, bool]:
    """Let a call of a task fail now and then, and add the call that replaces it.

    Returns the failure, and whether a tool was to be gone for good but no other tool does the same. Nothing fails in
    a task whose results a later task refers to.
    """
    task = tasks[position]
    later = [place for one in tasks for place in one.hidden if place.origin.task == position]
    if isinstance(task, PlannedChat) or any(place.origin.call is not None for place in later):
        return None, False
    is_repeated = any(not place.parameter for place in later)
    found = None if task.missing or is_repeated else _replacement(builder, tasks, task)
    if found is not None:
        return _use_other_tool(builder, task, position, found), False
    if builder.rng.random() >= SHARE:
        return None, False
    is_last = position == len(tasks) - 1 and len(task.calls) == 1
    remedy = builder.rng.choice(("retry", "ask", "other_tool") if is_last else ("retry", "other_tool"))
    if remedy == "other_tool":
        return None, True
    if remedy == "retry":
        return _retry(builder, task, position), False
    error = builder.rng.choice(ERRORS["ask"])
    task.calls[0].result = Result(error=error)
    return PlannedFailure(task=position, call=0, error=error, remedy="ask"), False


class _Replacement(NamedTuple):
    call: int
    """Position of the call that fails."""
    place: int
    """Place of the tool that does the same."""
    parameters: dict[str, str]
    """Parameter of that tool for each parameter of the call."""


def _replacement(
    builder: TaskBuilder, tasks: Sequence[PlannedTask | PlannedChat], task: PlannedTask
) -> _Replacement | None:
    """Return a call that no other needs, of a tool called once in the session, and a tool that does the same."""
    called = [call.place for one in tasks if isinstance(one, PlannedTask) for call in one.calls]
    needed = {parent for call in task.calls for parent in call.after}
    for position, call in enumerate(task.calls):
        if position in needed or called.count(call.place) > 1:
            continue
        others = builder.used - {call.place}
        for place, tool in enumerate(builder.pool.tools):
            if place in builder.used or any((place, one) in builder.pool.rivals for one in others):
                continue
            parameters = stand_in(call.tool, tool, call.values)
            if parameters is not None and is_valid(tool, _renamed(call.values, parameters)):
                return _Replacement(position, place, parameters)
    return None


def _use_other_tool(
    builder: TaskBuilder, task: PlannedTask, position: int, found: _Replacement
) -> PlannedFailure | None:
    failing, tool = task.calls[found.call], builder.pool.tools[found.place]
    other = PlannedCall(
        found.place,
        tool,
        builder.pool.names[found.place],
        _renamed(failing.values, found.parameters),
        (*failing.after, found.call),
        _renamed(failing.ways, found.parameters),
        _renamed(failing.references, found.parameters),
    )
    if builder.look_up(other).result.value is None:
        return None
    builder.used.add(found.place)
    return _replace(builder, task, position, found.call, other, found.parameters)


def _renamed(by_name: Mapping[str, _T], names: Mapping[str, str]) -> dict[str, _T]:
    return {names[name]: one for name, one in by_name.items()}


def _retry(builder: TaskBuilder, task: PlannedTask, position: int) -> PlannedFailure:
    """Let the first call fail and be made again; calls that need it then need the second one."""
    again = msgspec.structs.replace(task.calls[0], after=(0,))
    for call in task.calls[1:]:
        call.after = tuple(dict.fromkeys(len(task.calls) if parent == 0 else parent for parent in call.after))
    return _replace(builder, task, position, 0, again)


def _replace(
    builder: TaskBuilder,
    task: PlannedTask,
    position: int,
    failing: int,
    other: PlannedCall,
    names: Mapping[str, str] | None = None,
) -> PlannedFailure:
    """Let a call fail and another one replace it; what is hidden in the first is hidden in the other too.

    `names`: for a call of another tool, its parameter for each parameter of the first call.
    """
    remedy: Remedy = "retry" if names is None else "other_tool"
    error = builder.rng.choice(ERRORS[remedy])
    done_by = len(task.calls)
    task.calls[failing].result = Result(error=error)
    task.calls.append(other)
    task.hidden += [
        msgspec.structs.replace(place, call=done_by, parameter=(names or {}).get(place.parameter, place.parameter))
        for place in task.hidden
        if place.call == failing
    ]
    return PlannedFailure(task=position, call=failing, error=error, remedy=remedy, done_by=done_by)


_QUALIFIERS = stem_set(
    "get detail info information data list result specific current real time latest english geographical global "
    "globally worldwide condition market"
)
"""Words that can be dropped from an object without changing its meaning for the user."""


def stand_in(tool: Tool, other: Tool, given: Iterable[str]) -> dict[str, str] | None:
    """Return the parameter of `other` for each `given` parameter of `tool`; None if it cannot replace `tool`.

    It can if both have the same action and object, and `other` requires no further parameter.
    """
    if not _does_the_same(tool, other):
        return None
    taken: dict[str, str] = {}
    for name in given:
        free = [one for one in other.properties if one not in taken.values()]
        twin = next((one for one in free if _is_twin(tool, name, other, one)), None)
        if twin is None:
            return None
        taken[name] = twin
    return taken if set(other.required) <= set(taken.values()) else None


def _does_the_same(tool: Tool, other: Tool) -> bool:
    thing, theirs = (frozenset(content_stems(gloss(one).object)) - _QUALIFIERS for one in (tool, other))
    verbs = [gloss(one).act for one in (tool, other)]
    looks = LOOKUPS.issuperset(verbs) and (CREATES | CHANGES).isdisjoint(action_of(one)[0] for one in (tool, other))
    return bool(thing) and thing == theirs and (looks or verbs[0] == verbs[1])


def _is_twin(tool: Tool, name: str, other: Tool, theirs: str) -> bool:
    same = name == theirs or identity_of(tool, name) == identity_of(other, theirs)
    return same and slots(tool)[name].kind == slots(other)[theirs].kind
