"""Tasks of one call: `single`, and `clarify`, which lacks a value that nothing earlier has (sections 3.1 and 3.4).

A later `clarify` task also hides something that an earlier turn does have:

    another value of the call    "And book a room there.": the city was said earlier, the guest was not
    the wish itself              "The same for another city, please."
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from callwright.catalog.slots import slots
from callwright.lang.kinds import Kind
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import is_secret
from callwright.papers.wild.task_builder import TaskBuilder
from callwright.records.tool import Tool

_REPEAT_SHARE = 0.25
ASKED_FOR: frozenset[Kind] = frozenset(("code", "city", "country", "person", "title", "other", "url", "email", "phone"))
"""Kinds of values that an assistant must ask for; it may assume days, languages and currencies."""


def single(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a task of one call that hides what the design says."""
    if design.hiding and builder.rng.random() < _REPEAT_SHARE and (task := builder.same_again(design, 1)):
        return task
    for place in builder.order(chain_follows=design.chain_follows):
        call = builder.draw(place, optional=not design.hiding)
        task = PlannedTask(design, [] if call is None else [call])
        if call is None or (design.hiding and not builder.hide_value(task, task.calls, 0)):
            continue
        if builder.run(task.calls):
            return task
    return builder.same_again(design, 1) if design.hiding else None


def clarify(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a task of one call that lacks a required value, and hides what the design says."""
    for task in _lacking(builder, design):
        hides = builder.hide_value(task, task.calls, 0) or _hide_optional(builder, task) if design.hiding else True
        if hides and builder.run(task.calls):
            return task
    return _lacking_repeat(builder, design) if design.hiding else None


def _hide_optional(builder: TaskBuilder, task: PlannedTask) -> bool:
    """Add an optional value to the call and hide it; False if no earlier value fits."""
    call = task.calls[0]
    for name, value in builder.optional_values(call):
        before = dict(call.values)
        call.values[name] = value
        if builder.hide_value(task, task.calls, 0):
            return True
        call.values = before
    return False


def _lacking_repeat(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return an earlier wish for another thing that the user does not name."""
    for task in builder.repeats(design, 1):
        call = task.calls[0]
        names = [name for name in call.values if name not in call.ways and is_asked_for(call.tool, name)]
        names = [name for name in names if not _is_known(builder, call, name)]
        if names:
            name = builder.rng.choice(names)
            _leave_out(task, name, is_new=False)
            if builder.run(task.calls):
                return task
    return None


def _lacking(builder: TaskBuilder, design: TaskDesign) -> Iterator[PlannedTask]:
    """Yield tasks that lack a value: first values that no fact could fill, then another value than the known one."""
    for is_strict in (True, False):
        for place in builder.order(chain_follows=design.chain_follows):
            tool = builder.pool.tools[place]
            names = [name for name in tool.required if is_asked_for(tool, name)]
            builder.rng.shuffle(names)
            for name in names:
                is_new = not builder.memory.could_fill(tool, name)
                call = builder.draw(place, optional=False) if is_new or not is_strict else None
                is_fit = is_new or not is_secret(name)  # nobody asks for "another password"
                if call is not None and is_fit and name in call.values and not _is_known(builder, call, name):
                    task = PlannedTask(design, [call])
                    _leave_out(task, name, is_new=is_new)
                    yield task


def _leave_out(task: PlannedTask, name: str, *, is_new: bool) -> None:
    call = task.calls[0]
    call.ways[name] = "missing"
    task.missing = (name,)
    task.another = "" if is_new else call.entity(name)


def is_asked_for(tool: Tool, name: str) -> bool:
    """Whether an assistant must ask for a parameter that the user does not give."""
    slot = slots(tool)[name]
    return name in tool.required and slot.kind in ASKED_FOR and "default" not in slot.description.lower()


def _is_known(builder: TaskBuilder, call: PlannedCall, name: str) -> bool:
    """Whether an earlier task says or returns the value, or something that contains it."""
    value = str(call.values[name]).casefold()
    pattern = re.escape(value) if len(value) > 4 else rf"\b{re.escape(value)}\b"
    return len(value) < 2 or any(re.search(pattern, text) for text in builder.memory.texts)
