"""Tasks of several calls: parallel, sequential or mixed (section 3.3).

P      one tool for two to five things, or several tools for one thing
S      a chain of two to four calls
S+P    a result that feeds several calls, or a chain with a call beside it
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from callwright.author.wanted import wanted_parameters
from callwright.author.wished_values import JOINS
from callwright.catalog.slots import leaves
from callwright.environment.told_outputs import is_own, takes_same
from callwright.environment.told_results import is_secret
from callwright.environment.tool_target import target_of
from callwright.lang.english import is_plural
from callwright.lang.lexicon import word_set
from callwright.lang.verbs_of_acts import CREATES, LOOKUPS
from callwright.papers.wild.ending_acts import closes
from callwright.papers.wild.gold_calls import (
    PlannedCall,
    PlannedTask,
    Source,
    fed_reference,
    is_of_one,
    is_one_of_list,
    wished,
)
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import is_valid, thing_of
from callwright.papers.wild.task_briefs import Reference
from callwright.papers.wild.task_builder import TaskBuilder, gives_name, is_identifying, varied
from callwright.papers.wild.tool_pool import FeedEdge
from callwright.records.jsontext import Json, JsonText, encode
from callwright.records.tool import Tool

Calls = list[PlannedCall]

LONGEST_CHAIN = 4
MOST_SAID = 3
"""Most values that one call of a message is given in words: what needs more is asked for alone."""
_ATTEMPTS = 2
_MOST_EDGES = 6
_COUNTS, _COUNT_WEIGHTS = (2, 3, 4, 5), (50, 35, 10, 5)

# -- the task --------------------------------------------------------------------------------------------------------


def multi(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a task of several calls in the topology that the design asks for."""
    shape = {"P": _parallel, "S": _chained, "S+P": _mixed}[design.topology]
    for _ in range(_ATTEMPTS):
        task = PlannedTask(design)
        calls = shape(builder, task)
        if calls is None or _is_announced_too(builder, calls) or _makes_another(calls):
            continue
        if builder.run(calls):
            task.calls = calls
            return task
    return _again(builder, design) if design.hiding else None


def _is_announced_too(builder: TaskBuilder, calls: Calls) -> bool:
    """Whether `that invoice`, which a call of the task gives, could be the one of which the chat before it spoke."""
    memory = builder.memory
    if not memory.position or memory.tools[-1]:
        return False
    spoken = {fact.entity for fact in memory.facts_of(memory.position - 1)}
    return any(call.references[name].entity in spoken for call in calls for name in call.sources)


def _makes_another(calls: Calls) -> bool:
    """Whether `the same article` could be the one that a call of the message has just made."""
    for place, call in enumerate(calls):
        spoken = {call.references[name].entity for name, way in call.ways.items() if way == "again"}
        made = (one for one in calls[:place] if target_of(one.tool).act == "create")
        if any(thing_of(one.tool) in spoken for one in made):
            return True
    return False


def _again(builder: TaskBuilder, design: TaskDesign) -> PlannedTask | None:
    """Return a task that begins with an earlier wish: `do that for invoice 3, then ...`."""
    if design.topology == "P":
        return builder.same_again(design, builder.rng.choice((2, 2, 3)))
    for task in builder.repeats(design, 1):
        first = task.calls[0]
        for edge in _usable(builder, [one for one in builder.pool.edges if one.producer == first.place]):
            calls = _fed(builder, [first], 0, edge)
            if calls is not None:
                calls = _extended(builder, calls) if design.topology == "S" else _mixed_in(builder, design, calls, edge)
            if calls is not None and builder.run(calls):
                task.calls = calls
                return task
    return None


def _drawn(builder: TaskBuilder, place: int) -> PlannedCall | None:
    """Return a call that is said in a few words; None if the tool has none."""
    call = builder.draw_listed(place, optional=False)
    return call if call is not None and len(leaves(call.tool, call.values)) <= MOST_SAID else None


