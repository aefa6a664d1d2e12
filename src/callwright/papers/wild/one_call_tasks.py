"""Tasks of one call: `single`, and `clarify`, which lacks a value that nothing earlier has (sections 3.1 and 3.4).

A later `clarify` task also hides something that an earlier turn does have:

    another value of the call    "Add a comment to that invoice.": the invoice was said earlier, the comment was not
    the wish itself              "The same for another invoice, please."
"""

from __future__ import annotations

from collections.abc import Iterator

from callwright.catalog.slots import slots
from callwright.environment.tool_target import target_of
from callwright.lang.english import is_countable
from callwright.lang.kinds import Kind
from callwright.lang.spotting import has_word
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask, wished
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.task_briefs import entity_of
from callwright.papers.wild.task_builder import TaskBuilder, is_identifying, varied
from callwright.records.tool import Tool

_REPEAT_SHARE = 0.2
ASKED_FOR: frozenset[Kind] = frozenset(
    ("code", "city", "country", "person", "title", "other", "text", "url", "email", "phone")
)
"""Kinds of values that an assistant must ask for; it may assume days, languages and currencies."""
_THINGS: frozenset[Kind] = frozenset(("code", "city", "country", "person"))
"""Kinds of what a wish can be repeated for: "the same for another city"."""


def single(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a task of one call that hides what the design says."""
    if design.hiding and builder.rng.random() < _REPEAT_SHARE and (task := builder.same_again(design, 1)):
        return task
    for place in builder.order(design):
        call = builder.draw_listed(place, optional=not design.hiding)
        task = PlannedTask(design, [] if call is None else [call])
        if call is None or (design.hiding and not builder.hide_value(task, task.calls, 0)):
            continue
        if builder.run(task.calls):
            return task
    return builder.same_again(design, 1) if design.hiding else None


def clarify(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a task of one call that lacks a required value, and hides what the design says."""
    if design.hiding and builder.rng.random() < _REPEAT_SHARE and (task := _lacking_repeat(builder, design)):
        return task
    for task in _lacking(builder, design):
        if (not design.hiding or builder.hide_value(task, task.calls, 0)) and builder.run(task.calls):
            return task
    return _lacking_repeat(builder, design) if design.hiding else None


def _lacking_repeat(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return an earlier wish for another thing that the user does not name."""
    for task in builder.repeats(design, 1):
        call = task.calls[0]
        name = varied(call.tool, call.values)
        is_thing = slots(call.tool)[name].kind in _THINGS
        if is_thing and is_asked_for(call.tool, name) and not _is_known(builder, call, name):
            call.ways[name] = "missing"
            task.missing, task.another = (name,), call.entity(name)
            if builder.run(task.calls):
                return task
    return None


def _lacking(builder: TaskBuilder, design: TaskDesign) -> Iterator[PlannedTask]:
    """Yield tasks that lack a value which nothing earlier could fill, then those about another thing."""
    for is_new in (True, False) if design.hiding else (True,):
        for place in builder.order(design):
            tool = builder.pool.tools[place]
            names = [name for name in tool.required if is_asked_for(tool, name)]
            names = [name for name in names if builder.memory.could_fill(tool, name) != is_new]
            is_due = is_new or may_be_another(builder, tool)
            own = {target_of(tool).own}
            names = names if is_new else [n for n in names if is_due and n in own and is_counted(tool, n)]
            builder.rng.shuffle(names)
            for name in sorted(names, key=lambda name: is_identifying(tool, name)):
                call = builder.draw(place, optional=False)
                if call is not None and name in call.values and not _is_known(builder, call, name):
                    call.ways[name] = "missing"
                    yield PlannedTask(design, [call], missing=(name,), another="" if is_new else call.entity(name))


def may_be_another(builder: TaskBuilder, tool: Tool) -> bool:
    """Whether people say `delete another comment`: they did delete one; to see another is said of any told before."""
    own = target_of(tool).own
    is_told = not own or builder.memory.has_told(tool, own)
    return (wished(tool).act in LOOKUPS and is_told) or any(key == tool.key for key, _ in builder.memory.calls)


def is_counted(tool: Tool, name: str) -> bool:
    """Whether people say `another` with the noun of what a parameter takes: there is no `another weather`."""
    return is_countable(entity_of(slots(tool)[name]))


def is_asked_for(tool: Tool, name: str) -> bool:
    """Whether an assistant must ask for a parameter that the user does not give."""
    slot = slots(tool)[name]
    return name in tool.required and slot.kind in ASKED_FOR and "default" not in slot.description.lower()


def _is_known(builder: TaskBuilder, call: PlannedCall, name: str) -> bool:
    """Whether an earlier task says or returns the value, or something that contains it."""
    value = str(call.values[name]).casefold()
    texts = builder.memory.texts
    return len(value) < 2 or any(value in text if len(value) > 4 else has_word(text, value) for text in texts)
