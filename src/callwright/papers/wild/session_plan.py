"""The plan of a session: its tool list, its persona, and all gold truth, fixed before the first word (section 3.2).

A session's index gives its design and the tool list to try first. If that list cannot give what the design asks for,
the next lists are tried, and then all lists again with tasks that come ever less near to the design (`_STEPS`). The
scenario records what was planned in the end, and the card counts it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import product
from random import Random

import msgspec

from callwright.author.briefs import Style
from callwright.author.personas import bank, choose, people
from callwright.catalog.gloss import gloss
from callwright.engine.randomness import stream
from callwright.environment.result_drawing import is_drawable
from callwright.environment.returns import with_returns
from callwright.environment.shared_examples import with_shared_examples
from callwright.environment.tool_world import ToolWorld
from callwright.errors import BadInput
from callwright.papers.wild.chat_tasks import PlannedChat, chat
from callwright.papers.wild.ending_acts import closes, removes
from callwright.papers.wild.gold_calls import PlannedTask
from callwright.papers.wild.multi_tasks import multi
from callwright.papers.wild.one_call_tasks import clarify, single
from callwright.papers.wild.paper import WildOptions
from callwright.papers.wild.session_design import SessionDesign, TaskDesign, design_of
from callwright.papers.wild.session_extras import Extras, add_extras
from callwright.papers.wild.session_memory import (
    SessionMemory,
    TaskTopic,
    argument_facts,
    is_identifier,
    result_facts,
    thing_of,
)
from callwright.papers.wild.task_builder import TaskBuilder
from callwright.papers.wild.tool_pool import ChainEdges, ToolPool, chain_edges, pools_of
from callwright.recipe.unplanned import NO_PLAN, Unplanned
from callwright.records.annotations.wild_notes import Topology, WildPlan
from callwright.records.dialogue import Scenario, Task
from callwright.records.issue import Issue
from callwright.records.jsontext import encode
from callwright.records.persona import Persona
from callwright.records.tool import Catalog, LeftOut, ToolList

DesignStep = Callable[[TaskDesign], Iterator[TaskDesign]]
"""Gives the designs that may be tried for a task, in their order."""

RECIPE = "wild.v1"
ATTEMPTS = 4
"""Attempts with one list before the next one."""
LISTS_TRIED = 250
TERSE_SHARE = 0.25


class SessionPlan(msgspec.Struct):
    """A scenario, and what its words are made from."""

    scenario: Scenario
    tasks: tuple[PlannedTask | PlannedChat, ...]
    persona: Persona
    style: Style
    extras: Extras


class SessionPlanner:
    """A catalogue with what is computed from it once."""

    def __init__(self, catalog: Catalog, options: WildOptions, seed: int, personas: tuple[Persona, ...] = ()) -> None:
        """`catalog` has a result schema on every tool (see `prepare`)."""
        self.catalog = catalog
        self.options = options
        self.seed = seed
        chains, refused = chain_edges(catalog)
        self.why_no_chain = _why_no_chain(chains, refused)
        self.pools = pools_of(catalog, chains, seed=seed)
        if not self.pools:
            raise BadInput("the catalogue has no tools. Import a document that has some.")
        self.by_need = _by_need(self.pools)
        self.personas = personas or bank()
        self.options_text = encode(msgspec.to_builtins(options))
        self._orders: dict[tuple[int, Topology], list[int]] = {}

    def plan(self, item: str, index: int) -> SessionPlan | Unplanned:
        """Return session `index`, or the reason that no list can give what its design asks for."""
        design = design_of(index, seed=self.seed, tasks=self.options.tasks, topologies=self.options.topologies)
        for step, turn, (pool, round_), attempt in self._attempts(index, design):
            rng = stream(self.seed, item, f"plan/{turn}", attempt)
            builder = self._builder(rng, pool, item, round_ * self.options.tasks)
            style: Style = "terse" if rng.random() < TERSE_SHARE else "verbose"
            tasks = _realised(builder, design, step)
            if tasks is not None:
                return self._plan(builder, style, tasks, design, item, index)
        message = (
            f"session {index}: none of {len(self.pools)} lists of tools can give tasks of kinds "
            f"{', '.join(task.kind for task in design.tasks)}. Give more tools, or tools whose results others need."
        )
        return Unplanned(item, Issue(NO_PLAN, message=message))

    def _attempts(
        self, index: int, design: SessionDesign
    ) -> Iterator[tuple[DesignStep, int, tuple[ToolPool, int], int]]:
        """Yield each step away from the design with the lists to try, by turn, and the number of the attempt.

        Tasks of any topology may take lists in which no tool feeds another.
        """
        chained = self._candidates(index, design.needs)
        can_chain = not design.needs or any(pool.edges for pool, _ in chained)
        for step in _STEPS if can_chain else _STEPS[_STEPS.index(_any_topology) :]:
            lists = chained if step in (_as_designed, _any_hiding) else self._candidates(index, "")
            for (turn, one), attempt in product(enumerate(lists), range(ATTEMPTS)):
                yield step, turn, one, attempt

    def _candidates(self, index: int, needs: Topology) -> list[tuple[ToolPool, int]]:
        """The lists to try, each with the number of the round over all lists; every list has its turn in a round."""
        places = self.by_need[needs] or tuple(range(len(self.pools)))
        found: list[tuple[ToolPool, int]] = []
        round_, place = divmod(index, len(places))
        for at in range(place, place + min(LISTS_TRIED, len(places))):
            later, step = divmod(at, len(places))
            order = self._order(round_ + later, len(places), needs)
            found.append((self.pools[places[order[step]]], round_ + later))
        spare = [] if needs else [one for at, one in enumerate(self.pools) if at not in set(places)]
        return [*found, *((one, round_) for one in spare[: LISTS_TRIED - len(found)])]

    def _order(self, round_: int, count: int, needs: Topology) -> list[int]:
        if (round_, needs) not in self._orders:
            order = list(range(count))
            stream(self.seed, self.catalog.digest, f"round/{round_}/{needs}", 0).shuffle(order)
            self._orders[round_, needs] = order
        return self._orders[round_, needs]

    def _builder(self, rng: Random, pool: ToolPool, item: str, first_tool: int) -> TaskBuilder:
        persona = choose(rng, rng.choice(pool.tools), self.personas, k=12)
        today = date(2026, 1, 5) + timedelta(days=rng.randrange(720))
        world = ToolWorld(seed=self.seed, item=item, today=today, persona=persona, tools=pool.tools, ids=pool.ids)
        return TaskBuilder(rng, pool, persona, today, world, first_tool)

    def _plan(
        self,
        builder: TaskBuilder,
        style: Style,
        tasks: Sequence[PlannedTask | PlannedChat],
        wanted: SessionDesign,
        item: str,
        index: int,
    ) -> SessionPlan:
        options, persona = self.options, builder.persona
        design = SessionDesign(tuple(task.design for task in tasks))
        extras = add_extras(builder, tasks, options.minefields, options.tool_failures, options.value_changes)
        notes = WildPlan(
            persona=persona.id,
            tone=persona.tone,
            tool_list=builder.pool.name,
            topologies=tuple(task.topology for task in design.tasks),
            hidings=tuple(task.design.hiding for task in tasks),
            transitions=design.transitions,
            hidden=tuple(place for task in tasks for place in task.hidden),
            mines=extras.mines,
            failures=extras.failures,
            no_other_tool=extras.no_other_tool,
            changes=extras.changes,
            departures=tuple(_departures(wanted, design, self.why_no_chain)),
        )
        shown = list(builder.pool.shown(builder.used))
        builder.rng.shuffle(shown)
        scenario = Scenario(
            id=item,
            recipe=RECIPE,
            seed=self.seed,
            index=index,
            participants=people(persona),
            tasks=tuple(_gold_task(task) for task in tasks),
            tools=tuple(shown),
            today=builder.today.isoformat(),
            annotation=notes,
        )
        return SessionPlan(scenario, tuple(tasks), persona, style, extras)


def _by_need(pools: Sequence[ToolPool]) -> dict[Topology, tuple[int, ...]]:
    """The lists, by place, for what a design needs.

    `S` and `S+P` take lists in which a tool feeds another; those with chains of three are rare and so repeated.
    Other designs take the other lists; all, if those are a minority.
    """
    feeding = tuple(place for place, one in enumerate(pools) if one.edges)
    chaining = tuple(place for place, one in enumerate(pools) if one.chains)
    others = tuple(place for place in range(len(pools)) if place not in set(feeding))
    others = others if 2 * len(others) >= len(pools) else tuple(range(len(pools)))
    return {"S": (*feeding, *chaining), "S+P": feeding, "": others}


def _as_designed(design: TaskDesign) -> Iterator[TaskDesign]:
    yield design


def _any_hiding(design: TaskDesign) -> Iterator[TaskDesign]:
    """The hiding of the design, then the other ways to hide something, at last none: a task that says it all."""
    yield design
    if design.hiding:
        for hiding in ("partial", "coreference", "long_range", ""):
            if hiding != design.hiding:
                yield msgspec.structs.replace(design, hiding=hiding)


def _any_topology(design: TaskDesign) -> Iterator[TaskDesign]:
    """As `_any_hiding`, then with calls that depend on one another in another way, or not at all."""
    yield from _any_hiding(design)
    if design.kind == "multi":
        for topology in ("S", "S+P", "P"):
            if topology != design.topology:
                yield from _any_hiding(msgspec.structs.replace(design, topology=topology))


def _any_kind(design: TaskDesign) -> Iterator[TaskDesign]:
    """As `_any_topology`, then of another kind, with nothing that the next task has to speak of."""
    yield from _any_topology(design)
    alone = msgspec.structs.replace(design, next_refers_back=False)
    if design.kind == "chat":
        yield msgspec.structs.replace(alone, hiding="")
    for kind, topology in (("single", ""), ("multi", "P")):
        if kind != design.kind:
            yield from _any_hiding(msgspec.structs.replace(alone, kind=kind, topology=topology))


def _chat_before_another_kind(design: TaskDesign) -> Iterator[TaskDesign]:
    """As `_any_kind`, but with chats in the place of `clarify` tasks, so that the session is not all of one kind."""
    yield from _any_topology(design)
    if design.kind == "clarify":
        yield msgspec.structs.replace(design, kind="chat", hiding="", next_refers_back=False)
    yield from _any_kind(design)


_STEPS: tuple[DesignStep, ...] = (
    _as_designed,
    _any_hiding,
    _any_topology,
    _any_kind,
    _chat_before_another_kind,
)
"""Designs of a task that may be tried, ever further from the one that was drawn."""


def _realised(
    builder: TaskBuilder, design: SessionDesign, designs_of: DesignStep
) -> list[PlannedTask | PlannedChat] | None:
    """Return the tasks of the design, each by the first of its designs that can be made; None if one cannot be.

    None too where every task is of one kind: a session changes its kind at least once.
    """
    makers = {"single": single, "multi": multi, "clarify": clarify, "chat": chat}
    tasks: list[PlannedTask | PlannedChat] = []
    for one in design.tasks:
        made = (makers[wanted.kind](builder, wanted) for wanted in designs_of(one))
        task = next((found for found in made if found is not None), None)
        if task is None:
            return None
        tasks.append(task)
        remember(builder.memory, task)
        if isinstance(task, PlannedTask):
            builder.used |= {call.place for call in task.calls}
    _untell(tasks)
    is_even = len(tasks) > 1 and len({task.design.kind for task in tasks}) == 1
    return None if is_even else tasks


def _untell(tasks: Sequence[PlannedTask | PlannedChat]) -> None:
    """Leave out what a chat announces and no later task takes up."""
    taken = {(one.origin.task, one.value) for task in tasks for one in task.hidden}
    for place, task in enumerate(tasks):
        if isinstance(task, PlannedChat) and task.fact and (place, task.fact.known.text) not in taken:
            task.fact = None


def remember(memory: SessionMemory, task: PlannedTask | PlannedChat) -> None:
    """Add what a task says and obtains to the memory of the session."""
    position, ask = memory.position, memory.next_turn
    answer = ask + 2 if isinstance(task, PlannedTask) and task.missing else ask
    if isinstance(task, PlannedTask):
        for place, call in enumerate(task.calls):
            turns = {name: ask for name in call.values if call.ways.get(name, "said") in ("said", "again")}
            turns |= dict.fromkeys(task.missing, answer)
            said = list(argument_facts(call.tool, call.values, turns, task=position, ask=ask))
            memory.facts += said
            ids = [one.known.text for one in said if is_identifier(one.known.slot.kind, one.identity)]
            if removes(call.tool):
                memory.gone.update(ids[-1:])  # what stands before it is what it was part of
            elif closes(call.tool):
                memory.ended.update(ids[-1:])
            memory.facts += result_facts(call.tool, call.result, task=position, call=place, turn=answer + 1)
            memory.calls.add(call.identity)
        topic = _topic(task, position, ask)
        texts = [text for call in task.calls for text in (encode(call.values), str(call.result.value))]
    else:
        topic = TaskTopic(task.topic, ask, position, task.topic)
        texts = [task.topic, *([] if task.fact is None else [task.fact.known.text])]
        memory.facts += [] if task.fact is None else [task.fact]
    memory.topics.append(topic)
    memory.texts.append(" ".join(texts).casefold())
    memory.tools.append({call.name for call in task.calls} if isinstance(task, PlannedTask) else set())
    memory.asks.append(ask)
    memory.next_turn = answer + 2


def _topic(task: PlannedTask, position: int, ask: int) -> TaskTopic:
    first = task.calls[0]
    thing = thing_of(first.tool)
    varied = [name for name in first.values if any(call.values.get(name) != first.values[name] for call in task.calls)]
    is_one = all(call.tool == first.tool for call in task.calls) and len(varied) < 2
    tool = first.tool if is_one else None
    things = frozenset(thing_of(call.tool) for call in task.calls)
    return TaskTopic(first.name, ask, position, thing, things, tool, dict(first.values), "".join(varied))


def _why_no_chain(chains: ChainEdges, refused: Mapping[str, int]) -> str:
    if chains:
        return "no chain goes with the other tasks of the session"
    told = ", ".join(f"{reason} {count}" for reason, count in sorted(refused.items()))
    return f"the tool graph has no edge along which people ask ({told or 'it has none at all'})"


def _departures(wanted: SessionDesign, made: SessionDesign, why_no_chain: str) -> Iterator[str]:
    for one, other in zip(wanted.tasks, made.tasks, strict=True):
        if one.kind != other.kind:
            yield f"{one.kind} made as {other.kind}: no tools for it"
        elif one.topology != other.topology:
            why = "no tools for it" if one.topology == "P" else why_no_chain
            yield f"{one.topology} made as {other.topology}: {why}"
        if one.hiding != other.hiding:
            yield f"{one.hiding} made as {other.hiding or 'a task that says all'}: no earlier value for it"


def _gold_task(task: PlannedTask | PlannedChat) -> Task:
    """Return a task as a record; its turn is not known yet."""
    if isinstance(task, PlannedChat):
        return Task("chat")
    return Task(
        task.design.kind,
        goal="; ".join(gloss(call.tool).phrase for call in task.calls),
        gold=tuple(call.gold() for call in task.calls),
        missing=task.missing,
    )


def prepare(catalog: Catalog) -> Catalog:
    """Return the catalogue that sessions are made over: every tool has a result schema from which results are drawn.

    Tools whose documents contradict themselves give no results; `left_out` names them.
    """
    complete = with_shared_examples(with_returns(catalog))
    named = {tool.key: tool.name for tool in complete.tools if not is_drawable(tool)}
    lists = (
        ToolList(one.name, tuple(shown for shown in one.tools if shown.key not in named)) for one in complete.lists
    )
    left_out = (LeftOut(name, "no result that fits its result schema could be drawn") for name in named.values())
    return msgspec.structs.replace(
        complete,
        tools=tuple(tool for tool in complete.tools if tool.key not in named),
        lists=tuple(one for one in lists if one.tools),
        left_out=(*complete.left_out, *left_out),
    )