# -- P: calls that need nothing of one another -----------------------------------------------------------------------


def _parallel(builder: TaskBuilder, task: PlannedTask) -> Calls | None:
    """Return calls that need nothing of one another: one tool for several things, or several tools for one thing."""
    design, wanted = task.design, builder.rng.choices(_COUNTS, _COUNT_WEIGHTS)[0]
    if builder.rng.random() < 0.5:
        calls = _same_tool(builder, design, wanted) or _same_thing(builder, design)
    else:
        calls = _same_thing(builder, design) or _same_tool(builder, design, wanted)
    if calls is None or not design.hiding:
        return calls
    for _ in range(len(calls)):
        if says_first(calls) and builder.hide_value(task, calls, 0):
            return calls
        calls.append(calls.pop(0))
    return None


def says_first(calls: Calls) -> bool:
    """Whether what a call speaks of again was said by one before it: nobody says `the same tag`, and then which."""
    said: set[JsonText] = set()
    for call in calls:
        if any(way == "again" and encode(call.values[name]) not in said for name, way in call.ways.items()):
            return False
        said |= {encode(call.values[name]) for name in call.said}
    return True


def _same_tool(builder: TaskBuilder, design: TaskDesign, count: int) -> Calls | None:
    """Return `count` calls of one tool that differ in one thing."""
    for place in builder.order(design):
        first = _drawn(builder, place)
        name = varied(first.tool, first.values) if first is not None else ""
        calls = [] if first is None or not name else [first]
        for _ in range(count * 4 if calls else 0):
            if len(calls) == count:
                return calls
            values = builder.for_another(calls[0], name)
            is_new = encode(values.get(name)) not in {encode(call.values[name]) for call in calls}
            if name in values and is_new and is_valid(calls[0].tool, values):
                calls.append(PlannedCall(place, calls[0].tool, calls[0].name, values))
    return None


def _same_thing(builder: TaskBuilder, design: TaskDesign) -> Calls | None:
    """Return calls of two or three tools that all are about one thing."""
    for place in builder.order(design):
        first = _drawn(builder, place)
        calls = _joined_by(builder, design, [] if first is None else [first], builder.rng.choice((2, 2, 3)))
        if len(calls) > 1:
            return calls
    return None


def _joined_by(builder: TaskBuilder, design: TaskDesign, calls: Calls, count: int) -> Calls:
    """Return the calls with more, up to `count`, for what the first one is about."""
    out = list(calls)
    for place in builder.order(design) if calls else ():
        places = [call.place for call in out]
        tool = builder.pool.tools[place]
        is_open = len(out) < count and place not in places and builder.may_use(place, places)
        if not is_open or len(_common(tool, wanted_parameters(tool), calls[0])) != 1:
            continue
        call = _drawn(builder, place)
        is_own = target_of(tool).act == "read" and takes_own(tool, calls[0])  # nobody asks last for the thing itself
        if call is not None and not is_own and _shares(call, calls[0]) and not closes(call.tool):
            out.append(call)
    return out


def takes_own(tool: Tool, first: PlannedCall) -> bool:
    """Return whether a tool looks up the very thing that a call is about."""
    return target_of(tool).own in [name for name, _ in _common(tool, wanted_parameters(tool), first)]


def _shares(call: PlannedCall, first: PlannedCall) -> bool:
    """Let a call be about the thing that the first one is about; False if they have not just one in common."""
    pairs = _common(call.tool, call.values, first)
    if len(pairs) != 1 or closes(first.tool):
        return False
    name, theirs = pairs[0]
    if type(call.values[name]) is not type(first.values[theirs]):
        return False
    call.values[name] = first.values[theirs]
    call.ways[name] = "again"
    call.references[name] = Reference(entity=first.entity(theirs))
    return is_valid(call.tool, call.values)


