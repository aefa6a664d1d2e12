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
from callwright.papers.wild.task_builder import TaskBuilder
from callwright.records.tool import Tool

ASKED_FOR: frozenset[Kind] = frozenset(("code", "city", "country", "person", "title", "other", "url", "email", "phone"))
"""Kinds of values whose absence leaves a request open: days, languages and currencies may go without saying."""


def clarify(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a task of one call with a required value that has no source, hiding what the design says."""
    if not design.hiding:
        return _plain(builder, design)
    return _value_hidden(builder, design) or _wish_hidden(builder, design)


def _plain(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    return next((task for task in _lacking(builder, design) if builder.run(task.calls)), None)


def _value_hidden(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a task that lacks one value and hides another, if need be one that its tool could do without."""
    for task in _lacking(builder, design):
        if (builder.hide_value(task, task.calls, 0) or _more_hidden(builder, task)) and builder.run(task.calls):
            return task
    return None


def _more_hidden(builder: TaskBuilder, task: PlannedTask) -> bool:
    call = task.calls[0]
    for more in builder.optional_values(call):
        before = dict(call.values)
        call.values |= more
        if builder.hide_value(task, task.calls, 0):
            return True
        call.values = before
    return False


def _wish_hidden(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return an earlier wish for another thing, that is not named; after a chat about it, for one not named yet."""
    for source in builder.memory.source_tasks(design.hiding):
        topic = builder.memory.topics[source]
        place = builder.pool.tools.index(topic.tool) if topic else 0
        if topic is None or not builder.may_use(place):
            continue
        for _ in range(6):
            task = builder.repeated(design, 1, place, topic)
            names = _open_names(builder, task.calls[0]) if task else []
            if task is None or not names:
                continue
            name = builder.rng.choice(names)
            is_new = topic.values is None and not builder.memory.could_fill(topic.tool, name)
            _leave_out(task, name, is_new=is_new)
            if builder.run(task.calls):
                return task
    return None


def _open_names(builder: TaskBuilder, call: PlannedCall) -> list[str]:
    """Parameters that the wish does not take from earlier, and that could be asked for."""
    names = [name for name in call.values if name not in call.ways and _is_asked_for(call.tool, name)]
    return [name for name in names if not _is_known(builder, call, name)]


def _lacking(builder: TaskBuilder, design: TaskDesign) -> Iterator[PlannedTask]:
    """Yield tasks that lack a value: first those for which nothing like it is known, then those for another one."""
    for strict in (True, False):
        for place in builder.order():
            tool = builder.pool.tools[place]
            names = [name for name in tool.required if _is_asked_for(tool, name)]
            builder.rng.shuffle(names)
            for name in names:
                is_new = not builder.memory.could_fill(tool, name)
                call = builder.draw(place, optional=False) if is_new or not strict else None
                is_fit = is_new or not is_secret(name)  # nobody asks for "another password"
                if call is not None and is_fit and name in call.values and not _is_known(builder, call, name):
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


def _is_known(builder: TaskBuilder, call: PlannedCall, name: str) -> bool:
    """Whether the value was said or returned, by itself or, being more than a few letters, inside something longer."""
    value, facts = str(call.values[name]), [str(fact.known.value) for fact in builder.memory.facts]
    if len(value) < 5:
        return len(value) < 2 or value in facts  # a letter is anywhere
    return any(value in fact for fact in facts)
