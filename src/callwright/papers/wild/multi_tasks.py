"""Tasks of several calls: the shape first, then tools whose results feed others, or that need nothing of one another.

P      two to eight calls that need nothing of one another: one tool for several things, or several tools
S      a chain of two to four
S+P    a join (see `wild_joins`), a result that feeds several calls, or a chain with calls beside it
"""

from __future__ import annotations

from collections.abc import Sequence

from callwright.catalog.slots import slots
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask, reference_noun
from callwright.papers.wild.join_tasks import again_chosen, fanned, joined
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import is_secret, is_valid
from callwright.papers.wild.task_briefs import Reference
from callwright.papers.wild.task_builder import TaskBuilder
from callwright.papers.wild.tool_pool import FeedEdge
from callwright.papers.wild.topology_shapes import (
    beside,
    fed,
    is_twin,
    longer,
    looked_up,
    may_be_listed,
    several,
    starting,
    usable,
)
from callwright.records.tool import Tool


def multi(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a task of several calls in the shape that the design asks for."""
    ways = {"P": parallel, "S": chained, "S+P": mixed}
    for _ in range(5):
        task = PlannedTask(design)
        calls = ways[design.topology](builder)
        if calls is None or (design.hiding and not _hide_one(builder, task, calls)):
            again = _again(builder, design)
            if again is not None or calls is None:
                return again
            continue
        task.calls = list(calls)
        if builder.run(task.calls):
            return task
    return None


def _again(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a task that begins with an earlier wish, where something is to be hidden."""
    if not design.hiding:
        return None
    if design.topology == "P":
        return builder.same_again(design, builder.rng.choice((2, 2, 3, 4, 6)))
    return _again_fed(builder, design)


def _hide_one(builder: TaskBuilder, task: PlannedTask, calls: list[PlannedCall]) -> bool:
    """Hide a value: of any call where calls can be put in any order or the words name the request it was in.

    Else of the call asked for first: further on, "that city" could be one of the same message.
    """
    if not any(call.ways for call in calls):
        for place in range(len(calls)):
            calls.insert(0, calls.pop(place))
            if builder.hide_value(task, calls, 0):
                return True
        return False
    places = range(len(calls)) if task.design.hiding == "long_range" else range(1)
    return any(builder.hide_value(task, calls, place) for place in places)


def _again_fed(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a chain, or a mix, that begins with an earlier wish: `do that for Lyon, then ...`."""
    if design.topology == "S+P" and (task := again_chosen(builder, design)) is not None:
        return task
    for source in builder.memory.source_tasks(design.hiding):
        topic = builder.memory.topics[source]
        place = builder.pool.tools.index(topic.tool) if topic else -1
        for edge in _farthest(builder, [edge for edge in builder.pool.edges if edge.producer == place]):
            task = builder.repeated(design, 1, place, topic) if topic else None
            calls = fed(builder, [looked_up(builder, task.calls[0])], 0, edge, 0) if task else None
            if calls is not None:
                calls = _extended(builder, calls) if design.topology == "S" else _mixed_in(builder, calls, edge)
            if task is not None and calls is not None:
                task.calls = calls
                if builder.run(task.calls):
                    return task
    return None


def parallel(builder: TaskBuilder) -> list[PlannedCall] | None:
    """Return two to eight calls that need nothing of one another."""
    wanted = builder.rng.choices(range(2, 9), (34, 26, 16, 9, 7, 4, 4))[0]
    if builder.rng.random() < (0.85 if builder.is_source else 0.45) or wanted > len(builder.pool.tools):
        return same_tool(builder, wanted) or other_tools(builder, 2)
    return other_tools(builder, wanted) or other_tools(builder, 2) or same_tool(builder, 2)


def same_tool(builder: TaskBuilder, count: int) -> list[PlannedCall] | None:
    """Return calls of one tool that differ in one value."""
    for place in builder.order():
        tool = builder.pool.tools[place]
        names = [name for name in tool.required if may_be_listed(tool, name)]
        if names and (calls := several(builder, place, builder.rng.choice(names), count)) is not None:
            return calls
    return None


def other_tools(builder: TaskBuilder, count: int) -> list[PlannedCall] | None:
    """Return calls of different tools; what they have in common is sometimes the same."""
    calls: list[PlannedCall] = []
    for place in builder.order():
        if len(calls) == count or not builder.may_use(place, [call.place for call in calls]):
            continue
        call = builder.draw(place)
        if call is not None and not (_has_secret(call) and any(map(_has_secret, calls))):
            _share(builder, call, calls)
            calls.append(call)
    return calls if len(calls) == count else None


def _has_secret(call: PlannedCall) -> bool:
    return any(map(is_secret, call.values))


def _share(builder: TaskBuilder, call: PlannedCall, before: Sequence[PlannedCall]) -> None:
    """Let a value be that of the call before it, where both take such a thing."""
    if not before or builder.rng.random() < 0.35:
        return
    other = before[-1]
    for name, value in call.values.items():
        said = [n for n in other.values if other.ways.get(n, "said") == "said"]
        twins = [n for n in said if is_twin(call, name, other, n)]
        if len(twins) == 1 and slots(call.tool)[name].kind in ("city", "country", "code", "person", "url"):
            values = {**call.values, name: other.values[twins[0]]}
            if type(values[name]) is type(value) and is_valid(call.tool, values):
                call.values = values
                call.ways[name] = "again"
                call.references[name] = Reference(entity=reference_noun(call, name))
                return


def chained(builder: TaskBuilder) -> list[PlannedCall] | None:
    """Return two to four calls of which each needs the one before."""
    starts = (_start(builder, edge) for edge in _farthest(builder, starting(builder, builder.pool.edges)))
    return next((_extended(builder, calls) for calls in starts if calls is not None), None)


def _farthest(builder: TaskBuilder, edges: Sequence[FeedEdge]) -> list[FeedEdge]:
    """The edges that may be used, those first after which another follows."""
    producers = {edge.producer for edge in builder.pool.edges}
    return sorted(usable(builder, edges), key=lambda edge: edge.consumer not in producers)


def _extended(builder: TaskBuilder, calls: list[PlannedCall]) -> list[PlannedCall]:
    """The chain, with more calls at its end where tools allow."""
    while len(calls) < LONGEST_CHAIN and builder.rng.random() < 0.8 and (grown := longer(builder, calls)):
        calls = grown
    return calls


LONGEST_CHAIN = 4


def mixed(builder: TaskBuilder) -> list[PlannedCall] | None:
    """Return calls of which some need others and some do not; mostly with one that needs several, where one can."""
    ways = [joined, _spread] if builder.rng.random() < 0.75 else [_spread, joined]
    return next((calls for way in ways if (calls := way(builder)) is not None), None)


def _spread(builder: TaskBuilder) -> list[PlannedCall] | None:
    """Return calls of which none needs several others, and some need nothing of one another."""
    for edge in starting(builder, builder.pool.edges):
        calls = _start(builder, edge)
        found = _mixed_in(builder, calls, edge) if calls is not None else None
        if found is not None:
            return found
    return None


def _mixed_in(builder: TaskBuilder, calls: list[PlannedCall], edge: FeedEdge) -> list[PlannedCall] | None:
    """The chain with more that its first result feeds, or with calls beside it."""
    found = _fan(builder, calls, edge) if builder.rng.random() < 0.55 else None
    return found or beside(builder, longer(builder, calls) or calls) or _fan(builder, calls, edge)


def _start(builder: TaskBuilder, edge: FeedEdge) -> list[PlannedCall] | None:
    first = builder.draw(edge.producer, optional=False)
    return None if first is None else fed(builder, [looked_up(builder, first)], 0, edge, 0)


def _fan(builder: TaskBuilder, calls: list[PlannedCall], edge: FeedEdge) -> list[PlannedCall] | None:
    """More calls fed by the same result: the next items of its list, or another tool for the same thing."""
    if edge.feed.output.is_listed and builder.rng.random() < 0.7:
        found = fanned(builder, calls[:1], edge, builder.rng.choice((2, 3, 3, 4)))
        if found is not None:
            return found
    used = {call.place for call in calls}
    others = [one for one in builder.pool.edges if one.producer == edge.producer and one.consumer not in used]
    if not _looks(calls[1].tool):  # two that change the same thing are no calls for one step
        others = [one for one in others if _looks(builder.pool.tools[one.consumer])]
    more = (fed(builder, calls, 0, one, 0) for one in usable(builder, others))
    return next((grown for grown in more if grown is not None), None)


def _looks(tool: Tool) -> bool:
    return asked_gloss(tool).verb.split(" ")[0] in LOOKUPS
