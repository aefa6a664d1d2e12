"""Tasks of several calls: parallel, sequential or mixed (section 3.3).

P      two to eight calls that need nothing of one another
S      a chain of two to four calls
S+P    a call that needs several others, a result that feeds several calls, or a chain with calls beside it

A call that needs several others:

    best of several    look up Lyon and Nice, then book for the one with the lower price
    best found         search songs, look up the first two, then play the one with the longer duration
    two inputs         create an order, look up an account, then move the order to the account
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from callwright.author.briefs import Known
from callwright.catalog.slots import slots
from callwright.environment.returns import identity_of
from callwright.lang.tokens import identifier_words
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask, Source, fed_reference
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import Fact, fits, is_secret, is_valid, output_slot
from callwright.papers.wild.task_briefs import Comparison, Reference, entity_of, part_of
from callwright.papers.wild.task_builder import LISTED, TaskBuilder
from callwright.papers.wild.tool_pool import Choosing, FeedEdge
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

Calls = list[PlannedCall]
_Pair = TypeVar("_Pair", FeedEdge, Choosing)

LONGEST_CHAIN = 4
_ATTEMPTS = 5
_COUNTS, _COUNT_WEIGHTS = range(2, 9), (34, 26, 16, 9, 7, 4, 4)

# -- the task --------------------------------------------------------------------------------------------------------


def multi(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a task of several calls in the topology that the design asks for."""
    shape = {"P": _parallel, "S": _chained, "S+P": _mixed}[design.topology]
    for _ in range(_ATTEMPTS):
        task = PlannedTask(design)
        calls = shape(builder, design)
        if calls is None or (design.hiding and not _hide_one(builder, task, calls)):
            again = _again(builder, design)
            if again is not None or calls is None:
                return again
            continue
        task.calls = calls
        if builder.run(task.calls):
            return task
    return None


def _hide_one(builder: TaskBuilder, task: PlannedTask, calls: Calls) -> bool:
    """Hide a value of one call, the first of them if the calls can be reordered."""
    if not any(call.ways for call in calls):
        for place in range(len(calls)):
            calls.insert(0, calls.pop(place))
            if builder.hide_value(task, calls, 0):
                return True
        return False
    return any(builder.hide_value(task, calls, place) for place in range(len(calls)))


