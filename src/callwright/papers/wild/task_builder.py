"""Calls of one session: tools to choose from, drawn values, results, and values hidden in earlier turns (section 3.2).

Every function that makes a task returns None if the tools and the earlier tasks cannot give what the design asks for;
the planner then tries again. Results come from the tool environment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from random import Random

from callwright.author.value_drawing import draw_values
from callwright.author.wanted import left_out, wanted_parameters
from callwright.catalog.slots import slots
from callwright.environment.feeding import outputs, takes_same
from callwright.environment.returns import identity_of
from callwright.environment.tool_world import ToolWorld
from callwright.errors import RolloutFailed
from callwright.lang.kinds import Kind
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import (
    HIDEABLE,
    Fact,
    SessionMemory,
    TaskTopic,
    is_secret,
    is_valid,
    may_mean,
)
from callwright.papers.wild.task_briefs import Reference
from callwright.papers.wild.tool_pool import ToolPool
from callwright.records.jsontext import Json, decode, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool

LISTED: frozenset[Kind] = frozenset(
    ("city", "country", "code", "person", "title", "other", "url", "email", "phone", "currency")
)
"""Kinds of which a request can name several in a row: `for Lyon, Paris and Nice`."""
_VARIED: frozenset[Kind] = LISTED | {"date", "year", "enum", "count"}
"""Kinds that can differ when a wish is repeated."""
_OPTIONAL: frozenset[Kind] = frozenset(("date", "city", "country", "year", "language"))
_OPTIONAL_SHARE = 0.12
_REPEAT_ATTEMPTS = 6
_NEVER_SAID = frozenset(("fed", "hidden", "missing"))
"""Ways to treat a value that no other value of the request may contain."""


class TaskBuilder:
    """What the tasks of one session are made with."""

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

    # -- tools and values ------------------------------------------------------------------------------------------

    def order(self, *, chain_follows: bool = False) -> list[int]:
        """Return the places of the usable tools in the order to try them.

        Uncalled tools come first; if a chain follows, of these the ones whose results feed others; then the tool that
        the task prefers.
        """
        places = [place for place in range(len(self.pool.tools)) if self.may_use(place)]
        self.rng.shuffle(places)
        preferred = (self.first_tool + self.memory.position) % len(self.pool.tools)
        first = self.pool.leading if chain_follows else frozenset(places)
        return sorted(places, key=lambda place: (place in self.used, place not in first, place != preferred))

    def may_use(self, place: int, also: Iterable[int] = ()) -> bool:
        """Whether a request can tell the tool from all called ones, and from those at the places `also`."""
        return not any((place, one) in self.pool.rivals for one in {*self.used, *also})

    def may_begin(self, place: int, hiding: str) -> bool:
        """Whether a task may begin with a call of the tool.

        A partial or coreferential request hides a value of its first call, so the last task must have one for it.
        """
        if hiding in ("", "long_range"):
            return True
        tool, last = self.pool.tools[place], self.memory.position - 1
        facts = [fact for fact in self.memory.facts_of(last) if fact.known.slot.kind in HIDEABLE]
        return any(may_mean(fact, tool, name) for fact in facts for name in tool.required)

    def draw(self, place: int, *, optional: bool = True) -> PlannedCall | None:
        """Return a call of the tool at `place` with drawn values; None if no valid ones can be drawn."""
        tool = self.pool.tools[place]
        if left_out(tool):
            return None
        wanted = list(wanted_parameters(tool))
        if optional:
            spare = [n for n in tool.properties if n not in wanted and slots(tool)[n].kind in _OPTIONAL]
            wanted += [name for name in spare if self.rng.random() < _OPTIONAL_SHARE][:1]
        drawn = self._drawn(tool, wanted)
        return None if drawn is None else PlannedCall(place, tool, self.pool.names[place], drawn)

    def _drawn(self, tool: Tool, also: Sequence[str]) -> dict[str, Json] | None:
        try:
            return draw_values(self.rng, tool, self.persona, today=self.today, also=also, ids=self.pool.ids)
        except RolloutFailed:
            return None

    def optional_values(self, call: PlannedCall) -> list[tuple[str, Json]]:
        """Return parameters, with values, that the call could have too, and for which an earlier value could stand."""
        spare = [name for name in call.tool.properties if name not in call.values]
        names = [name for name in spare if self.memory.could_fill(call.tool, name)]
        drawn = self._drawn(call.tool, names) or {}
        return [(name, drawn[name]) for name in names if name in drawn]

    def look_up(self, call: PlannedCall) -> PlannedCall:
        """Return the call with the result that it would have now, for others to go on from."""
        call.result = self.world.call(call.tool, call.values)
        return call

    def run(self, calls: Sequence[PlannedCall]) -> bool:
        """Make the calls of a task in order.

        False if a call repeats one of the session, fails, or gets no value from the calls that it needs.
        """
        seen = set(self.memory.calls)
        said = " ".join(encode(call.values[name]) for call in calls for name in call.said).casefold()
        world = self.world.fork()
        returned: set[str] = set()
        for call in calls:
            if not call.pass_on(calls):
                return False
            unsaid = [str(call.values[name]).casefold() for name, way in call.ways.items() if way in _NEVER_SAID]
            is_told = any(re.search(rf"\b{re.escape(value)}\b", said) for value in unsaid)
            if call.identity in seen or is_told or not is_valid(call.tool, call.values):
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

    # -- hidden values (section 3.4) -------------------------------------------------------------------------------

    def hide_value(self, task: PlannedTask, calls: Sequence[PlannedCall], position: int) -> bool:
        """Replace one value of a call by an earlier one and hide it; False if no earlier value fits.

        "That city" could mean a city of the same message, so no call before it has such a thing.
        """
        call = calls[position]
        lacking = {slots(call.tool)[name].kind for name, way in call.ways.items() if way == "missing"}
        others = [one for one in calls if one is not call and one.tool == call.tool]
        names = [name for name in call.said if all(one.values.get(name) == call.values[name] for one in others)]
        names = [n for n in names if slots(call.tool)[n].kind not in lacking]  # the earlier one could be taken for it
        before = calls[:position] if task.design.hiding != "long_range" else ()
        names = [n for n in names if not any(_has(one.tool, call.tool, n) for one in before)]
        self.rng.shuffle(names)
        for name in sorted(names, key=lambda n: slots(call.tool)[n].kind in ("title", "other", "person")):
            found = list(self.memory.sources(task.design.hiding, call.tool, name, call.values[name]))
            self.rng.shuffle(found)
            valid = (fact for fact in found if is_valid(call.tool, {**call.values, name: fact.known.value}))
            meant = ((fact, self.memory.reference(self.rng, fact, task.design)) for fact in valid)
            fact, reference = next((pair for pair in meant if pair[1] is not None), (None, None))
            if fact is not None and reference is not None:
                own = encode(call.values[name])
                self._hide(task, position, name, fact, reference, call)
                for place, other in enumerate(calls):
                    twins = [one for one, way in other.ways.items() if way == "again"]
                    twins += [name] if other is not call and other.tool == call.tool and name in other.said else []
                    for twin in [one for one in twins if encode(other.values[one]) == own]:
                        self._hide(task, place, twin, fact, reference, other)
                return True
        return False

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
        topics = (self.memory.topics[source] for source in self.memory.source_tasks(hiding))
        barred = self.memory.tools[-1] if hiding == "long_range" else set()
        return (one for one in topics if one is not None and one.tool.key not in barred)

    def repeats(self, design: TaskDesign, count: int) -> Iterator[PlannedTask]:
        """Yield tasks that repeat an earlier wish `count` times with other values."""
        for topic in self.earlier_topics(design.hiding):
            if self.may_use(self.pool.tools.index(topic.tool)):
                tasks = (self.repeated(design, topic, count) for _ in range(_REPEAT_ATTEMPTS))
                yield from (task for task in tasks if task is not None)

    def same_again(self, design: TaskDesign, count: int) -> PlannedTask | None:
        """Return a task that repeats an earlier wish `count` times with other values."""
        return next((task for task in self.repeats(design, count) if self.run(task.calls)), None)

    def repeated(self, design: TaskDesign, topic: TaskTopic, count: int) -> PlannedTask | None:
        """Return a task that asks `count` times for an earlier topic again, each time with another value."""
        place, tool = self.pool.tools.index(topic.tool), topic.tool
        calls = [call for _ in range(count) if (call := self.draw(place, optional=False)) is not None]
        if len(calls) < count or not calls[0].values:
            return None
        name = self._varied(calls[0], topic, count)
        if not name:
            return None
        far = design.hiding == "long_range"
        request = topic.task + 1 if far and design.signposted else 0
        about = self.memory.thing(topic.task) if far and not request else ""
        if far and not request and not about:
            return None
        again = Reference(hiding=design.hiding, request=request, about=about)  # type: ignore[arg-type]
        task = PlannedTask(design, calls, again=again)
        for position, call in enumerate(calls):
            call.values = {**topic.values, name: call.values[name]}
            call.ways = {n: "unsaid" for n in topic.values if n != name}
            origins = {n: self.memory.origin_of(call.values[n], n) for n in call.ways}
            facts = {n: fact for n, fact in origins.items() if fact and (not far or self.memory.is_far(fact))}
            if not is_valid(tool, call.values) or len(facts) < len(origins):
                return None
            task.hidden.append(self.memory.hidden_wish(topic, design.hiding, call.name, position))
            task.hidden += [self.memory.hidden_value(fact, design.hiding, position, n) for n, fact in facts.items()]
        return task

    def _varied(self, call: PlannedCall, topic: TaskTopic, count: int) -> str:
        """The parameter in which the repeated calls differ from the earlier one; empty if none may."""
        kinds = {name: slots(call.tool)[name].kind for name in call.values}
        names = [name for name, kind in kinds.items() if kind in _VARIED and not is_secret(name)]
        if not names:
            return ""
        name = topic.varied or self.rng.choice([n for n in names if kinds[n] in LISTED] or names)
        is_search = "keyword" in name.lower() or "query" in name.lower()
        is_unfit = name not in names or (count > 1 and (kinds[name] not in LISTED or is_search))
        return "" if is_unfit else name


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
    return is_taken or any(identity_of(tool, output.name) == wanted for output in outputs(tool))
