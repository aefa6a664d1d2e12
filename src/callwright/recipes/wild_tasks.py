"""Realising designed tasks over a list of tools: structure first, then calls and values, then what their words carry.

Every function returns None where the list and the session so far cannot give what the design asks for; the planner
then tries another way. Results come from the tool environment, so that a later call can take what an earlier returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from random import Random

import msgspec

from callwright.author.acts import Known
from callwright.author.values import draw_values
from callwright.author.wanted import wanted_parameters
from callwright.author.wild_acts import Mention, Reference, Way, Wish
from callwright.catalog.asked import asked_gloss
from callwright.catalog.returns import identity_of
from callwright.catalog.slots import slots
from callwright.errors import RolloutFailed
from callwright.lang.kinds import Kind
from callwright.lang.schemas import singular
from callwright.recipes.wild_bench import Bench, Edge
from callwright.recipes.wild_design import TaskDesign
from callwright.recipes.wild_past import Fact, Past, Topic, entity_noun, fits, is_valid, reference_to
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.persona import Persona
from callwright.records.pointer import resolve
from callwright.records.tool import Tool
from callwright.records.wild_plan import HiddenPlace
from callwright.simulate.tool_world import ToolWorld

ASKED_FOR: frozenset[Kind] = frozenset(("code", "city", "country", "person", "title", "other", "url", "email", "phone"))
"""Kinds of values whose absence leaves a request open: days, languages and currencies may go without saying."""
LISTED: frozenset[Kind] = frozenset(
    ("city", "country", "code", "person", "title", "other", "url", "email", "phone", "currency")
)
"""Kinds of which several can be named in a row: `for Lyon, Paris and Nice`."""
_OPTIONAL: frozenset[Kind] = frozenset(("date", "city", "country", "year", "language"))
_OPTIONAL_SHARE = 0.12


class PlannedCall(msgspec.Struct):
    """A call on its way: a tool of the list, its values, and where each comes from."""

    place: int
    tool: Tool
    name: str
    values: dict[str, Json]
    after: tuple[int, ...] = ()
    ways: dict[str, Way] = {}
    references: dict[str, Reference] = {}
    result: Result = Result()

    @property
    def identity(self) -> tuple[str, JsonText]:
        """What makes another call the same call."""
        return self.tool.key, encode(self.values)

    def wish(self) -> Wish:
        """Return the call as a wish."""
        mentions = tuple(
            Mention(
                Known(slots(self.tool)[name], encode(value)),
                self.ways.get(name, "said"),
                self.references.get(name, Reference()),
            )
            for name, value in self.values.items()
        )
        return Wish(asked_gloss(self.tool), mentions, self.after)


class PlannedTask(msgspec.Struct):
    """A task on its way."""

    design: TaskDesign
    calls: list[PlannedCall] = []
    hidden: list[HiddenPlace] = []
    missing: tuple[str, ...] = ()
    another: str = ""
    again: Reference | None = None


class Desk:
    """What tasks of one session are made with."""

    def __init__(self, rng: Random, bench: Bench, persona: Persona, today: date, world: ToolWorld) -> None:
        self.rng = rng
        self.bench = bench
        self.persona = persona
        self.today = today
        self.world = world
        self.past = Past()
        self.feeds = False
        """Whether a task of the session needs a tool whose result feeds another."""
        self.is_source = False
        """Whether the next task hides something that this one should leave without doubt."""
        self.used: set[int] = set()
        """Places of tools that are called."""

    # -- tools and values ------------------------------------------------------------------------------------------

    def order(self) -> list[int]:
        """Return the places of tools in the order to try them, those not yet called first."""
        places = [place for place in range(len(self.bench.tools)) if self.may_use(place)]
        self.rng.shuffle(places)
        return sorted(places, key=lambda place: place in self.used)

    def may_use(self, place: int, also: Iterable[int] = ()) -> bool:
        """Whether a tool can be told from all that are called otherwise."""
        return not any((place, one) in self.bench.rivals for one in {*self.used, *also})

    def draw(self, place: int, *, optional: bool = True) -> PlannedCall | None:
        """Return a call of the tool at `place` with values of its own."""
        tool = self.bench.tools[place]
        wanted = list(wanted_parameters(tool))
        if optional:
            wanted += [n for n, s in slots(tool).items() if n not in wanted and self._joins(s.kind)][:1]
        try:
            drawn = draw_values(self.rng, tool, self.persona, today=self.today, optional_share=1.0)
        except RolloutFailed:
            return None
        values = {name: drawn[name] for name in wanted if name in drawn}
        return PlannedCall(place, tool, self.bench.names[place], values) if is_valid(tool, values) else None

    def _joins(self, kind: Kind) -> bool:
        return kind in _OPTIONAL and self.rng.random() < _OPTIONAL_SHARE

    def run(self, calls: Sequence[PlannedCall]) -> bool:
        """Give every call its result; False where one is the same as another of the session."""
        seen = set(self.past.calls)
        for call in calls:
            if call.identity in seen:
                return False
            seen.add(call.identity)
            call.result = self.world.call(call.tool, call.values)
            if call.result.value is None:
                return False
        return True

    # -- one call --------------------------------------------------------------------------------------------------

    def single(self, design: TaskDesign) -> PlannedTask | None:
        """Return a task of one call, hiding what the design says."""
        if design.hiding and self.rng.random() < 0.25 and (task := self.same_again(design, 1)):
            return task
        for place in self.order():
            task = PlannedTask(design)
            call = self.draw(place, optional=not design.hiding)
            if call is None or (design.hiding and not self.hide_value(task, [call], 0)):
                continue
            task.calls = [call]
            if self.run(task.calls):
                return task
        return self.same_again(design, 1) if design.hiding else None

    def hide_value(self, task: PlannedTask, calls: Sequence[PlannedCall], position: int) -> bool:
        """Let one value of a call stand earlier only. False where nothing earlier fits without doubt."""
        call = calls[position]
        names = [name for name in call.values if call.ways.get(name, "said") == "said"]
        self.rng.shuffle(names)
        for name in sorted(names, key=lambda n: slots(call.tool)[n].kind in ("title", "other", "person")):
            found = list(self.past.sources(task.design.hiding, call.tool, name, call.values[name]))
            self.rng.shuffle(found)
            for fact in found:
                if is_valid(call.tool, {**call.values, name: fact.known.value}):
                    self._hide(task, call, position, name, fact)
                    return True
        return False

    def _hide(self, task: PlannedTask, call: PlannedCall, position: int, name: str, fact: Fact) -> None:
        hiding = task.design.hiding
        call.values[name] = fact.known.value
        call.ways[name] = "hidden"
        call.references[name] = reference_to(fact, hiding, request=fact.task + 1)
        task.hidden.append(
            HiddenPlace(
                task=self.past.position,
                hiding=hiding,
                call=position,
                parameter=name,
                value=fact.known.text,
                from_task=fact.task,
                from_call=fact.call,
                path=fact.path,
                turn=fact.turn,
            )
        )

    def same_again(self, design: TaskDesign, count: int) -> PlannedTask | None:
        """Return a task whose wish is an earlier one, `count` times with other values."""
        for source in self.past.source_tasks(design.hiding):
            topic = self.past.topics[source]
            place = self.bench.tools.index(topic.tool) if topic else 0
            if topic is None or not self.may_use(place):
                continue
            for _ in range(6):
                task = self._again(design, count, place, topic)
                if task is not None and self.run(task.calls):
                    return task
        return None

    def _again(self, design: TaskDesign, count: int, place: int, topic: Topic) -> PlannedTask | None:
        calls = [call for _ in range(count) if (call := self.draw(place, optional=False)) is not None]
        if len(calls) < count or not calls[0].values:
            return None
        tool = calls[0].tool
        task, before = PlannedTask(design, calls), topic.values
        request = topic.task + 1 if design.hiding == "long_range" else 0
        task.again = Reference(hiding=design.hiding, request=request, obtained=before is not None)  # type: ignore[arg-type]
        changed = [n for n in calls[0].values if slots(tool)[n].kind in LISTED | {"date", "year", "enum", "count"}]
        if not changed:
            return None
        name = self.rng.choice([n for n in changed if slots(tool)[n].kind in LISTED] or changed)
        if count > 1 and slots(tool)[name].kind not in LISTED:
            return None
        for position, call in enumerate(calls):
            if before is not None:
                kept = {n: value for n, value in before.items() if n != name}
                call.values = {**kept, name: call.values[name]}
                call.ways = dict.fromkeys(kept, "unsaid")
                call.values = {n: call.values[n] for n in before if n in call.values} | {name: call.values[name]}
            elif position:
                call.values = {**calls[0].values, name: call.values[name]}
            if not is_valid(tool, call.values):
                return None
            origins = {n: self.past.origin_of(call.values[n], n) for n in call.ways}
            if None in origins.values():
                return None
            task.hidden.append(self._wish_place(design, position, calls[0].name, topic))
            task.hidden += [self._kept_place(design, position, n, fact) for n, fact in origins.items() if fact]
        return task

    def _wish_place(self, design: TaskDesign, position: int, name: str, topic: Topic) -> HiddenPlace:
        return HiddenPlace(
            task=self.past.position,
            hiding=design.hiding,
            call=position,
            value=encode(name),
            from_task=topic.task,
            turn=topic.turn,
        )

    def _kept_place(self, design: TaskDesign, position: int, name: str, fact: Fact) -> HiddenPlace:
        return HiddenPlace(
            task=self.past.position,
            hiding=design.hiding,
            call=position,
            parameter=name,
            value=fact.known.text,
            from_task=fact.task,
            from_call=fact.call,
            path=fact.path,
            turn=fact.turn,
        )

    # -- a value that is nowhere -----------------------------------------------------------------------------------

    def clarify(self, design: TaskDesign) -> PlannedTask | None:
        """Return a task of one call with a required value that nothing said or returned so far could fill."""
        for strict in (True, False):
            for place in self.order():
                call = self.draw(place, optional=False)
                names = [n for n in call.values if self._is_asked_for(call.tool, n)] if call else []
                self.rng.shuffle(names)
                for name in names:
                    is_open = not self.past.could_fill(call.tool, name)  # type: ignore[union-attr]
                    if call is not None and (is_open or not strict):
                        call.ways[name] = "missing"
                        another = "" if is_open else reference_noun(call, name)
                        task = PlannedTask(design, [call], missing=(name,), another=another)
                        if self.run(task.calls):
                            return task
                        call.ways.pop(name)
        return None

    def _is_asked_for(self, tool: Tool, name: str) -> bool:
        slot = slots(tool)[name]
        return name in tool.required and slot.kind in ASKED_FOR and "default" not in slot.description.lower()

    # -- several calls ---------------------------------------------------------------------------------------------

    def multi(self, design: TaskDesign) -> PlannedTask | None:
        """Return a task of several calls in the shape that the design asks for."""
        ways = {"P": self.parallel, "S": self.chained, "S+P": self.mixed}
        for _ in range(5):
            task = PlannedTask(design)
            calls = ways[design.topology](design)
            if calls is None:
                return None if design.topology != "P" else self._again_several(design)
            if design.hiding and not any(self.hide_value(task, calls, p) for p, c in enumerate(calls) if not c.after):
                other = self._again_several(design) if design.topology == "P" else self._again_fed(design)
                if other is not None:
                    return other
                continue
            refresh(calls, self.world)
            task.calls = list(calls)
            if self.run(task.calls):
                return task
        return None

    def _again_several(self, design: TaskDesign) -> PlannedTask | None:
        return self.same_again(design, self.rng.choice((2, 2, 3))) if design.hiding else None

    def _again_fed(self, design: TaskDesign) -> PlannedTask | None:
        """Return a chain, or a mix, that begins with an earlier wish: `do that for Lyon, then ...`."""
        for source in self.past.source_tasks(design.hiding):
            topic = self.past.topics[source]
            place = self.bench.tools.index(topic.tool) if topic else -1
            edges = [edge for edge in self._edges() if edge.producer == place]
            self.rng.shuffle(edges)
            for edge in edges if topic else ():
                task = self._again(design, 1, place, topic) if topic else None
                if task is None:
                    continue
                task.calls[0].result = self.world.call(task.calls[0].tool, task.calls[0].values)
                calls = self._fed(task.calls, 0, edge, 0)
                if calls is not None and design.topology == "S+P":
                    calls = self._fan(calls, edge) or self._beside(calls)
                if calls is not None:
                    task.calls = calls
                    if self.run(task.calls):
                        return task
        return None

    def parallel(self, design: TaskDesign) -> list[PlannedCall] | None:
        """Return two to eight calls that need nothing of one another."""
        wanted = self.rng.choices((2, 3, 4, 5, 6, 8), (44, 30, 14, 6, 4, 2))[0]
        if self.rng.random() < (0.85 if self.is_source else 0.45) or wanted > len(self.bench.tools):
            return self.same_tool(wanted if self.rng.random() < 0.5 else min(wanted, 3)) or self.other_tools(2)
        return self.other_tools(wanted) or self.other_tools(2) or self.same_tool(2)

    def same_tool(self, count: int) -> list[PlannedCall] | None:
        """Return calls of one tool that differ in one value."""
        for place in self.order():
            first = self.draw(place, optional=False)
            names = [n for n in first.values if slots(first.tool)[n].kind in LISTED] if first else []
            if first is None or not names:
                continue
            name = self.rng.choice(names)
            calls = [first]
            for _ in range(count * 4):
                other = self.draw(place, optional=False)
                known = {encode(call.values[name]) for call in calls}
                if other and len(calls) < count and encode(other.values.get(name)) not in known:
                    values = {**first.values, name: other.values[name]}
                    if is_valid(first.tool, values):
                        calls.append(PlannedCall(place, first.tool, first.name, values))
            if len(calls) == count:
                return calls
        return None

    def other_tools(self, count: int) -> list[PlannedCall] | None:
        """Return calls of different tools; what they have in common is sometimes the same."""
        calls: list[PlannedCall] = []
        for place in self.order():
            if len(calls) == count or not self.may_use(place, [call.place for call in calls]):
                continue
            if (call := self.draw(place)) is not None and call.values:
                self._share(call, calls)
                calls.append(call)
        return calls if len(calls) == count else None

    def _share(self, call: PlannedCall, before: Sequence[PlannedCall]) -> None:
        """Let a value be that of the call before it, where both take such a thing."""
        if not before or self.rng.random() < 0.35:
            return
        other = before[-1]
        for name, value in call.values.items():
            said = [n for n in other.values if other.ways.get(n, "said") == "said"]
            twins = [n for n in said if self._twin(call, name, other, n)]
            if len(twins) == 1 and slots(call.tool)[name].kind in ("city", "country", "code", "person", "url"):
                values = {**call.values, name: other.values[twins[0]]}
                if type(values[name]) is type(value) and is_valid(call.tool, values):
                    call.values = values
                    call.ways[name] = "again"
                    call.references[name] = Reference(entity=reference_noun(call, name))
                    return

    def _twin(self, call: PlannedCall, name: str, other: PlannedCall, theirs: str) -> bool:
        known = Known(slots(other.tool)[theirs], encode(other.values[theirs]))
        fact = Fact(0, known, identity_of(other.tool, theirs), 0)
        return fits(fact, call.tool, name, call.values[name])

    def chained(self, design: TaskDesign) -> list[PlannedCall] | None:
        """Return two or three calls of which each needs the one before."""
        edges = self._edges()
        self.rng.shuffle(edges)
        for edge in edges:
            calls = self._start(edge)
            if calls is None:
                continue
            longer = [one for one in edges if one.producer == edge.consumer and one.consumer != edge.producer]
            if longer and self.rng.random() < 0.6:
                calls = self._fed(calls, 1, self.rng.choice(longer), 0) or calls
            return calls
        return None

    def mixed(self, design: TaskDesign) -> list[PlannedCall] | None:
        """Return calls of which some need others and some do not."""
        edges = self._edges()
        self.rng.shuffle(edges)
        for edge in edges:
            calls = self._start(edge)
            if calls is None:
                continue
            found = self._fan(calls, edge) if self.rng.random() < 0.55 else self._beside(calls)
            found = found or self._beside(calls) or self._fan(calls, edge)
            if found is not None:
                return found
        return None

    def _edges(self) -> list[Edge]:
        return [e for e in self.bench.edges if self.may_use(e.producer) and self.may_use(e.consumer)]

    def _start(self, edge: Edge) -> list[PlannedCall] | None:
        first = self.draw(edge.producer, optional=False)
        if first is None:
            return None
        first.result = self.world.call(first.tool, first.values)
        return self._fed([first], 0, edge, 0)

    def _fed(self, calls: list[PlannedCall], parent: int, edge: Edge, item: int) -> list[PlannedCall] | None:
        """Return the calls with one more, fed by the result of the one at `parent`."""
        call = self.draw(edge.consumer, optional=False)
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
        call.result = self.world.call(call.tool, call.values)
        return [*calls, call]

    def _fan(self, calls: list[PlannedCall], edge: Edge) -> list[PlannedCall] | None:
        """More calls fed by the same result: the next items of its list, or another tool for the same thing."""
        found: list[PlannedCall] | None = None
        if edge.feed.output.is_listed and self.rng.random() < 0.7:
            for item in range(1, self.rng.choice((2, 3, 3, 4))):
                grown = self._fed(list(found or calls), 0, edge, item)
                if grown is None:
                    break
                first = calls[1]
                grown[-1].values = {**first.values, edge.feed.parameter: grown[-1].values[edge.feed.parameter]}
                found = grown
        if found is None:
            used = {call.place for call in calls}
            others = [e for e in self._edges() if e.producer == edge.producer and e.consumer not in used]
            if others:
                found = self._fed(calls, 0, self.rng.choice(others), 0)
        return found

    def _beside(self, calls: list[PlannedCall]) -> list[PlannedCall] | None:
        """One or two calls that need nothing of the others."""
        out = list(calls)
        for place in self.order():
            if place in {call.place for call in out} or not self.may_use(place, [call.place for call in out]):
                continue
            if (call := self.draw(place, optional=False)) is not None and call.values:
                out.append(call)
                if len(out) - len(calls) == 2 or self.rng.random() < 0.6:
                    return out
        return out if len(out) > len(calls) else None


def refresh(calls: Sequence[PlannedCall], world: ToolWorld) -> None:
    """Run the calls again in order, and pass on what they return: a hidden value may have changed the first results."""
    for call in calls:
        for name, way in call.ways.items():
            if way == "fed":
                reference = call.references[name]
                call.values[name] = _passed_on(calls[call.after[0]], reference, call.values[name])
        call.result = world.call(call.tool, call.values)


def _passed_on(parent: PlannedCall, reference: Reference, before: Json) -> Json:
    value = resolve(decode(parent.result.value), reference.path) if parent.result.value is not None else None
    return before if value is None else value


def fed_reference(call: PlannedCall, edge: Edge, item: int) -> Reference:
    """Return how a message points at the result of another of its wishes."""
    output = edge.feed.output
    if not output.is_listed:
        return Reference(entity=reference_noun(call, edge.feed.parameter), obtained=True, path=output.pointer())
    entity = singular(output.path[-3].replace("_", " "))
    return Reference(entity=entity, ordinal=item + 1, obtained=True, path=output.pointer(item))


def reference_noun(call: PlannedCall, name: str) -> str:
    """Return what people call the thing that a value of the call stands for."""
    return entity_noun(slots(call.tool)[name])


def said_names(call: PlannedCall) -> Iterator[str]:
    """Yield the parameters whose values the words of the task say."""
    return (name for name in call.values if call.ways.get(name, "said") == "said")