def _again(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a task that begins with an earlier wish: `do that for Lyon, then ...`."""
    if not design.hiding:
        return None
    if design.topology == "P":
        return builder.same_again(design, builder.rng.choice((2, 2, 3, 4, 6)))
    if design.topology == "S+P" and (task := _again_chosen(builder, design)) is not None:
        return task
    for topic in builder.earlier_topics(design.hiding):
        place = builder.pool.tools.index(topic.tool)
        for edge in _long_first(builder, [edge for edge in builder.pool.edges if edge.producer == place]):
            task = builder.repeated(design, topic, 1)
            calls = _fed(builder, [builder.look_up(task.calls[0])], 0, edge) if task else None
            if calls is not None:
                calls = _extended(builder, calls) if design.topology == "S" else _mixed_in(builder, design, calls, edge)
            if task is not None and calls is not None:
                task.calls = calls
                if builder.run(task.calls):
                    return task
    return None


def _again_chosen(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return an earlier wish for several things, and a call for the best of them."""
    for topic in builder.earlier_topics(design.hiding):
        for choosing in _usable(builder, builder.pool.choosings):
            if builder.pool.tools[choosing.producer] != topic.tool:
                continue
            task = builder.repeated(design, topic, builder.rng.choice((2, 2, 3)))
            if task is None or not _may_be_listed(topic.tool, choosing.choice.asked):
                continue
            if len({encode(call.values.get(choosing.choice.asked)) for call in task.calls}) < len(task.calls):
                continue
            calls = _best_taken(builder, task.calls, range(len(task.calls)), choosing)
            calls = _more(builder, design, calls) if calls is not None else None
            if calls is not None and builder.run(calls):
                task.calls = calls
                return task
    return None


# -- P: calls that need nothing of one another -----------------------------------------------------------------------


def _parallel(builder: TaskBuilder, design: TaskDesign) -> Calls | None:
    """Return two to eight calls that need nothing of one another: one tool for several things, or several tools."""
    wanted = builder.rng.choices(_COUNTS, _COUNT_WEIGHTS)[0]
    if builder.rng.random() < (0.85 if design.next_refers_back else 0.45) or wanted > len(builder.pool.tools):
        return _same_tool(builder, design, wanted) or _other_tools(builder, design, 2)
    found = _other_tools(builder, design, wanted) or _other_tools(builder, design, 2)
    return found or _same_tool(builder, design, 2)


def _same_tool(builder: TaskBuilder, design: TaskDesign, count: int) -> Calls | None:
    for place in builder.order(chain_follows=design.chain_follows):
        tool = builder.pool.tools[place]
        names = [name for name in tool.required if _may_be_listed(tool, name)]
        if names and (calls := _several(builder, place, builder.rng.choice(names), count)) is not None:
            return calls
    return None


def _several(builder: TaskBuilder, place: int, name: str, count: int) -> Calls | None:
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


_SEARCHES = frozenset("query keyword keywords search terms tags topics".split())


def _may_be_listed(tool: Tool, name: str) -> bool:
    """Whether several values in a row mean several calls; several keywords may belong to one search."""
    is_search = not _SEARCHES.isdisjoint(identifier_words(name))
    return slots(tool)[name].kind in LISTED and not is_secret(name) and not is_search


def _other_tools(builder: TaskBuilder, design: TaskDesign, count: int) -> Calls | None:
    calls: Calls = []
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
        twins = [theirs for theirs in other.said if _is_twin(call, name, other, theirs)]
        if len(twins) == 1 and slots(call.tool)[name].kind in ("city", "country", "code", "person", "url"):
            values = {**call.values, name: other.values[twins[0]]}
            if type(values[name]) is type(value) and is_valid(call.tool, values):
                call.values = values
                call.ways[name] = "again"
                call.references[name] = Reference(entity=call.entity(name))
                return


def _is_twin(call: PlannedCall, name: str, other: PlannedCall, theirs: str) -> bool:
    """Whether parameters of two calls take the same sort of thing, written in the same form."""
    known = Known(slots(other.tool)[theirs], encode(other.values[theirs]))
    return fits(Fact(0, known, identity_of(other.tool, theirs), 0), call.tool, name, call.values[name])


def _beside(builder: TaskBuilder, design: TaskDesign, calls: Calls) -> Calls | None:
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


# -- S: calls fed by others ------------------------------------------------------------------------------------------


def _chained(builder: TaskBuilder, design: TaskDesign) -> Calls | None:
    """Return two to four calls of which each needs the one before."""
    starting = _starting(builder, design, builder.pool.edges)
    starts = (_first_two(builder, edge) for edge in _long_first(builder, starting))
    return next((_extended(builder, calls) for calls in starts if calls is not None), None)


def _first_two(builder: TaskBuilder, edge: FeedEdge) -> Calls | None:
    """Return a call of the edge's producer and one of its consumer that needs it."""
    first = builder.draw(edge.producer, optional=False)
    return None if first is None else _fed(builder, [builder.look_up(first)], 0, edge)


def _extended(builder: TaskBuilder, calls: Calls) -> Calls:
    """Return the chain, mostly with more calls at its end if tools allow."""
    while len(calls) < LONGEST_CHAIN and builder.rng.random() < 0.8 and (grown := _longer(builder, calls)):
        calls = grown
    return calls


def _longer(builder: TaskBuilder, calls: Calls) -> Calls | None:
    """Return the chain with one more call, of a tool that it does not use yet."""
    used = {call.place for call in calls}
    edges = [one for one in builder.pool.edges if one.producer == calls[-1].place and one.consumer not in used]
    return _fed_by_any(builder, calls, len(calls) - 1, edges)


def _fed_by_any(builder: TaskBuilder, calls: Calls, parent: int, edges: Sequence[FeedEdge]) -> Calls | None:
    """Return the calls with one more along any of the edges, fed by the result of the call at `parent`."""
    found = (_fed(builder, calls, parent, edge) for edge in _usable(builder, edges))
    return next((grown for grown in found if grown is not None), None)


def _fed(builder: TaskBuilder, calls: Calls, parent: int, edge: FeedEdge, item: int = 0) -> Calls | None:
    """Return the calls with one more, fed by the result of the call at `parent`, by item `item` if it is a list."""
    call = builder.draw(edge.consumer, optional=False)
    if call is None:
        return None
    source = Source((parent,), edge.feed.output.pointer(item))
    call.take(edge.feed.parameter, "fed", source, fed_reference(call, edge, item))
    return _followed(builder, calls, call)


def _followed(builder: TaskBuilder, calls: Sequence[PlannedCall], call: PlannedCall) -> Calls | None:
    """Return the calls with one more that needs them; None if their results do not give it valid values."""
    if not call.pass_on(calls) or not is_valid(call.tool, call.values):
        return None
    return [*calls, builder.look_up(call)]


def _usable(builder: TaskBuilder, edges: Sequence[_Pair]) -> list[_Pair]:
    """Return the pairs of usable tools in random order."""
    found = [edge for edge in edges if builder.may_use(edge.producer) and builder.may_use(edge.consumer)]
    builder.rng.shuffle(found)
    return found


def _starting(builder: TaskBuilder, design: TaskDesign, edges: Sequence[FeedEdge]) -> list[FeedEdge]:
    """Return the usable edges whose first call may hide what the design wants; all if there are none."""
    usable = _usable(builder, edges)
    return [edge for edge in usable if builder.may_begin(edge.producer, design.hiding)] or usable


def _long_first(builder: TaskBuilder, edges: Sequence[FeedEdge]) -> list[FeedEdge]:
    """Return the usable edges, first those that another edge follows."""
    producers = {edge.producer for edge in builder.pool.edges}
    return sorted(_usable(builder, edges), key=lambda edge: edge.consumer not in producers)


# -- S+P -------------------------------------------------------------------------------------------------------------


def _mixed(builder: TaskBuilder, design: TaskDesign) -> Calls | None:
    """Return calls of which some need others and some do not; mostly one of them needs several others."""
    ways = [_joined, _spread] if builder.rng.random() < 0.75 else [_spread, _joined]
    return next((calls for way in ways if (calls := way(builder, design)) is not None), None)


def _spread(builder: TaskBuilder, design: TaskDesign) -> Calls | None:
    """Return a chain with calls that share its first result, or with calls beside it."""
    for edge in _starting(builder, design, builder.pool.edges):
        calls = _first_two(builder, edge)
        found = _mixed_in(builder, design, calls, edge) if calls is not None else None
        if found is not None:
            return found
    return None


def _mixed_in(builder: TaskBuilder, design: TaskDesign, calls: Calls, edge: FeedEdge) -> Calls | None:
    found = _fan(builder, calls, edge) if builder.rng.random() < 0.55 else None
    return found or _beside(builder, design, _longer(builder, calls) or calls) or _fan(builder, calls, edge)


def _fan(builder: TaskBuilder, calls: Calls, edge: FeedEdge) -> Calls | None:
    """Return more calls fed by the first result: the next items of its list, or another tool for the same thing."""
    if edge.feed.output.is_listed and builder.rng.random() < 0.7:
        found = _fanned(builder, calls[:1], edge, builder.rng.choice((2, 3, 3, 4)))
        if found is not None:
            return found
    used = {call.place for call in calls}
    others = [one for one in builder.pool.edges if one.producer == edge.producer and one.consumer not in used]
    if not _looks(calls[1].tool):  # a request does not ask to change one thing twice
        others = [one for one in others if _looks(builder.pool.tools[one.consumer])]
    return _fed_by_any(builder, calls, 0, others)


def _looks(tool: Tool) -> bool:
    return asked_gloss(tool).verb.split(" ")[0] in LOOKUPS


def _fanned(builder: TaskBuilder, calls: Calls, edge: FeedEdge, count: int) -> Calls | None:
    """Return the calls with two to `count` more of one tool, for the first items of the first result's list."""
    out = calls
    for item in range(count):
        grown = _fed(builder, out, 0, edge, item)
        if grown is None:
            break
        grown[-1].values = {**grown[len(calls)].values, edge.feed.parameter: grown[-1].values[edge.feed.parameter]}
        builder.look_up(grown[-1])
        out = grown
    return out if len(out) >= len(calls) + 2 else None


# -- a call that needs several others --------------------------------------------------------------------------------


def _joined(builder: TaskBuilder, design: TaskDesign) -> Calls | None:
    """Return calls of which one needs several others, sometimes with more after or beside them."""
    ways = [_best_found, _two_inputs]
    builder.rng.shuffle(ways)
    ways.insert(builder.rng.choice((0, len(ways))), _best_of_several)
    calls = next((calls for way in ways if (calls := way(builder, design)) is not None), None)
    return None if calls is None else _more(builder, design, calls)


def _more(builder: TaskBuilder, design: TaskDesign, calls: Calls) -> Calls:
    if builder.rng.random() < 0.5:
        calls = _longer(builder, calls) or calls
    return (_beside(builder, design, calls) or calls) if builder.rng.random() < 0.15 else calls


def _best_of_several(builder: TaskBuilder, design: TaskDesign) -> Calls | None:
    for choosing in _usable(builder, builder.pool.choosings):
        asked = choosing.choice.asked
        may_begin = builder.may_begin(choosing.producer, design.hiding)
        if not may_begin or not _may_be_listed(builder.pool.tools[choosing.producer], asked):
            continue
        compared = _several(builder, choosing.producer, asked, builder.rng.choices((2, 3, 4), (6, 3, 1))[0])
        if compared and (calls := _best_taken(builder, compared, range(len(compared)), choosing)) is not None:
            return calls
    return None


def _best_found(builder: TaskBuilder, design: TaskDesign) -> Calls | None:
    choosings = _usable(builder, builder.pool.choosings)
    for edge in _starting(builder, design, [edge for edge in builder.pool.edges if edge.feed.output.is_listed]):
        fitting = [
            one
            for one in choosings
            if (one.producer, one.choice.asked) == (edge.consumer, edge.feed.parameter)
            and one.consumer != edge.producer
        ]
        first = builder.draw(edge.producer, optional=False) if fitting else None
        if first is None:
            continue
        calls = _fanned(builder, [builder.look_up(first)], edge, builder.rng.choice((2, 2, 3)))
        for choosing in fitting if calls else ():
            if calls and (found := _best_taken(builder, calls, range(1, len(calls)), choosing)) is not None:
                return found
    return None


def _two_inputs(builder: TaskBuilder, design: TaskDesign) -> Calls | None:
    edges = _usable(builder, builder.pool.edges)
    for one in _starting(builder, design, edges):
        for other in edges:
            is_same = one.consumer != other.consumer or one.feed.parameter == other.feed.parameter
            if is_same or other.producer in (one.producer, one.consumer) or one.producer > other.producer:
                continue
            if (calls := _met(builder, one, other)) is not None:
                return calls
    return None


def _met(builder: TaskBuilder, one: FeedEdge, other: FeedEdge) -> Calls | None:
    """Return a call of each edge's producer, and a call of their consumer that needs both."""
    drawn = [builder.draw(place, optional=False) for place in (one.producer, other.producer, one.consumer)]
    calls = [call for call in drawn if call is not None]
    if len(calls) < 3 or not builder.may_use(one.producer, [other.producer]):
        return None
    *before, last = calls
    for parent, edge in enumerate((one, other)):
        builder.look_up(before[parent])
        source = Source((parent,), edge.feed.output.pointer())
        last.take(edge.feed.parameter, "fed", source, fed_reference(last, edge, 0))
    entities = {reference.entity for reference in last.references.values()}
    return _followed(builder, before, last) if len(entities) == 2 else None


def _best_taken(builder: TaskBuilder, calls: Calls, parents: range, choosing: Choosing) -> Calls | None:
    """Return the calls with one more, for the thing with the greatest, or least, field among the parents' results."""
    choice = choosing.choice
    call = builder.draw(choosing.consumer, optional=False)
    if call is None or not _is_twin(call, choice.taken, calls[parents[0]], choice.asked):
        return None
    most = builder.rng.random() < 0.5
    before = [builder.look_up(one) for one in calls]
    source = Source(tuple(parents), choice.output.pointer(), "greatest" if most else "least", choice.asked)
    comparison = Comparison(output_slot(choice.output), most, len(parents))
    slot, listed = slots(call.tool)[choice.taken], calls[parents[0]].references.get(choice.asked)
    is_item = listed is not None and listed.ordinal and not part_of(slot, listed.entity)
    entity = listed.entity if listed is not None and is_item else entity_of(slot)
    call.take(choice.taken, "chosen", source, Reference(entity=entity, obtained=True, chosen_by=comparison))
    return _followed(builder, before, call)
