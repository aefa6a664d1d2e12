"""Calls of one session: tools to choose from, drawn values, results, and values hidden in earlier turns (section 3.2).

Every function that makes a task returns None if the tools and the earlier tasks cannot give what the design asks for;
the planner then tries again. Results come from the tool environment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from random import Random

from callwright.author.askable_tools import left_out
from callwright.author.briefs import Known
from callwright.author.value_drawing import draw_values
from callwright.author.wanted import wanted_parameters
from callwright.catalog.slots import Slot, leaves, slots
from callwright.environment.returns import identity_of
from callwright.environment.told_outputs import outputs, takes_same
from callwright.environment.told_results import is_secret
from callwright.environment.tool_target import target_of
from callwright.environment.tool_world import ToolWorld
from callwright.errors import RolloutFailed
from callwright.lang.english import plural
from callwright.lang.kinds import Kind
from callwright.lang.schemas import name_words
from callwright.lang.spotting import has_word
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask, wished
from callwright.papers.wild.said_choices import is_state_of_act
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import (
    CARRIED,
    Fact,
    SessionMemory,
    TaskTopic,
    is_identifier,
    is_valid,
    may_mean,
)
from callwright.papers.wild.task_briefs import Reference
from callwright.papers.wild.tool_pool import ToolPool
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool

_NAMING: frozenset[Kind] = frozenset(("title", "other", "person", "email", "phone", "url", "text"))
"""Kinds of values that belong to one thing: nobody gives them to several."""
_OPTIONAL: frozenset[Kind] = frozenset(("date", "city", "country", "year", "language"))
_OPTIONAL_SHARE = 0.12
_REPEAT_ATTEMPTS = 6
_MANY = 4
"""Values beyond which a request is hard to follow."""
_ALTERS = frozenset("update edit change modify set add move assign send put patch replace".split())
"""Acts that are done to one thing more than once."""
_NEVER_SAID = frozenset(("fed", "hidden", "missing"))
"""Ways to treat a value that no other value of the request may contain."""


class TaskBuilder:
    """The tools, values and memory that the tasks of one session are made with."""

    def __init__(
        self, rng: Random, pool: ToolPool, persona: Persona, today: date, world: ToolWorld, first_tool: int = 0
    ) -> None:
        """`first_tool`: place of the tool that the first task prefers; each later task prefers the next one."""
        self.rng = rng
        self.pool = pool
        self.persona = persona
        self.today = today
        self.world = world
        self.first_tool = first_tool
        self.memory = SessionMemory()
        self.used: set[int] = set()
        """Places of the tools that are called."""
        self._taken: tuple[int, set[JsonText]] = (0, set())
        """Listed things that calls of the task at a position already have."""

    # -- tools and values ------------------------------------------------------------------------------------------

    def order(self, design: TaskDesign) -> list[int]:
        """Return the places of the usable tools in the order to try them.

        First come tools that take what the task may refer to; then those that need few values; then uncalled tools; if
        a chain follows, of these the ones whose results feed others; then the tool that the task prefers.
        """
        places = [place for place in range(len(self.pool.tools)) if self.may_use(place)]
        self.rng.shuffle(places)
        preferred = (self.first_tool + self.memory.position) % len(self.pool.tools)
        first = self.pool.leading if design.chain_follows else frozenset(places)
        goes_on = set(self.beginning(places, design.hiding))
        return sorted(
            places,
            key=lambda place: (
                place not in goes_on,
                len(wanted_parameters(self.pool.tools[place])) > _MANY,
                place in self.used,
                place not in first,
                place != preferred,
            ),
        )

    def may_use(self, place: int, also: Iterable[int] = ()) -> bool:
        """Whether a request can tell the tool from all called ones, and from those at the places `also`."""
        return not any((place, one) in self.pool.rivals for one in {*self.used, *also})

    def beginning(self, places: Iterable[int], hiding: str) -> list[int]:
        """Return the places of the tools of which a call can take what a task with this hiding may leave out."""
        tasks = set(self.memory.source_tasks(hiding))
        facts = [fact for fact in self.memory.facts if fact.task in tasks]
        tools = ((place, self.pool.tools[place]) for place in places)
        return [
            place
            for place, tool in tools
            if not hiding or any(may_mean(fact, tool, name) for fact in facts for name in tool.required)
        ]

    def draw(self, place: int, *, optional: bool = True) -> PlannedCall | None:
        """Return a call of the tool at `place` with drawn values; None if no valid ones can be drawn."""
        tool = self.pool.tools[place]
        if left_out(tool):
            return None
        wanted = list(wanted_parameters(tool))
        if optional:
            spare = [n for n in tool.properties if n not in wanted and slots(tool)[n].kind in _OPTIONAL]
            wanted += [name for name in spare if self.rng.random() < _OPTIONAL_SHARE][:1]
        try:
            drawn = draw_values(self.rng, tool, self.persona, today=self.today, also=wanted, ids=self.pool.ids)
        except RolloutFailed:
            return None
        return PlannedCall(place, tool, self.pool.names[place], drawn)

    def draw_listed(self, place: int, *, optional: bool = True) -> PlannedCall | None:
        """Return a drawn call for a thing that an earlier result listed, where there is one."""
        call = self.draw(place, optional=optional)
        if call is not None:
            call.values |= self.listed_thing(call.tool, call.values)
        return call

    def for_another(self, call: PlannedCall, name: str) -> dict[str, Json]:
        """Return the values of a call for another thing in the parameter `name`; empty if none can be drawn."""
        other = self.draw(call.place, optional=False)
        fixed = call.values.keys() - {name}
        listed = self.listed_thing(call.tool, call.values, fixed)
        return {} if other is None else {**call.values, name: other.values.get(name), **listed}

    def listed_thing(self, tool: Tool, values: Mapping[str, Json], fixed: Collection[str] = ()) -> dict[str, Json]:
        """Return values that name a thing which an earlier result listed, with what it belongs to.

        Nobody has named the thing yet. Empty where there is none that leaves the values of `fixed` as they are.
        """
        own = target_of(tool).own
        if own not in values or own in fixed or not is_identifying(tool, own):
            return {}
        position, taken = self._taken
        self._taken = (self.memory.position, taken if position == self.memory.position else set())
        facts = self.memory.listed_things(tool, own, values[own])
        self.rng.shuffle(facts)
        for fact in facts:
            owners = {n: self.memory.beside(fact, tool, n) for n in values if n != own and is_identifying(tool, n)}
            found = {n: one.known.value for n, one in owners.items() if one is not None}
            is_there = found.keys() == owners.keys() and all(found[n] == values[n] for n in found if n in fixed)
            named = {own: fact.known.value, **found}
            if is_there and fact.known.text not in self._taken[1] and is_valid(tool, {**values, **named}):
                self._taken[1].add(fact.known.text)
                return named
        return {}

    def look_up(self, call: PlannedCall) -> PlannedCall:
        """Return the call with the result that it would have now, for others to go on from."""
        call.result = self.world.call(call.tool, call.values)
        return call

    def run(self, calls: Sequence[PlannedCall]) -> bool:
        """Make the calls of a task in order.

        False if a call repeats one of the session, fails, or gets no value from the calls that it needs, and where
        several calls would have passwords handed over in one message.
        """
        if len(calls) > 1 and sum(is_secret(name) for call in calls for name in call.values) > 1:
            return False
        seen = set(self.memory.calls)
        said = " ".join(encode(call.values[name]) for call in calls for name in call.said).casefold()
        world = self.world.fork()
        returned: set[str] = set()
        for call in calls:
            if not call.pass_on(calls) or not self._settle(world, call, seen):
                return False
            unsaid = [str(call.values[name]).casefold() for name, way in call.ways.items() if way in _NEVER_SAID]
            is_told = any(has_word(said, value) for value in unsaid)
            is_known = call.identity in seen or self._is_namesake(call) or self._is_done(call)
            if is_known or is_told or not is_valid(call.tool, call.values):
                return False
            if call.after and any(encode(call.values[name]) in returned for name in call.said):
                return False  # by chance an earlier result has what the request says
            seen.add(call.identity)
            call.result = world.call(call.tool, call.values)
            if call.result.value is None:
                return False
            world.keep(call.tool, call.values, call.result)
            given = {encode(value) for value in call.values.values()}
            returned |= {text for text in _texts(decode(call.result.value)) if len(text) > 3} - given
        self.world = world
        return True

    def _settle(self, world: ToolWorld, call: PlannedCall, seen: set[tuple[str, JsonText]]) -> bool:
        """Make a call for a thing that its list lacks one for a thing in it; False where there is none to take."""
        if world.belongs_elsewhere(call.tool, call.values):
            return False
        lacking = world.lacking(call.tool, call.values)
        if lacking is None:
            return True
        name, others = lacking
        made = [{**call.values, name: one} for one in others if call.ways.get(name, "said") == "said"]
        fitting = [one for one in made if is_valid(call.tool, one) and (call.tool.key, encode(one)) not in seen]
        if fitting:
            call.values = self.rng.choice(fitting)
        return bool(fitting)

    def _is_namesake(self, call: PlannedCall) -> bool:
        """Whether a call makes a second thing of one name."""
        if target_of(call.tool).act != "create":
            return False
        named = {n: one for n, one in call.values.items() if n in slots(call.tool) and _is_name(slots(call.tool)[n])}
        earlier = (decode(given) for key, given in self.memory.calls if key == call.tool.key)
        return any(one.get(n) == value for one in earlier for n, value in named.items())

    def _is_done(self, call: PlannedCall) -> bool:
        """Whether a call would end, restore or remove a thing once more; to change its values again is no such act."""
        target = target_of(call.tool)
        if target.act not in ("change", "delete") or target.own not in call.values or wished(call.tool).act in _ALTERS:
            return False
        earlier = (decode(given) for key, given in self.memory.calls if key == call.tool.key)
        things = [name for name in call.values if is_identifying(call.tool, name)]
        return any(all(one.get(name) == call.values[name] for name in things) for one in earlier)

    def _makes_twin(self, tool: Tool, name: str, text: JsonText) -> bool:
        """Whether a second thing would be made with what is one thing's own, as an address or a login."""
        if target_of(tool).act != "create" or is_identifying(tool, name):
            return False
        earlier = (decode(given) for key, given in self.memory.calls if key == tool.key)
        return any(name in one and encode(one[name]) == text for one in earlier)

    # -- hidden values (section 3.4) -------------------------------------------------------------------------------

    def hide_value(self, task: PlannedTask, calls: Sequence[PlannedCall], position: int) -> bool:
        """Replace one value of a call by an earlier one and hide it; False if no earlier value fits.

        "That city" could mean a city of the same message, so no call before it has such a thing.
        """
        call, hiding = calls[position], task.design.hiding
        lacking = [name for name, way in call.ways.items() if way == "missing"]
        before = calls[:position] if hiding != "long_range" else ()
        twins = [one for one in calls if one is not call and one.tool == call.tool]
        names = [name for name in call.said if all(one.values.get(name) == call.values[name] for one in twins)]
        names = [name for name in names if not any(_has(one.tool, call.tool, name) for one in before)]
        self.rng.shuffle(names)
        for name in things_first(call.tool, names):
            if any(takes_same(call.tool, name, call.tool, one) for one in lacking):
                continue  # the earlier one could be taken for it
            for fact in self.memory.sources(hiding, call.tool, name, call.values[name]):
                if self._makes_twin(call.tool, name, fact.known.text):
                    continue
                reference = self.memory.reference(fact, task.design)
                found = self._with_owners(call, name, fact, hiding) if reference is not None else None
                taken = {} if found is None else {one: known.known.value for one, known in found.items()}
                if found is None or reference is None or not is_valid(call.tool, {**call.values, **taken}):
                    continue
                for one, known in found.items():
                    was = call.values[one]
                    how = reference if one == name else Reference(hiding="partial")
                    self._hide(task, position, one, known, how, call)
                    for place, other in enumerate(calls):
                        for twin in _same_in(other, call, one, was):
                            self._hide(task, place, twin, known, how, other)
                return True
        return False

    def _with_owners(self, call: PlannedCall, name: str, fact: Fact, hiding: str) -> dict[str, Fact] | None:
        """The facts that the call takes: a thing that is referred to brings along what it belongs to."""
        if self._is_of_others(call, name, fact):
            return None
        found = {name: fact}
        for other in call.values if is_identifying(call.tool, name) else ():
            is_open = call.ways.get(other, "said") in ("said", "again")
            if other == name or not is_open or not is_identifying(call.tool, other):
                continue
            owner = self.memory.beside(fact, call.tool, other)
            if owner is None and self.memory.has_several(fact, call.tool, other):
                return None
            if owner is None:
                continue
            if hiding == "long_range" and not (self.memory.is_far(owner) and self.memory.is_only(owner)):
                return None
            found[other] = owner
        return found

    def _is_of_others(self, call: PlannedCall, name: str, fact: Fact) -> bool:
        """Whether a thing belongs to what the call does not take: an invoice's attachment is not in an account."""
        tool, target = call.tool, target_of(call.tool)
        if target.own != name or target.act not in ("read", "change", "delete"):
            return False
        others = [one for one in call.values if one != name and is_identifying(tool, one)]
        if all(self.memory.beside(fact, tool, one) is not None for one in others):
            return False
        return any(not any(may_mean(one, tool, n) for n in tool.properties) for one in self.memory.owners_of(fact))

    def _hide(
        self, task: PlannedTask, position: int, name: str, fact: Fact, reference: Reference, call: PlannedCall
    ) -> None:
        call.values[name] = fact.known.value
        call.ways[name] = "hidden"
        call.references[name] = reference
        task.hidden.append(self.memory.hidden_value(fact, task.design.hiding, position, name))

    # -- repeated wishes -------------------------------------------------------------------------------------------

    def earlier_topics(self, hiding: str) -> Iterator[TaskTopic]:
        """Yield what the tasks were about that this hiding may refer to, nearest first.

        The last exchange does not have the tool that a long-range request means.
        """
        barred = self.memory.tools[-1] if hiding == "long_range" else set()
        topics = (self.memory.topics[source] for source in self.memory.source_tasks(hiding))
        return (one for one in topics if one.name not in barred)

    def repeats(self, design: TaskDesign, count: int) -> Iterator[PlannedTask]:
        """Yield tasks that repeat an earlier wish `count` times for other things."""
        for topic in self.earlier_topics(design.hiding):
            if topic.tool is not None and self.may_use(self.pool.tools.index(topic.tool)):
                tasks = (self.repeated(design, topic, topic.tool, count) for _ in range(_REPEAT_ATTEMPTS))
                yield from (task for task in tasks if task is not None)

    def same_again(self, design: TaskDesign, count: int) -> PlannedTask | None:
        """Return a task that repeats an earlier wish `count` times for other things."""
        for task in self.repeats(design, count):
            for call in task.calls:
                name = varied(call.tool, call.values)
                call.values |= self.listed_thing(call.tool, call.values, call.values.keys() - {name})
            if self.run(task.calls):
                return task
        return None

    def repeated(self, design: TaskDesign, topic: TaskTopic, tool: Tool, count: int) -> PlannedTask | None:
        """Return a task that asks `count` times for an earlier topic again, each time for another thing."""
        place = self.pool.tools.index(tool)
        calls = [call for _ in range(count) if (call := self.draw(place, optional=False)) is not None]
        name = varied(tool, topic.values)
        if len(calls) < count or not name or topic.varied not in ("", name) or name not in calls[0].values:
            return None
        far = design.hiding == "long_range"
        is_first = far and design.signposted and self.memory.request_number(topic.task) == 1
        request = int(is_first)  # nobody counts his later requests
        if far and not request and len(self.memory.requests_about(topic.thing)) > 1:
            return None
        listed = wished(tool).chunks[0].text
        is_several = listed.lower().endswith(plural(topic.thing.rpartition(" ")[2].lower()))
        thing = plural(topic.thing) if is_several else topic.thing
        about = thing if far and not request else ""
        task = PlannedTask(design, calls, again=Reference(hiding=design.hiding, request=request, about=about))  # type: ignore[arg-type]
        for position, call in enumerate(calls):
            call.values = {**topic.values, name: call.values[name]}
            call.ways = {n: "unsaid" for n in topic.values if n != name}
            act, known = wished(tool).act, slots(tool)
            told = [n for n in call.ways if not is_state_of_act(Known(known[n], encode(call.values[n])), act)]
            origins = {n: self.memory.origin_of(call.values[n], n) for n in told}
            facts = {n: fact for n, fact in origins.items() if fact and (not far or self.memory.is_far(fact))}
            if not is_valid(tool, call.values) or len(facts) < len(origins):
                return None
            task.hidden.append(self.memory.hidden_wish(topic, design.hiding, position))
            task.hidden += [self.memory.hidden_value(fact, design.hiding, position, n) for n, fact in facts.items()]
        return task


