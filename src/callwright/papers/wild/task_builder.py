"""Tasks of one call, or of one call many times: values drawn, or hidden in earlier content.

Every maker of tasks returns None where the list and the session so far cannot give what the design asks for; the
planner then tries another way. Results come from the tool environment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from random import Random

from callwright.author.value_drawing import draw_values
from callwright.author.wanted import wanted_parameters
from callwright.catalog.slots import slots
from callwright.environment.tool_world import ToolWorld
from callwright.errors import RolloutFailed
from callwright.lang.kinds import Kind
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask, pass_on
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import (
    HIDEABLE,
    Fact,
    Past,
    Topic,
    is_secret,
    is_valid,
    may_mean,
    reference_to,
)
from callwright.papers.wild.task_briefs import Reference
from callwright.papers.wild.tool_pool import Bench
from callwright.records.annotations.wild_notes import HiddenPlace
from callwright.records.jsontext import Json, JsonText, encode
from callwright.records.origin import Origin
from callwright.records.persona import Persona

LISTED: frozenset[Kind] = frozenset(
    ("city", "country", "code", "person", "title", "other", "url", "email", "phone", "currency")
)
"""Kinds of which several can be named in a row: `for Lyon, Paris and Nice`."""
_OPTIONAL: frozenset[Kind] = frozenset(("date", "city", "country", "year", "language"))
_OPTIONAL_SHARE = 0.12


class Desk:
    """What tasks of one session are made with."""

    def __init__(self, rng: Random, bench: Bench, persona: Persona, today: date, world: ToolWorld) -> None:
        self.rng = rng
        self.bench = bench
        self.persona = persona
        self.today = today
        self.world = world
        self.past = Past()
        self.leads = False
        """Whether a later task goes on from an earlier wish, with calls that need its result."""
        self.hiding = ""
        """How the task at hand hides something."""
        self.is_source = False
        """Whether the next task hides something that this one should leave without doubt."""
        self.turn = 0
        """Place of the tool that the first task should use if it can; the next tasks go on from there."""
        self.used: set[int] = set()
        """Places of tools that are called."""

    # -- tools and values ------------------------------------------------------------------------------------------

    def order(self) -> list[int]:
        """Return the places of tools in the order to try them.

        Not yet called ones come first, of these those that a later task can go on from, and one whose turn it is.
        """
        places = [place for place in range(len(self.bench.tools)) if self.may_use(place)]
        self.rng.shuffle(places)
        turn = (self.turn + self.past.position) % len(self.bench.tools)
        first = self.bench.leading if self.leads else frozenset(places)
        return sorted(places, key=lambda place: (place in self.used, place not in first, place != turn))

    def may_use(self, place: int, also: Iterable[int] = ()) -> bool:
        """Whether a tool can be told from all that are called otherwise."""
        return not any((place, one) in self.bench.rivals for one in {*self.used, *also})

    def may_begin(self, place: int) -> bool:
        """Whether the task at hand may begin with a call of this tool: one that the last task has a value for.

        Only what is meant by its request's number may be hidden further on.
        """
        if self.hiding in ("", "long_range"):
            return True
        tool, last = self.bench.tools[place], self.past.position - 1
        facts = [fact for fact in self.past.facts if fact.task == last and fact.known.slot.kind in HIDEABLE]
        return any(may_mean(fact, tool, name) for fact in facts for name in tool.required)

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
        return PlannedCall(place, tool, self.bench.names[place], values)

    def optional_values(self, call: PlannedCall) -> list[dict[str, Json]]:
        """Return values, one at a time, that the call could have besides: of parameters that people speak of."""
        names = [n for n, s in slots(call.tool).items() if n not in call.values and s.kind in _OPTIONAL]
        try:
            drawn = draw_values(self.rng, call.tool, self.persona, today=self.today, optional_share=1.0)
        except RolloutFailed:
            return []
        return [{name: drawn[name]} for name in names if name in drawn]

    def _joins(self, kind: Kind) -> bool:
        return kind in _OPTIONAL and self.rng.random() < _OPTIONAL_SHARE

    def run(self, calls: Sequence[PlannedCall]) -> bool:
        """Make the calls of a task, in order.

        False where one is the same as another of the session, or fails, or gets no value from those before it.
        """
        seen = set(self.past.calls)
        told = {str(value).casefold() for call in calls for value in _said_values(call)}
        world = self.world.fork()
        for call in calls:
            if not pass_on(call, calls):
                return False
            fed = {str(call.values[name]).casefold() for name, way in call.ways.items() if way == "fed"}
            if call.identity in seen or fed & told or not is_valid(call.tool, call.values):
                return False
            seen.add(call.identity)
            call.result = world.call(call.tool, call.values)
            if call.result.value is None:
                return False
            world.keep(call.tool, call.values, call.result)
        self.world = world
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
        lacking = {slots(call.tool)[name].kind for name, way in call.ways.items() if way == "missing"}
        names = [n for n in call.values if call.ways.get(n, "said") == "said" and not _tells_apart(n, call, calls)]
        names = [n for n in names if slots(call.tool)[n].kind not in lacking]  # it could be taken for that one
        self.rng.shuffle(names)
        for name in sorted(names, key=lambda n: slots(call.tool)[n].kind in ("title", "other", "person")):
            found = list(self.past.sources(task.design.hiding, call.tool, name, call.values[name]))
            self.rng.shuffle(found)
            for fact in found:
                if not is_valid(call.tool, {**call.values, name: fact.known.value}):
                    continue
                before = encode(call.values[name])
                self._hide(task, call, position, name, fact)
                for place, other in enumerate(calls):
                    for twin in _twins(other, call, name, before):
                        self._hide(task, other, place, twin, fact)
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
                origin=fact.origin,
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
                task = self.repeated(design, count, place, topic)
                if task is not None and self.run(task.calls):
                    return task
        return None

    def repeated(self, design: TaskDesign, count: int, place: int, topic: Topic) -> PlannedTask | None:
        calls = [call for _ in range(count) if (call := self.draw(place, optional=False)) is not None]
        if len(calls) < count or not calls[0].values:
            return None
        tool = calls[0].tool
        task, before = PlannedTask(design, calls), topic.values
        request = topic.task + 1 if design.hiding == "long_range" else 0
        task.again = Reference(hiding=design.hiding, request=request, obtained=before is not None)  # type: ignore[arg-type]
        changed = [n for n in calls[0].values if slots(tool)[n].kind in LISTED | {"date", "year", "enum", "count"}]
        changed = [n for n in changed if not is_secret(n)]
        if not changed:
            return None
        name = topic.varied or self.rng.choice([n for n in changed if slots(tool)[n].kind in LISTED] or changed)
        if name not in changed:
            return None
        if count > 1 and (slots(tool)[name].kind not in LISTED or "keyword" in name.lower() or "query" in name.lower()):
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
            origin=Origin(task=topic.task, turn=topic.turn),
        )

    def _kept_place(self, design: TaskDesign, position: int, name: str, fact: Fact) -> HiddenPlace:
        return HiddenPlace(
            task=self.past.position,
            hiding=design.hiding,
            call=position,
            parameter=name,
            value=fact.known.text,
            origin=fact.origin,
        )


def _twins(other: PlannedCall, call: PlannedCall, name: str, before: JsonText) -> list[str]:
    """Parameters of another call that were to be as the one now hidden: said to be, or the same in a like call."""
    alike = [one for one, way in other.ways.items() if way == "again"]
    alike += [name] if other is not call and other.tool == call.tool and other.ways.get(name, "said") == "said" else []
    return [one for one in alike if encode(other.values.get(one)) == before]


def _said_values(call: PlannedCall) -> list[Json]:
    return [value for name, value in call.values.items() if call.ways.get(name, "said") == "said"]


def _tells_apart(name: str, call: PlannedCall, calls: Sequence[PlannedCall]) -> bool:
    """Whether a value is what tells one call of a tool from another of the same task."""
    others = [one for one in calls if one is not call and one.tool == call.tool]
    return any(one.values.get(name) != call.values[name] for one in others)
