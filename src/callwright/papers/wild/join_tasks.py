"""Calls that need what several others return: the best of things compared, a list of results, two inputs of one call.

chosen      look up Lyon and Nice, then book for the one with the lower price
diamond     search songs, look up the first two of them, then play the one with the longer duration
met         create an order, look up an account, then move the order to the account
"""

from __future__ import annotations

from callwright.author.briefs import Known
from callwright.catalog.slots import Slot, slots
from callwright.environment.feeding import Output
from callwright.lang.nouns import slot_noun
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask, Source, fed_reference
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import described
from callwright.papers.wild.task_briefs import Comparison, Reference
from callwright.papers.wild.task_builder import TaskBuilder
from callwright.papers.wild.tool_pool import Choosing, FeedEdge
from callwright.papers.wild.topology_shapes import (
    beside,
    fed,
    followed,
    is_twin,
    longer,
    looked_up,
    may_be_listed,
    several,
    starting,
    take,
    usable,
)
from callwright.papers.wild.value_phrases import entity_of, part_of
from callwright.records.jsontext import encode


def joined(builder: TaskBuilder) -> list[PlannedCall] | None:
    """Return calls of which one needs several others, sometimes with more after or beside; None where no tools can."""
    ways = [diamond, met]
    builder.rng.shuffle(ways)
    ways.insert(builder.rng.choice((0, len(ways))), chosen)
    calls = next((calls for way in ways if (calls := way(builder)) is not None), None)
    return None if calls is None else _more(builder, calls)


def _more(builder: TaskBuilder, calls: list[PlannedCall]) -> list[PlannedCall]:
    """The calls, at times with one more that goes on from the last, or some beside them."""
    if builder.rng.random() < 0.5:
        calls = longer(builder, calls) or calls
    return (beside(builder, calls) or calls) if builder.rng.random() < 0.15 else calls


def chosen(builder: TaskBuilder) -> list[PlannedCall] | None:
    """Return calls that look up several things, and one for the thing that compares best."""
    for choosing in _choosings(builder):
        if not builder.may_begin(choosing.producer):
            continue
        tool = builder.pool.tools[choosing.producer]
        if not may_be_listed(tool, choosing.choice.asked):
            continue
        compared = several(
            builder, choosing.producer, choosing.choice.asked, builder.rng.choices((2, 3, 4), (6, 3, 1))[0]
        )
        if compared and (calls := _best_taken(builder, compared, range(len(compared)), choosing)) is not None:
            return calls
    return None


