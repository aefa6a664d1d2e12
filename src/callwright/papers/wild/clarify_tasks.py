"""Tasks that lack a value: nothing said or returned so far could fill it. A later one also hides what does lie earlier.

    another value of the call     "And book a room there.": the city stands earlier, the guest nowhere
    the wish itself               "The same for another city, please."
"""

from __future__ import annotations

from collections.abc import Iterator

from callwright.catalog.slots import slots
from callwright.lang.kinds import Kind
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask, reference_noun
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import is_secret
from callwright.papers.wild.task_builder import Desk
from callwright.records.tool import Tool

ASKED_FOR: frozenset[Kind] = frozenset(("code", "city", "country", "person", "title", "other", "url", "email", "phone"))
"""Kinds of values whose absence leaves a request open: days, languages and currencies may go without saying."""


def clarify(desk: Desk, design: TaskDesign) -> PlannedTask | None:
    """Return a task of one call with a required value that has no source, hiding what the design says."""
    if not design.hiding:
        return _plain(desk, design)
    return _value_hidden(desk, design) or _wish_hidden(desk, design)


def _plain(desk: Desk, design: TaskDesign) -> PlannedTask | None:
    return next((task for task in _lacking(desk, design) if desk.run(task.calls)), None)


def _value_hidden(desk: Desk, design: TaskDesign) -> PlannedTask | None:
    """Return a task that lacks one value and hides another, if need be one that its tool could do without."""
    for task in _lacking(desk, design):
        if (desk.hide_value(task, task.calls, 0) or _more_hidden(desk, task)) and desk.run(task.calls):
            return task
    return None


def _more_hidden(desk: Desk, task: PlannedTask) -> bool:
    call = task.calls[0]
    for more in desk.optional_values(call):
        before = dict(call.values)
        call.values |= more
        if desk.hide_value(task, task.calls, 0):
            return True
        call.values = before
    return False


def _wish_hidden(desk: Desk, design: TaskDesign) -> PlannedTask | None:
    """Return an earlier wish for another thing, that is not named; after a chat about it, for one not named yet."""
    for source in desk.past.source_tasks(design.hiding):
        topic = desk.past.topics[source]
        place = desk.bench.tools.index(topic.tool) if topic else 0
        if topic is None or not desk.may_use(place):
            continue
        for _ in range(6):
            task = desk.repeated(design, 1, place, topic)
            names = _open_names(desk, task.calls[0]) if task else []
            if task is None or not names:
                continue
            name = desk.rng.choice(names)
            is_new = topic.values is None and not desk.past.could_fill(topic.tool, name)
            _leave_out(task, name, is_new=is_new)
            if desk.run(task.calls):
                return task
    return None


def _open_names(desk: Desk, call: PlannedCall) -> list[str]:
    """Parameters that the wish does not take from earlier, and that could be asked for."""
    names = [name for name in call.values if name not in call.ways and _is_asked_for(call.tool, name)]
    return [name for name in names if not _is_known(desk, call, name)]


def _lacking(desk: Desk, design: TaskDesign) -> Iterator[PlannedTask]:
    """Yield tasks that lack a value: first those for which nothing like it is known, then those for another one."""
    for strict in (True, False):
        for place in desk.order():
            tool = desk.bench.tools[place]
            names = [name for name in tool.required if _is_asked_for(tool, name)]
            desk.rng.shuffle(names)
            for name in names:
                is_new = not desk.past.could_fill(tool, name)
                call = desk.draw(place, optional=False) if is_new or not strict else None
                is_fit = is_new or not is_secret(name)  # nobody asks for "another password"
                if call is not None and is_fit and name in call.values and not _is_known(desk, call, name):
                    task = PlannedTask(design, [call])
                    _leave_out(task, name, is_new=is_new)
                    yield task


def _leave_out(task: PlannedTask, name: str, *, is_new: bool) -> None:
    call = task.calls[0]
    call.ways[name] = "missing"
    task.missing = (name,)
    task.another = "" if is_new else reference_noun(call, name)


def _is_asked_for(tool: Tool, name: str) -> bool:
    slot = slots(tool)[name]
    return name in tool.required and slot.kind in ASKED_FOR and "default" not in slot.description.lower()


def _is_known(desk: Desk, call: PlannedCall, name: str) -> bool:
    """Whether the value was said or returned, by itself or, being more than a few letters, inside something longer."""
    value, facts = str(call.values[name]), [str(fact.known.value) for fact in desk.past.facts]
    if len(value) < 5:
        return len(value) < 2 or value in facts  # a letter is anywhere
    return any(value in fact for fact in facts)
