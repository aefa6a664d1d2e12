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
from callwright.papers.wild.task_builder import Desk
from callwright.papers.wild.tool_pool import Choosing, Edge
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


def joined(desk: Desk) -> list[PlannedCall] | None:
    """Return calls of which one needs several others, sometimes with more after or beside; None where no tools can."""
    ways = [diamond, met]
    desk.rng.shuffle(ways)
    ways.insert(desk.rng.choice((0, len(ways))), chosen)
    calls = next((calls for way in ways if (calls := way(desk)) is not None), None)
    return None if calls is None else _more(desk, calls)


def _more(desk: Desk, calls: list[PlannedCall]) -> list[PlannedCall]:
    """The calls, at times with one more that goes on from the last, or some beside them."""
    if desk.rng.random() < 0.5:
        calls = longer(desk, calls) or calls
    return (beside(desk, calls) or calls) if desk.rng.random() < 0.15 else calls


def chosen(desk: Desk) -> list[PlannedCall] | None:
    """Return calls that look up several things, and one for the thing that compares best."""
    for choosing in _choosings(desk):
        if not desk.may_begin(choosing.producer):
            continue
        tool = desk.bench.tools[choosing.producer]
        if not may_be_listed(tool, choosing.choice.asked):
            continue
        compared = several(desk, choosing.producer, choosing.choice.asked, desk.rng.choices((2, 3, 4), (6, 3, 1))[0])
        if compared and (calls := _best_taken(desk, compared, range(len(compared)), choosing)) is not None:
            return calls
    return None


def again_chosen(desk: Desk, design: TaskDesign) -> PlannedTask | None:
    """Return an earlier wish for several things, and a call for the one that compares best."""
    for source in desk.past.source_tasks(design.hiding):
        topic = desk.past.topics[source]
        for choosing in _choosings(desk) if topic else ():
            if topic is None or desk.bench.tools[choosing.producer] != topic.tool:
                continue
            task = desk.repeated(design, desk.rng.choice((2, 2, 3)), choosing.producer, topic)
            if task is None or not may_be_listed(topic.tool, choosing.choice.asked):
                continue
            compared = task.calls
            if len({encode(call.values.get(choosing.choice.asked)) for call in compared}) < len(compared):
                continue
            calls = _best_taken(desk, compared, range(len(compared)), choosing)
            calls = _more(desk, calls) if calls is not None else None
            if calls is not None and desk.run(calls):
                task.calls = calls
                return task
    return None


def diamond(desk: Desk) -> list[PlannedCall] | None:
    """Return a search, calls for the first few things found, and one for the thing of these that compares best."""
    choosings = _choosings(desk)
    for edge in starting(desk, [edge for edge in desk.bench.edges if edge.feed.output.is_listed]):
        fitting = [
            one
            for one in choosings
            if (one.producer, one.choice.asked) == (edge.consumer, edge.feed.parameter)
            and one.consumer != edge.producer
        ]
        first = desk.draw(edge.producer, optional=False) if fitting else None
        if first is None:
            continue
        calls = fanned(desk, [looked_up(desk, first)], edge, desk.rng.choice((2, 2, 3)))
        for choosing in fitting if calls else ():
            if calls and (found := _best_taken(desk, calls, range(1, len(calls)), choosing)) is not None:
                return found
    return None


def fanned(desk: Desk, calls: list[PlannedCall], edge: Edge, count: int) -> list[PlannedCall] | None:
    """Return the calls with up to `count` more of one tool, at least two, for as many items of the first one's list."""
    out = calls
    for item in range(count):
        grown = fed(desk, out, 0, edge, item)
        if grown is None:
            break
        alike = {**grown[len(calls)].values, edge.feed.parameter: grown[-1].values[edge.feed.parameter]}
        grown[-1].values = alike
        looked_up(desk, grown[-1])
        out = grown
    return out if len(out) >= len(calls) + 2 else None


def met(desk: Desk) -> list[PlannedCall] | None:
    """Return two calls of different tools and one that takes a value from each."""
    edges = usable(desk, desk.bench.edges)
    for one in starting(desk, edges):
        for other in edges:
            is_same = one.consumer != other.consumer or one.feed.parameter == other.feed.parameter
            if is_same or other.producer in (one.producer, one.consumer) or one.producer > other.producer:
                continue
            if (calls := _met(desk, one, other)) is not None:
                return calls
    return None


def _met(desk: Desk, one: Edge, other: Edge) -> list[PlannedCall] | None:
    drawn = [desk.draw(place, optional=False) for place in (one.producer, other.producer, one.consumer)]
    calls = [call for call in drawn if call is not None]
    if len(calls) < 3 or not desk.may_use(one.producer, [other.producer]):
        return None
    first, second, last = calls
    before = [looked_up(desk, first), looked_up(desk, second)]
    for parent, edge in enumerate((one, other)):
        take(last, edge.feed.parameter, Source((parent,), edge.feed.output.pointer()))
        last.ways[edge.feed.parameter] = "fed"
        last.references[edge.feed.parameter] = fed_reference(last, edge, 0)
    entities = [reference.entity for reference in last.references.values()]
    return followed(desk, before, last) if len(set(entities)) == 2 else None


# -- the best of several ---------------------------------------------------------------------------------------------


def _choosings(desk: Desk) -> list[Choosing]:
    found = [one for one in desk.bench.choosings if desk.may_use(one.producer) and desk.may_use(one.consumer)]
    desk.rng.shuffle(found)
    return found


def _best_taken(desk: Desk, calls: list[PlannedCall], parents: range, choosing: Choosing) -> list[PlannedCall] | None:
    """Return the calls with one more, for the thing whose field is greatest, or least, among the parents'."""
    choice = choosing.choice
    call = desk.draw(choosing.consumer, optional=False)
    if call is None or not is_twin(call, choice.taken, calls[parents[0]], choice.asked):
        return None
    most = desk.rng.random() < 0.5
    before = [looked_up(desk, one) for one in calls]
    source = Source(tuple(parents), choice.output.pointer(), "greatest" if most else "least", choice.asked)
    take(call, choice.taken, source)
    call.ways[choice.taken] = "chosen"
    comparison = Comparison(_field(choice.output), most, len(parents))
    call.references[choice.taken] = Reference(
        entity=_thing(calls[parents[0]], choice.asked, call, choice.taken), obtained=True, chosen_by=comparison
    )
    return followed(desk, before, call)


def _thing(asked: PlannedCall, name: str, call: PlannedCall, taken: str) -> str:
    """What is compared: items of a list, or that of theirs which the call takes."""
    known, listed = Known(slots(call.tool)[taken], encode(None)), asked.references.get(name)
    if listed is not None and listed.ordinal and not part_of(known, listed.entity):
        return listed.entity
    return entity_of(known)


def _field(output: Output) -> Known:
    noun = slot_noun(output.name, described(output.schema))
    return Known(Slot(output.name, noun, output.kind, output.schema, ""), encode(None))
