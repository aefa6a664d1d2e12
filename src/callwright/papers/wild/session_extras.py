"""Extras of a session, not in the paper and off by default: forbidden calls, failing tools, values that change.

A value that the user says in the request changes before the call that needs it:

    clarify    the request lacks another value; the answer gives that one, and changes this one
    multi      after the first calls of a chain the user speaks up, and a later call has the new value

A tool that fails says whether to try again, to ask, or to use another tool:

    retry         the service was busy for a moment; the same call works the second time
    ask           the service is closed for some time; the user has to decide (only in a last task of one call)
    other_tool    the service is gone for good; another tool of the list does the same
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.environment.returns import action_of, identity_of
from callwright.lang.kinds import Kind
from callwright.lang.tokens import content_stems, stem_set
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS
from callwright.papers.wild.chat_tasks import PlannedChat
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask, levels
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import is_valid
from callwright.papers.wild.task_briefs import ChangedValue, Wish
from callwright.papers.wild.task_builder import TaskBuilder
from callwright.records.annotations.wild_notes import HiddenPlace, Mine, PlannedFailure, Remedy, ValueChange
from callwright.records.dialogue import Result
from callwright.records.jsontext import JsonText, encode
from callwright.records.tool import Tool

# -- tools that fail (an extra) --------------------------------------------------------------------------------------

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


Tasks = Sequence[PlannedTask | PlannedChat]

_CHANGED: Final[frozenset[Kind]] = frozenset(
    ("city", "country", "date", "time", "year", "code", "title", "count", "money", "email", "person", "currency",
     "language", "enum")
)  # fmt: skip
_ORDERED: Final[frozenset[Kind]] = frozenset(("date", "time", "year", "count", "money"))
"""Kinds that can be the two ends of a range: a call with two such values changes neither."""
_TRIES: Final = 4


class Extras(msgspec.Struct):
    """The extras of a session, for its record and for its words."""

    mines: tuple[Mine, ...] = ()
    failures: tuple[PlannedFailure, ...] = ()
    changes: tuple[ValueChange, ...] = ()
    taken_back: dict[int, Wish] = {}
    """By task: a wish that the request states and withdraws."""
    changed: dict[int, ChangedValue] = {}
    """By task: the words of its change."""
    no_other_tool: tuple[int, ...] = ()
    """Tasks in which a tool was to be gone for good, but no other tool of the list does the same."""


def add_extras(builder: TaskBuilder, tasks: Tasks, minefields: bool, failures: bool, changes: float) -> Extras:
    """Add the chosen extras to the tasks and return them; `changes`: share of the tasks in which a value changes.

    A task has a failure or a change. Mines come last, as they depend on the calls that are then right.
    """
    extras = Extras()
    for position, task in enumerate(tasks):
        if isinstance(task, PlannedChat):
            continue
        failure, lacks_tool = fail(builder, tasks, position) if failures else (None, False)
        extras.failures += (failure,) if failure is not None else ()
        extras.no_other_tool += (position,) if lacks_tool else ()
        if changes and failure is None and builder.rng.random() < changes:
            _change(builder, extras, tasks, task, position)
    for position, task in enumerate(tasks):
        if minefields and isinstance(task, PlannedTask):
            _mine(builder, extras, position, task)
    return extras


# -- forbidden calls -------------------------------------------------------------------------------------------------


def _mine(builder: TaskBuilder, extras: Extras, position: int, task: PlannedTask) -> None:
    """Forbid calls of similar tools that change things; half the time add a call that the user withdraws."""
    gold = {call.place for call in task.calls}
    about = frozenset().union(*(gloss(call.tool).object_stems for call in task.calls))
    for place, tool in enumerate(builder.pool.tools):
        alters = action_of(tool)[0] in CREATES | CHANGES
        if place not in gold and alters and builder.may_use(place) and gloss(tool).object_stems & about:
            extras.mines += (Mine(task=position, kind="look_alike", tool=builder.pool.names[place]),)
    if task.design.kind != "single" or task.again is not None or builder.rng.random() < 0.5:
        return
    for place in builder.order(TaskDesign("single")):
        call = builder.draw(place, optional=False)
        if call is not None and place not in gold and call.values:
            arguments = encode(call.values)
            extras.mines += (Mine(task=position, kind="taken_back", tool=call.name, arguments=arguments),)
            extras.taken_back[position] = call.wish()
            builder.used.add(place)
            return


# -- values that change ----------------------------------------------------------------------------------------------


def _change(builder: TaskBuilder, extras: Extras, tasks: Tasks, task: PlannedTask, position: int) -> None:
    """Change a value in the middle of a task, if it has one that no later task refers to."""
    if not task.missing and task.design.topology not in ("S", "S+P"):
        return
    earlier = [one for one in tasks[:position] if isinstance(one, PlannedTask) and (one.missing or one.is_interrupted)]
    asked = 2 * (position + len(earlier))
    for at, name in _changeable(task):
        call = task.calls[at]
        first = None if _is_meant_later(tasks, position, call, name) else _another(builder, tasks, call, name)
        if first is not None:
            slot, then = slots(call.tool)[name], encode(call.values[name])
            if not task.missing:
                _make_room(tasks, task, position, asked)
            change = ValueChange(task=position, call=at, parameter=name, first=first, then=then, turn=asked + 2)
            extras.changes += (change,)
            extras.changed[position] = ChangedValue(Known(slot, first), Known(slot, then))
            return


def _changeable(task: PlannedTask) -> Iterator[tuple[int, str]]:
    """Yield calls, by position, and parameters whose values the request says once.

    The call must wait for an answer or for another call, and be the only one of its tool.
    """
    tools = [call.place for call in task.calls]
    values = [encode(value) for call in task.calls for value in call.values.values()]
    for at, (call, level) in enumerate(zip(task.calls, levels(task.calls), strict=True)):
        if tools.count(call.place) > 1 or not (level or task.missing):
            continue
        kinds = [slots(call.tool)[name].kind for name in call.values]
        for (name, value), kind in zip(call.values.items(), kinds, strict=True):
            may_change = kind in _CHANGED and not (kind in _ORDERED and kinds.count(kind) > 1)
            is_once = sum(encode(value) in other for other in values) == 1  # also within lists
            if may_change and is_once and name in call.said:
                yield at, name


def _is_meant_later(tasks: Tasks, position: int, call: PlannedCall, name: str) -> bool:
    """Whether a later task refers to this value as the user said it, or to one of the same kind."""
    then, kind = encode(call.values[name]), slots(call.tool)[name].kind
    said = [(one, place) for one in tasks for place in one.hidden if place.origin.call is None]
    meant = [(one, place) for one, place in said if place.origin.task == position]
    return any(place.value == then or _kind(one, place) == kind for one, place in meant)


def _kind(task: PlannedTask | PlannedChat, place: HiddenPlace) -> Kind | None:
    """The kind of the hidden value; None for a hidden wish."""
    if isinstance(task, PlannedChat):
        return None
    return slots(task.calls[place.call or 0].tool)[place.parameter].kind if place.parameter else None


def _another(builder: TaskBuilder, tasks: Tasks, call: PlannedCall, name: str) -> JsonText | None:
    """A valid value that the user says at first, and that no call of the session has."""
    calls = [one for task in tasks if isinstance(task, PlannedTask) for one in task.calls]
    known = {str(value) for one in calls for value in one.values.values()}
    for _ in range(_TRIES):
        other = builder.draw(call.place)
        value = other.values.get(name) if other is not None else None
        if value is not None and str(value) not in known and is_valid(call.tool, {**call.values, name: value}):
            return encode(value)
    return None


def _make_room(tasks: Tasks, task: PlannedTask, position: int, asked: int) -> None:
    """Add two turns to the places in later calls of the task and in all later tasks: the user speaks up."""
    task.is_interrupted = True
    level = levels(task.calls)

    def moved(place: HiddenPlace) -> HiddenPlace:
        is_late = place.origin.task == position and place.origin.call is not None and level[place.origin.call] > 0
        if place.origin.turn is None or not (is_late or place.origin.turn > asked + 1):
            return place
        origin = msgspec.structs.replace(place.origin, turn=place.origin.turn + 2)
        return msgspec.structs.replace(place, origin=origin)

    for one in tasks:
        one.hidden = [moved(place) for place in one.hidden]
