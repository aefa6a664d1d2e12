"""Calls of one task in the shapes P and S: beside one another, or each fed by the one before (section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from callwright.author.briefs import Known
from callwright.catalog.slots import slots
from callwright.environment.returns import identity_of
from callwright.lang.tokens import identifier_words
from callwright.papers.wild.gold_calls import PlannedCall, Source, fed_reference
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import Fact, fits, is_secret, is_valid
from callwright.papers.wild.task_briefs import Reference
from callwright.papers.wild.task_builder import LISTED, TaskBuilder
from callwright.papers.wild.tool_pool import FeedEdge
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

LONGEST_CHAIN = 4
_COUNTS, _COUNT_WEIGHTS = range(2, 9), (34, 26, 16, 9, 7, 4, 4)

# -- calls that need nothing of one another --------------------------------------------------------------------------


def parallel(builder: TaskBuilder, design: TaskDesign) -> list[PlannedCall] | None:
    """Return two to eight calls that need nothing of one another: one tool for several things, or several tools."""
    wanted = builder.rng.choices(_COUNTS, _COUNT_WEIGHTS)[0]
    if builder.rng.random() < (0.85 if design.next_refers_back else 0.45) or wanted > len(builder.pool.tools):
        return _same_tool(builder, design, wanted) or _other_tools(builder, design, 2)
    found = _other_tools(builder, design, wanted) or _other_tools(builder, design, 2)
    return found or _same_tool(builder, design, 2)


def _same_tool(builder: TaskBuilder, design: TaskDesign, count: int) -> list[PlannedCall] | None:
    for place in builder.order(chain_follows=design.chain_follows):
        tool = builder.pool.tools[place]
        names = [name for name in tool.required if may_be_listed(tool, name)]
        if names and (calls := several(builder, place, builder.rng.choice(names), count)) is not None:
            return calls
    return None


def several(builder: TaskBuilder, place: int, name: str, count: int) -> list[PlannedCall] | None:
    """Return `count` calls of one tool that differ in one parameter."""
    first = builder.draw(place, optional=False)
    if first is None or name not in first.values:
        return None
    calls = [first]
    for _ in range(count * 4):
        if len(calls) == count:
            break
        other = builder.draw(place, optional=False)
        known = {encode(call.values[name]) for call in calls}
        if other and encode(other.values.get(name)) not in known:
            values = {**first.values, name: other.values[name]}
            if is_valid(first.tool, values):
                calls.append(PlannedCall(place, first.tool, first.name, values))
    return calls if len(calls) == count else None


_JOINED = frozenset("query keyword keywords search terms tags topics".split())


def may_be_listed(tool: Tool, name: str) -> bool:
    """Whether several values in a row mean several calls; several keywords may belong to one search."""
    is_named = slots(tool)[name].kind in LISTED and not is_secret(name)
    return is_named and _JOINED.isdisjoint(identifier_words(name))


def _other_tools(builder: TaskBuilder, design: TaskDesign, count: int) -> list[PlannedCall] | None:
    calls: list[PlannedCall] = []
    for place in builder.order(chain_follows=design.chain_follows):
        if len(calls) == count or not builder.may_use(place, [call.place for call in calls]):
            continue
        call = builder.draw(place)
        if call is not None and sum(any(map(is_secret, one.values)) for one in (call, *calls)) < 2:
            _share(builder, call, calls)
            calls.append(call)
    return calls if len(calls) == count else None


def _share(builder: TaskBuilder, call: PlannedCall, before: Sequence[PlannedCall]) -> None:
    """Often let the call have a value of the call before it, if both take such a value."""
    if not before or builder.rng.random() < 0.35:
        return
    other = before[-1]
    for name, value in call.values.items():
        twins = [theirs for theirs in other.said if is_twin(call, name, other, theirs)]
        if len(twins) == 1 and slots(call.tool)[name].kind in ("city", "country", "code", "person", "url"):
            values = {**call.values, name: other.values[twins[0]]}
            if type(values[name]) is type(value) and is_valid(call.tool, values):
                call.values = values
                call.ways[name] = "again"
                call.references[name] = Reference(entity=call.entity(name))
                return


def is_twin(call: PlannedCall, name: str, other: PlannedCall, theirs: str) -> bool:
    """Whether parameters of two calls take the same sort of thing, written in the same form."""
    known = Known(slots(other.tool)[theirs], encode(other.values[theirs]))
    return fits(Fact(0, known, identity_of(other.tool, theirs), 0), call.tool, name, call.values[name])


def beside(builder: TaskBuilder, design: TaskDesign, calls: list[PlannedCall]) -> list[PlannedCall] | None:
    """Return the calls with one or two more that need nothing of the others."""
    out = list(calls)
    for place in builder.order(chain_follows=design.chain_follows):
        if place in {call.place for call in out} or not builder.may_use(place, [call.place for call in out]):
            continue
        if (call := builder.draw(place, optional=False)) is not None:
            out.append(call)
            if len(out) - len(calls) == 2 or builder.rng.random() < 0.6:
                return out
    return out if len(out) > len(calls) else None


# -- calls fed by others ---------------------------------------------------------------------------------------------


def chained(builder: TaskBuilder, design: TaskDesign) -> list[PlannedCall] | None:
    """Return two to four calls of which each needs the one before."""
    edges = long_first(builder, starting(builder, design, builder.pool.edges))
    starts = (first_two(builder, edge) for edge in edges)
    return next((extended(builder, calls) for calls in starts if calls is not None), None)


def first_two(builder: TaskBuilder, edge: FeedEdge) -> list[PlannedCall] | None:
    """Return a call of the edge's producer and one of its consumer that needs it."""
    first = builder.draw(edge.producer, optional=False)
    return None if first is None else fed(builder, [builder.look_up(first)], 0, edge)


