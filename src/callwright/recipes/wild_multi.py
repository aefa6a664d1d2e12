"""Tasks of several calls: the shape first, then tools whose results feed others, or that need nothing of one another.

    P      two to eight calls that need nothing of one another: one tool for several things, or several tools
    S      a chain of two or three
    S+P    a chain with calls beside it, or a result that feeds several
"""

from __future__ import annotations

from collections.abc import Sequence

from callwright.author.acts import Known
from callwright.author.wild_acts import Reference
from callwright.catalog.returns import identity_of
from callwright.catalog.slots import slots
from callwright.lang.tokens import identifier_words
from callwright.recipes.wild_bench import Edge
from callwright.recipes.wild_calls import PlannedCall, PlannedTask, fed_reference, reference_noun
from callwright.recipes.wild_design import TaskDesign
from callwright.recipes.wild_desk import LISTED, Desk
from callwright.recipes.wild_past import Fact, fits, is_valid
from callwright.records.jsontext import decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool


def multi(desk: Desk, design: TaskDesign) -> PlannedTask | None:
    """Return a task of several calls in the shape that the design asks for."""
    ways = {"P": parallel, "S": chained, "S+P": mixed}
    for _ in range(5):
        task = PlannedTask(design)
        calls = ways[design.topology](desk)
        if calls is None:
            return None if design.topology != "P" else _again_several(desk, design)
        if design.hiding and not _hide_first(desk, task, calls):
            other = _again_several(desk, design) if design.topology == "P" else _again_fed(desk, design)
            if other is not None:
                return other
            continue
        task.calls = list(calls)
        if desk.run(task.calls):
            return task
    return None


def _hide_first(desk: Desk, task: PlannedTask, calls: list[PlannedCall]) -> bool:
    """Hide a value of the call asked for first: further on, "that city" could be one of the same message."""
    if not any(call.ways for call in calls):  # in any order, then
        for place in range(len(calls)):
            calls.insert(0, calls.pop(place))
            if desk.hide_value(task, calls, 0):
                return True
        return False
    return desk.hide_value(task, calls, 0)


def _again_several(desk: Desk, design: TaskDesign) -> PlannedTask | None:
    return desk.same_again(design, desk.rng.choice((2, 2, 3))) if design.hiding else None


def _again_fed(desk: Desk, design: TaskDesign) -> PlannedTask | None:
    """Return a chain, or a mix, that begins with an earlier wish: `do that for Lyon, then ...`."""
    for source in desk.past.source_tasks(design.hiding):
        topic = desk.past.topics[source]
        place = desk.bench.tools.index(topic.tool) if topic else -1
        edges = [edge for edge in _edges(desk) if edge.producer == place]
        desk.rng.shuffle(edges)
        for edge in edges if topic else ():
            task = desk.repeated(design, 1, place, topic) if topic else None
            if task is None:
                continue
            task.calls[0].result = desk.world.call(task.calls[0].tool, task.calls[0].values)
            calls = _fed(desk, task.calls, 0, edge, 0)
            if calls is not None and design.topology == "S+P":
                calls = _fan(desk, calls, edge) or _beside(desk, calls)
            if calls is not None:
                task.calls = calls
                if desk.run(task.calls):
                    return task
    return None


def parallel(desk: Desk) -> list[PlannedCall] | None:
    """Return two to eight calls that need nothing of one another."""
    wanted = desk.rng.choices((2, 3, 4, 5, 6, 8), (44, 30, 14, 6, 4, 2))[0]
    if desk.rng.random() < (0.85 if desk.is_source else 0.45) or wanted > len(desk.bench.tools):
        return same_tool(desk, wanted if desk.rng.random() < 0.5 else min(wanted, 3)) or other_tools(desk, 2)
    return other_tools(desk, wanted) or other_tools(desk, 2) or same_tool(desk, 2)


def same_tool(desk: Desk, count: int) -> list[PlannedCall] | None:
    """Return calls of one tool that differ in one value."""
    order = desk.order()
    if desk.feeds and desk.is_source:  # the next task may go on from it
        order.sort(key=lambda place: not any(edge.producer == place for edge in desk.bench.edges))
    for place in order:
        first = desk.draw(place, optional=False)
        names = [n for n in first.values if _may_be_listed(first.tool, n)] if first else []
        if first is None or not names:
            continue
        name = desk.rng.choice(names)
        calls = [first]
        for _ in range(count * 4):
            if len(calls) == count:
                break
            other = desk.draw(place, optional=False)
            known = {encode(call.values[name]) for call in calls}
            if other and encode(other.values.get(name)) not in known:
                values = {**first.values, name: other.values[name]}
                if is_valid(first.tool, values):
                    calls.append(PlannedCall(place, first.tool, first.name, values))
        if len(calls) == count:
            return calls
    return None


def _may_be_listed(tool: Tool, name: str) -> bool:
    """Whether several values in a row mean several calls; several keywords may be of one search."""
    return slots(tool)[name].kind in LISTED and _JOINED.isdisjoint(identifier_words(name))


_JOINED = frozenset("query keyword keywords search terms tags topics".split())


