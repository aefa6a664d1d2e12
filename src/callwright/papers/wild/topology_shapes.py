"""How one call of a task stands to others: one of several alike, fed by a result, or free of them all."""

from __future__ import annotations

from collections.abc import Sequence

from callwright.author.briefs import Known
from callwright.catalog.slots import slots
from callwright.environment.returns import identity_of
from callwright.lang.tokens import identifier_words
from callwright.papers.wild.gold_calls import PlannedCall, Source, fed_reference, pass_on
from callwright.papers.wild.session_memory import Fact, fits, is_secret, is_valid
from callwright.papers.wild.task_builder import LISTED, TaskBuilder
from callwright.papers.wild.tool_pool import FeedEdge
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


def usable(builder: TaskBuilder, edges: Sequence[FeedEdge]) -> list[FeedEdge]:
    """Return the edges between tools that the session may use, in random order."""
    found = [edge for edge in edges if builder.may_use(edge.producer) and builder.may_use(edge.consumer)]
    builder.rng.shuffle(found)
    return found


def starting(builder: TaskBuilder, edges: Sequence[FeedEdge]) -> list[FeedEdge]:
    """Return the usable edges that the task at hand may begin with."""
    return [edge for edge in usable(builder, edges) if builder.may_begin(edge.producer)]


def several(builder: TaskBuilder, place: int, name: str, count: int) -> list[PlannedCall] | None:
    """Return calls of one tool that differ in one parameter."""
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


def may_be_listed(tool: Tool, name: str) -> bool:
    """Whether several values in a row mean several calls; several keywords may be of one search."""
    is_named = slots(tool)[name].kind in LISTED and not is_secret(name)
    return is_named and _JOINED.isdisjoint(identifier_words(name))


_JOINED = frozenset("query keyword keywords search terms tags topics".split())


def is_twin(call: PlannedCall, name: str, other: PlannedCall, theirs: str) -> bool:
    """Whether two calls take the same sort of thing, written the same way."""
    known = Known(slots(other.tool)[theirs], encode(other.values[theirs]))
    fact = Fact(0, known, identity_of(other.tool, theirs), 0)
    return fits(fact, call.tool, name, call.values[name])


def looked_up(builder: TaskBuilder, call: PlannedCall) -> PlannedCall:
    """Return the call with what it would return now, for others to go on from."""
    call.result = builder.world.call(call.tool, call.values)
    return call


def fed(
    builder: TaskBuilder, calls: list[PlannedCall], parent: int, edge: FeedEdge, item: int
) -> list[PlannedCall] | None:
    """Return the calls with one more, fed by the result of the one at `parent`."""
    call = builder.draw(edge.consumer, optional=False)
    if call is None:
        return None
    take(call, edge.feed.parameter, Source((parent,), edge.feed.output.pointer(item)))
    call.ways[edge.feed.parameter] = "fed"
    call.references[edge.feed.parameter] = fed_reference(call, edge, item)
    return followed(builder, calls, call)


def take(call: PlannedCall, name: str, source: Source) -> None:
    """Let results of earlier calls decide a value, and the call wait for them."""
    call.sources[name] = source
    call.after = tuple(sorted({*call.after, *source.parents}))


def followed(builder: TaskBuilder, calls: Sequence[PlannedCall], call: PlannedCall) -> list[PlannedCall] | None:
    """Return the calls with one more that goes on from them; None where their results do not decide its values."""
    if not pass_on(call, calls) or not is_valid(call.tool, call.values):
        return None
    return [*calls, looked_up(builder, call)]


def longer(builder: TaskBuilder, calls: list[PlannedCall]) -> list[PlannedCall] | None:
    """Return the chain with one call more, of a tool that it does not use yet."""
    used = {call.place for call in calls}
    edges = [one for one in builder.pool.edges if one.producer == calls[-1].place and one.consumer not in used]
    found = (fed(builder, calls, len(calls) - 1, edge, 0) for edge in usable(builder, edges))
    return next((grown for grown in found if grown is not None), None)


def beside(builder: TaskBuilder, calls: list[PlannedCall]) -> list[PlannedCall] | None:
    """Return the calls with one or two more that need nothing of the others."""
    out = list(calls)
    for place in builder.order():
        if place in {call.place for call in out} or not builder.may_use(place, [call.place for call in out]):
            continue
        if (call := builder.draw(place, optional=False)) is not None:
            out.append(call)
            if len(out) - len(calls) == 2 or builder.rng.random() < 0.6:
                return out
    return out if len(out) > len(calls) else None