def _common(tool: Tool, names: Iterable[str], first: PlannedCall) -> list[tuple[str, str]]:
    """Return the pairs of a parameter of the tool and one that the first call says which take the same thing."""
    open_ = [name for name in names if is_identifying(tool, name) and not is_secret(name)]
    single = [theirs for theirs in first.said if "," not in str(first.values[theirs])]  # `the same user` is one
    return [(name, theirs) for name in open_ for theirs in single if takes_same(first.tool, theirs, tool, name)]


# -- S: calls fed by others ------------------------------------------------------------------------------------------


def _chained(builder: TaskBuilder, task: PlannedTask) -> Calls | None:
    """Return two to four calls of which each needs the one before."""
    starts = (_first_two(builder, task, edge) for edge in _starting(builder, task.design))
    return next((_extended(builder, calls) for calls in starts if calls is not None), None)


def _first_two(builder: TaskBuilder, task: PlannedTask, edge: FeedEdge) -> Calls | None:
    """Return a call of the edge's producer, which hides what the task hides, and one of its consumer that needs it."""
    first = _drawn(builder, edge.producer)
    if first is None or (task.design.hiding and not builder.hide_value(task, [first], 0)):
        return None
    calls = _fed(builder, [first], 0, edge)
    task.hidden = task.hidden if calls else []
    return calls


def _extended(builder: TaskBuilder, calls: Calls) -> Calls:
    """Return the chain, now and then with more calls at its end if tools allow."""
    while len(calls) < LONGEST_CHAIN and builder.rng.random() < 0.4 and (grown := _longer(builder, calls)):
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
    """Return the calls with one more, fed by the result of the call at `parent`, by item `item` if it is a list.

    None if the result gives no valid value, or if the call needs another thing that the request would have to say.
    """
    call = _drawn(builder, edge.consumer)
    if call is None or _is_of_several(calls[parent].tool, edge):
        return None
    call.take(
        edge.flow.parameter,
        Source(parent, edge.flow.output.pointer(item)),
        fed_reference(calls[parent].tool, call, edge, item),
    )
    for name in call.said:
        if is_identifying(call.tool, name):
            owner = next((one for one in calls if any(_is_its(call, name, one, theirs) for theirs in one.values)), None)
            if owner is None:
                return None
            theirs = next(theirs for theirs in owner.values if _is_its(call, name, owner, theirs))
            call.values[name], call.ways[name] = owner.values[theirs], "again"
            is_told = _tells_owner(calls[parent], call, owner.values[theirs])
            call.references[name] = Reference(hiding="partial" if is_told else "", entity=owner.entity(theirs))
    if is_so_already(call, calls[parent]):
        return None
    if calls[parent].result.value is None:
        builder.look_up(calls[parent])
    return [*calls, call] if call.pass_on(calls) and is_valid(call.tool, call.values) else None


def _is_of_several(producer: Tool, edge: FeedEdge) -> bool:
    """Whether what flows would be `its game`, of several things that the request asks for: `the sports`."""
    output = edge.flow.output
    act = wished(producer).act
    if output.is_listed and act not in LOOKUPS and act not in CREATES and not is_of_one(producer, output):
        return True  # the files that a commit returns, nobody has heard of
    is_its = not is_own(producer, output) and (not output.is_listed or is_of_one(producer, output))
    head = wished(producer).chunks[0].text.rpartition(" ")[2].lower()
    return is_its and is_plural(head) and head not in word_set("aspects") and target_of(producer).act == "list"


def _tells_owner(source: PlannedCall, call: PlannedCall, owner: Json) -> bool:
    """Whether the thing that flows is known to be of its owner: `the first entry`, of entries that the project has."""
    found = wished(call.tool)
    is_moved = found.act in JOINS or any(chunk.preposition in _WHENCE for chunk in found.chunks)
    return not is_moved and encode(owner) in map(encode, source.values.values())


_WHENCE = frozenset("from to into".split())