def again_chosen(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return an earlier wish for several things, and a call for the one that compares best."""
    for source in builder.memory.source_tasks(design.hiding):
        topic = builder.memory.topics[source]
        for choosing in _choosings(builder) if topic else ():
            if topic is None or builder.pool.tools[choosing.producer] != topic.tool:
                continue
            task = builder.repeated(design, builder.rng.choice((2, 2, 3)), choosing.producer, topic)
            if task is None or not may_be_listed(topic.tool, choosing.choice.asked):
                continue
            compared = task.calls
            if len({encode(call.values.get(choosing.choice.asked)) for call in compared}) < len(compared):
                continue
            calls = _best_taken(builder, compared, range(len(compared)), choosing)
            calls = _more(builder, calls) if calls is not None else None
            if calls is not None and builder.run(calls):
                task.calls = calls
                return task
    return None


def diamond(builder: TaskBuilder) -> list[PlannedCall] | None:
    """Return a search, calls for the first few things found, and one for the thing of these that compares best."""
    choosings = _choosings(builder)
    for edge in starting(builder, [edge for edge in builder.pool.edges if edge.feed.output.is_listed]):
        fitting = [
            one
            for one in choosings
            if (one.producer, one.choice.asked) == (edge.consumer, edge.feed.parameter)
            and one.consumer != edge.producer
        ]
        first = builder.draw(edge.producer, optional=False) if fitting else None
        if first is None:
            continue
        calls = fanned(builder, [looked_up(builder, first)], edge, builder.rng.choice((2, 2, 3)))
        for choosing in fitting if calls else ():
            if calls and (found := _best_taken(builder, calls, range(1, len(calls)), choosing)) is not None:
                return found
    return None


def fanned(builder: TaskBuilder, calls: list[PlannedCall], edge: FeedEdge, count: int) -> list[PlannedCall] | None:
    """Return the calls with up to `count` more of one tool, at least two, for as many items of the first one's list."""
    out = calls
    for item in range(count):
        grown = fed(builder, out, 0, edge, item)
        if grown is None:
            break
        alike = {**grown[len(calls)].values, edge.feed.parameter: grown[-1].values[edge.feed.parameter]}
        grown[-1].values = alike
        looked_up(builder, grown[-1])
        out = grown
    return out if len(out) >= len(calls) + 2 else None


def met(builder: TaskBuilder) -> list[PlannedCall] | None:
    """Return two calls of different tools and one that takes a value from each."""
    edges = usable(builder, builder.pool.edges)
    for one in starting(builder, edges):
        for other in edges:
            is_same = one.consumer != other.consumer or one.feed.parameter == other.feed.parameter
            if is_same or other.producer in (one.producer, one.consumer) or one.producer > other.producer:
                continue
            if (calls := _met(builder, one, other)) is not None:
                return calls
    return None


def _met(builder: TaskBuilder, one: FeedEdge, other: FeedEdge) -> list[PlannedCall] | None:
    drawn = [builder.draw(place, optional=False) for place in (one.producer, other.producer, one.consumer)]
    calls = [call for call in drawn if call is not None]
    if len(calls) < 3 or not builder.may_use(one.producer, [other.producer]):
        return None
    first, second, last = calls
    before = [looked_up(builder, first), looked_up(builder, second)]
    for parent, edge in enumerate((one, other)):
        take(last, edge.feed.parameter, Source((parent,), edge.feed.output.pointer()))
        last.ways[edge.feed.parameter] = "fed"
        last.references[edge.feed.parameter] = fed_reference(last, edge, 0)
    entities = [reference.entity for reference in last.references.values()]
    return followed(builder, before, last) if len(set(entities)) == 2 else None


# -- the best of several ---------------------------------------------------------------------------------------------


def _choosings(builder: TaskBuilder) -> list[Choosing]:
    found = [one for one in builder.pool.choosings if builder.may_use(one.producer) and builder.may_use(one.consumer)]
    builder.rng.shuffle(found)
    return found


def _best_taken(
    builder: TaskBuilder, calls: list[PlannedCall], parents: range, choosing: Choosing
) -> list[PlannedCall] | None:
    """Return the calls with one more, for the thing whose field is greatest, or least, among the parents'."""
    choice = choosing.choice
    call = builder.draw(choosing.consumer, optional=False)
    if call is None or not is_twin(call, choice.taken, calls[parents[0]], choice.asked):
        return None
    most = builder.rng.random() < 0.5
    before = [looked_up(builder, one) for one in calls]
    source = Source(tuple(parents), choice.output.pointer(), "greatest" if most else "least", choice.asked)
    take(call, choice.taken, source)
    call.ways[choice.taken] = "chosen"
    comparison = Comparison(_field(choice.output), most, len(parents))
    call.references[choice.taken] = Reference(
        entity=_thing(calls[parents[0]], choice.asked, call, choice.taken), obtained=True, chosen_by=comparison
    )
    return followed(builder, before, call)


def _thing(asked: PlannedCall, name: str, call: PlannedCall, taken: str) -> str:
    """What is compared: items of a list, or that of theirs which the call takes."""
    known, listed = Known(slots(call.tool)[taken], encode(None)), asked.references.get(name)
    if listed is not None and listed.ordinal and not part_of(known, listed.entity):
        return listed.entity
    return entity_of(known)


def _field(output: Output) -> Known:
    noun = slot_noun(output.name, described(output.schema))
    return Known(Slot(output.name, noun, output.kind, output.schema, ""), encode(None))