def things_first(tool: Tool, names: Sequence[str]) -> list[str]:
    """Return the parameters that identify things first, of these the innermost: a reaction is on a comment.

    Who refers to a comment means its file with it; who refers to the file says nothing of the comment.
    """
    return sorted(names, key=lambda name: (not is_identifying(tool, name), -tool.source.find(f"{{{name}}}")))


def is_identifying(tool: Tool, name: str) -> bool:
    """Whether a parameter identifies a thing."""
    return is_identifier(slots(tool)[name].kind, identity_of(tool, name))


def varied(tool: Tool, values: Mapping[str, Json]) -> str:
    """Return the parameter in which calls for several things differ; empty if there is none.

    That is the thing itself; of a list, or something new, what it belongs to; else the only place, day or name. What
    belongs to one thing alone, such as its title, is not given to a second one.
    """
    kinds = {name: slots(tool)[name].kind for name in values if not is_secret(name)}
    things = [name for name in kinds if is_identifying(tool, name)]
    target = target_of(tool)
    if _gives_name(tool, values):
        return ""
    if target.own in things:
        owners = identity_of(tool, target.own)[0]
        parts = [name for name in things if owners < identity_of(tool, name)[0]]  # `conversation_part_id`
        return target.own if not parts else parts[0] if len(parts) == 1 else ""
    if len(things) == 1:
        return things[0]
    named = [name for name, kind in kinds.items() if kind in (CARRIED | {"title", "other", "currency"}) - {"date"}]
    return named[0] if not things and len(named) == 1 else ""