def is_so_already(call: PlannedCall, source: PlannedCall) -> bool:
    """Whether a call joins a thing to what a lookup has just listed it for: the tags of a contact to the contact."""
    given = {encode(value) for value in source.values.values()}
    is_same_owner = any(encode(call.values[name]) in given for name, way in call.ways.items() if way == "again")
    return wished(call.tool).act in JOINS and wished(source.tool).act in LOOKUPS and is_same_owner


def _is_its(call: PlannedCall, name: str, owner: PlannedCall, theirs: str) -> bool:
    """Whether a parameter takes the thing that an earlier call of the message is about."""
    is_same = takes_same(owner.tool, theirs, call.tool, name)
    is_said = theirs not in owner.sources and owner.ways.get(theirs, "said") not in ("hidden", "unsaid")
    return is_same and is_said and type(owner.values[theirs]) is type(call.values[name])


def _usable(builder: TaskBuilder, edges: Sequence[FeedEdge]) -> list[FeedEdge]:
    """Return the edges between usable tools in random order."""
    found = [edge for edge in edges if builder.may_use(edge.producer) and builder.may_use(edge.consumer)]
    builder.rng.shuffle(found)
    return found


def _starting(builder: TaskBuilder, design: TaskDesign) -> list[FeedEdge]:
    """Return some edges whose first call may hide what the design wants, first those that another edge follows."""
    first = set(builder.beginning({edge.producer for edge in builder.pool.edges}, design.hiding))
    edges = [edge for edge in builder.pool.edges if edge.producer in first]
    return sorted(_usable(builder, edges), key=lambda edge: edge.consumer not in builder.pool.leading)[:_MOST_EDGES]


# -- S+P -------------------------------------------------------------------------------------------------------------


def _mixed(builder: TaskBuilder, task: PlannedTask) -> Calls | None:
    """Return calls that share the first one's result, or a chain with calls beside it."""
    for edge in _starting(builder, task.design):
        calls = _first_two(builder, task, edge)
        found = _mixed_in(builder, task.design, calls, edge) if calls is not None else None
        if found is not None:
            return found
        task.hidden = []
    return None


def _mixed_in(builder: TaskBuilder, design: TaskDesign, calls: Calls, edge: FeedEdge) -> Calls | None:
    if closes(calls[-1].tool):
        return None
    is_list = is_one_of_list(calls[0].tool, edge.flow.output)
    if is_list and (found := _fanned(builder, calls[:1], edge, builder.rng.choice((2, 2, 3)))):
        return found
    used = {call.place for call in calls}
    edges = [one for one in builder.pool.edges if one.producer == edge.producer and one.consumer not in used]
    others = [one for one in edges if not closes(one.flow.target)]
    return _fed_by_any(builder, calls, 0, others) or _beside(builder, design, calls)


def _fanned(builder: TaskBuilder, calls: Calls, edge: FeedEdge, count: int) -> Calls | None:
    """Return the calls with `count` more of one tool, for the first items of the first result's list."""
    out = calls
    for item in range(count):
        grown = _fed(builder, out, 0, edge, item)
        if grown is None:
            break
        if gives_name(grown[-1]):
            return None
        grown[-1].values = {**grown[len(calls)].values, edge.flow.parameter: grown[-1].values[edge.flow.parameter]}
        out = grown
    return out if len(out) >= len(calls) + 2 else None


def _beside(builder: TaskBuilder, design: TaskDesign, calls: Calls) -> Calls | None:
    """Return the chain with a call beside it: for what its first call is about, else for another thing."""
    joined = _joined_by(builder, design, calls, len(calls) + 1)
    if len(joined) > len(calls):
        return joined
    for place in builder.order(design):
        places = [call.place for call in calls]
        call = _drawn(builder, place) if place not in places and builder.may_use(place, places) else None
        if call is not None:
            return [*calls, call]
    return None