def other_tools(desk: Desk, count: int) -> list[PlannedCall] | None:
    """Return calls of different tools; what they have in common is sometimes the same."""
    calls: list[PlannedCall] = []
    for place in desk.order():
        if len(calls) == count or not desk.may_use(place, [call.place for call in calls]):
            continue
        if (call := desk.draw(place)) is not None:
            _share(desk, call, calls)
            calls.append(call)
    return calls if len(calls) == count else None


def _share(desk: Desk, call: PlannedCall, before: Sequence[PlannedCall]) -> None:
    """Let a value be that of the call before it, where both take such a thing."""
    if not before or desk.rng.random() < 0.35:
        return
    other = before[-1]
    for name, value in call.values.items():
        said = [n for n in other.values if other.ways.get(n, "said") == "said"]
        twins = [n for n in said if _is_twin(call, name, other, n)]
        if len(twins) == 1 and slots(call.tool)[name].kind in ("city", "country", "code", "person", "url"):
            values = {**call.values, name: other.values[twins[0]]}
            if type(values[name]) is type(value) and is_valid(call.tool, values):
                call.values = values
                call.ways[name] = "again"
                call.references[name] = Reference(entity=reference_noun(call, name))
                return


def _is_twin(call: PlannedCall, name: str, other: PlannedCall, theirs: str) -> bool:
    """Whether two calls take the same sort of thing, written the same way."""
    known = Known(slots(other.tool)[theirs], encode(other.values[theirs]))
    fact = Fact(0, known, identity_of(other.tool, theirs), 0)
    return fits(fact, call.tool, name, call.values[name])


def chained(desk: Desk) -> list[PlannedCall] | None:
    """Return two or three calls of which each needs the one before."""
    edges = _edges(desk)
    desk.rng.shuffle(edges)
    for edge in edges:
        calls = _start(desk, edge)
        if calls is None:
            continue
        longer = [one for one in edges if one.producer == edge.consumer and one.consumer != edge.producer]
        if longer and desk.rng.random() < 0.6:
            calls = _fed(desk, calls, 1, desk.rng.choice(longer), 0) or calls
        return calls
    return None


def mixed(desk: Desk) -> list[PlannedCall] | None:
    """Return calls of which some need others and some do not."""
    edges = _edges(desk)
    desk.rng.shuffle(edges)
    for edge in edges:
        calls = _start(desk, edge)
        if calls is None:
            continue
        found = _fan(desk, calls, edge) if desk.rng.random() < 0.55 else _beside(desk, calls)
        found = found or _beside(desk, calls) or _fan(desk, calls, edge)
        if found is not None:
            return found
    return None


def _edges(desk: Desk) -> list[Edge]:
    return [e for e in desk.bench.edges if desk.may_use(e.producer) and desk.may_use(e.consumer)]


def _start(desk: Desk, edge: Edge) -> list[PlannedCall] | None:
    first = desk.draw(edge.producer, optional=False)
    if first is None:
        return None
    first.result = desk.world.call(first.tool, first.values)
    return _fed(desk, [first], 0, edge, 0)


def _fed(desk: Desk, calls: list[PlannedCall], parent: int, edge: Edge, item: int) -> list[PlannedCall] | None:
    """Return the calls with one more, fed by the result of the one at `parent`."""
    call = desk.draw(edge.consumer, optional=False)
    result = calls[parent].result
    output = edge.feed.output
    value = resolve(decode(result.value), output.pointer(item)) if result.value is not None else None
    if call is None or value is None:
        return None
    call.values[edge.feed.parameter] = value
    call.after = (parent,)
    call.ways[edge.feed.parameter] = "fed"
    call.references[edge.feed.parameter] = fed_reference(call, edge, item)
    if not is_valid(call.tool, call.values):
        return None
    call.result = desk.world.call(call.tool, call.values)
    return [*calls, call]


def _fan(desk: Desk, calls: list[PlannedCall], edge: Edge) -> list[PlannedCall] | None:
    """More calls fed by the same result: the next items of its list, or another tool for the same thing."""
    found: list[PlannedCall] | None = None
    if edge.feed.output.is_listed and desk.rng.random() < 0.7:
        for item in range(1, desk.rng.choice((2, 3, 3, 4))):
            grown = _fed(desk, list(found or calls), 0, edge, item)
            if grown is None:
                break
            first = calls[1]
            grown[-1].values = {**first.values, edge.feed.parameter: grown[-1].values[edge.feed.parameter]}
            found = grown
    if found is None:
        used = {call.place for call in calls}
        others = [e for e in _edges(desk) if e.producer == edge.producer and e.consumer not in used]
        if others:
            found = _fed(desk, calls, 0, desk.rng.choice(others), 0)
    return found


def _beside(desk: Desk, calls: list[PlannedCall]) -> list[PlannedCall] | None:
    """One or two calls that need nothing of the others."""
    out = list(calls)
    for place in desk.order():
        if place in {call.place for call in out} or not desk.may_use(place, [call.place for call in out]):
            continue
        if (call := desk.draw(place, optional=False)) is not None:
            out.append(call)
            if len(out) - len(calls) == 2 or desk.rng.random() < 0.6:
                return out
    return out if len(out) > len(calls) else None