def extended(builder: TaskBuilder, calls: list[PlannedCall]) -> list[PlannedCall]:
    """Return the chain, mostly with more calls at its end if tools allow."""
    while len(calls) < LONGEST_CHAIN and builder.rng.random() < 0.8 and (grown := longer(builder, calls)):
        calls = grown
    return calls


def longer(builder: TaskBuilder, calls: list[PlannedCall]) -> list[PlannedCall] | None:
    """Return the chain with one more call, of a tool that it does not use yet."""
    used = {call.place for call in calls}
    edges = [one for one in builder.pool.edges if one.producer == calls[-1].place and one.consumer not in used]
    return fed_by_any(builder, calls, len(calls) - 1, edges)


def fed_by_any(
    builder: TaskBuilder, calls: list[PlannedCall], parent: int, edges: Sequence[FeedEdge]
) -> list[PlannedCall] | None:
    """Return the calls with one more along any of the edges, fed by the result of the call at `parent`."""
    found = (fed(builder, calls, parent, edge) for edge in usable(builder, edges))
    return next((grown for grown in found if grown is not None), None)


def fed(
    builder: TaskBuilder, calls: list[PlannedCall], parent: int, edge: FeedEdge, item: int = 0
) -> list[PlannedCall] | None:
    """Return the calls with one more, fed by the result of the call at `parent`, by item `item` if it is a list."""
    call = builder.draw(edge.consumer, optional=False)
    if call is None:
        return None
    source = Source((parent,), edge.feed.output.pointer(item))
    call.take(edge.feed.parameter, "fed", source, fed_reference(call, edge, item))
    return followed(builder, calls, call)


def followed(builder: TaskBuilder, calls: Sequence[PlannedCall], call: PlannedCall) -> list[PlannedCall] | None:
    """Return the calls with one more that needs them; None if their results do not give it valid values."""
    if not call.pass_on(calls) or not is_valid(call.tool, call.values):
        return None
    return [*calls, builder.look_up(call)]


# -- edges -----------------------------------------------------------------------------------------------------------


def usable(builder: TaskBuilder, edges: Sequence[FeedEdge]) -> list[FeedEdge]:
    """Return the edges between usable tools in random order."""
    found = [edge for edge in edges if builder.may_use(edge.producer) and builder.may_use(edge.consumer)]
    builder.rng.shuffle(found)
    return found


def starting(builder: TaskBuilder, design: TaskDesign, edges: Sequence[FeedEdge]) -> list[FeedEdge]:
    """Return the usable edges that a task of this design may begin with."""
    return [edge for edge in usable(builder, edges) if builder.may_begin(edge.producer, design.hiding)]


def long_first(builder: TaskBuilder, edges: Sequence[FeedEdge]) -> list[FeedEdge]:
    """Return the usable edges, first those that another edge follows."""
    producers = {edge.producer for edge in builder.pool.edges}
    return sorted(usable(builder, edges), key=lambda edge: edge.consumer not in producers)