def _is_name(slot: Slot) -> bool:
    return slot.kind in ("title", "person") and name_words(slot.label)[-1:] in (("name",), ("title",), ("subject",))


def gives_name(call: PlannedCall) -> bool:
    """Return whether the request says what one thing alone has, such as its title."""
    return _gives_name(call.tool, {name: call.values[name] for name in call.said})


def _gives_name(tool: Tool, values: Mapping[str, Json]) -> bool:
    given = (slots(tool)[path].kind for path in leaves(tool, values) if path in slots(tool))
    return target_of(tool).act in ("create", "change") and any(kind in _NAMING for kind in given)


def _same_in(other: PlannedCall, call: PlannedCall, name: str, value: Json) -> list[str]:
    """The parameters of another call of the message that take the thing which is hidden now."""
    if other is call:
        return []
    open_ = [one for one in other.values if other.ways.get(one, "said") in ("said", "again")]
    same = [one for one in open_ if encode(other.values[one]) == encode(value)]
    return [
        one for one in same if (other.tool, one) == (call.tool, name) or takes_same(call.tool, name, other.tool, one)
    ]


def _texts(value: Json) -> Iterator[str]:
    """Yield the single values in a result as JSON text."""
    if isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
    else:
        yield encode(value)


def _has(tool: Tool, other: Tool, name: str) -> bool:
    """Whether a tool takes or returns the sort of thing that a parameter of another takes."""
    wanted = identity_of(other, name)
    is_taken = any(takes_same(tool, mine, other, name) for mine in tool.properties)
    return is_taken or any(output.identity == wanted for output in outputs(tool))
