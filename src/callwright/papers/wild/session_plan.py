"""Planning `wild` sessions: which list, which persona, and all gold truth, fixed before the first word.

Workshop(catalog)      what is computed once: result schemas, lists, what feeds what
Workshop.plan(...)     the design of the index, realised over the list whose turn it is (the next ones where it
                       cannot give what the design asks for)
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

import msgspec

from callwright.author.personas import bank, choose
from callwright.engine.randomness import stream
from callwright.environment.result_drawing import is_drawable
from callwright.environment.returns import with_returns
from callwright.environment.tool_world import ToolWorld
from callwright.errors import BadInput
from callwright.papers.wild.chat_tasks import PlannedChat, chat
from callwright.papers.wild.clarify_tasks import clarify
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask
from callwright.papers.wild.multi_tasks import multi
from callwright.papers.wild.session_design import SessionDesign, TaskDesign, design_of
from callwright.papers.wild.session_extras import Extras, add_extras
from callwright.papers.wild.session_memory import Fact, Past, Topic, argument_facts, result_facts
from callwright.papers.wild.task_builder import Desk
from callwright.papers.wild.tool_pool import Bench, benches_of
from callwright.papers.wild.wild_options import WildOptions
from callwright.records.annotations.wild_notes import Topology, WildPlan
from callwright.records.dialogue import GoldArgument, GoldCall, Participant, Scenario, ShownTool, Task
from callwright.records.issue import Issue
from callwright.records.jsontext import encode
from callwright.records.persona import Persona
from callwright.records.tool import Catalog, LeftOut, ToolList

RECIPE = "wild.v1"
ATTEMPTS = 4
"""Tries with one list before the next."""
LISTS_TRIED = 100
TERSE_SHARE = 0.25


class SessionPlan(msgspec.Struct):
    """A scenario, and what its words are made from."""

    scenario: Scenario
    tasks: tuple[PlannedTask | PlannedChat, ...]
    persona: Persona
    style: str
    extras: Extras


class Unplanned(msgspec.Struct, frozen=True):
    """A session that no list of the catalogue can give; the same catalogue never will."""

    item: str
    issue: Issue
    """Code `no_plan`."""


class Workshop:
    """A catalogue with all that is computed from it once."""

    def __init__(self, catalog: Catalog, options: WildOptions, seed: int) -> None:
        """`catalog` has a result schema on every tool (`with_returns`)."""
        self.catalog = catalog
        self.options = options
        self.seed = seed
        self.benches = benches_of(catalog, seed=seed)
        if not self.benches:
            raise BadInput("the catalogue has no tools. Import a document that has some.")
        self.pools = _pools(self.benches)
        self.personas = bank()
        self.options_text = encode(msgspec.to_builtins(options))
        self._orders: dict[tuple[int, Topology], list[int]] = {}

    def plan(self, item: str, index: int) -> SessionPlan | Unplanned:
        """Return session `index`, or that no list can give what its design asks for."""
        design = design_of(index, seed=self.seed, tasks=self.options.tasks)
        candidates = self._candidates(index, design.needs)
        for turn, (bench, visit) in enumerate(candidates):
            for attempt in range(ATTEMPTS):
                rng = stream(self.seed, item, f"plan/{turn}", attempt)
                session = _Session(self, rng, bench, design, item, index)
                session.desk.turn = visit * self.options.tasks
                if session.made():
                    return session.plan()
        message = (
            f"session {index}: none of {len(candidates)} lists of tools can give tasks of kinds "
            f"{', '.join(task.kind for task in design.tasks)}. Give more tools, or tools whose results others need."
        )
        return Unplanned(item, Issue("no_plan", message=message))

    def _candidates(self, index: int, needs: Topology) -> list[tuple[Bench, int]]:
        """The lists to try, each with the round."""
        places = self.pools[needs] or tuple(range(len(self.benches)))
        found: list[tuple[Bench, int]] = []
        round_, place = divmod(index, len(places))
        for step in range(min(LISTS_TRIED, len(places))):
            at = place + step
            visit = round_ + at // len(places)
            order = self._order(visit, len(places), needs)
            found.append((self.benches[places[order[at % len(places)]]], visit))
        spare = [] if needs else [one for at, one in enumerate(self.benches) if at not in set(places)]
        return [*found, *((one, round_) for one in spare[: LISTS_TRIED - len(found)])]

    def _order(self, round_: int, count: int, needs: Topology) -> list[int]:
        if (round_, needs) not in self._orders:
            order = list(range(count))
            stream(self.seed, self.catalog.digest, f"round/{round_}/{needs}", 0).shuffle(order)
            self._orders[round_, needs] = order
        return self._orders[round_, needs]


def _pools(benches: Sequence[Bench]) -> dict[Topology, tuple[int, ...]]:
    """The lists for each need: in which something feeds something; or at least can be joined; the others, or where
    these are few, all.

    Few lists give chains of three, or joins: they come up more often where those are wanted.
    """
    feeding = tuple(place for place, one in enumerate(benches) if one.edges)
    chaining = tuple(place for place, one in enumerate(benches) if one.chains)
    joining = tuple(place for place, one in enumerate(benches) if one.choosings or one.gathered)
    others = tuple(place for place in range(len(benches)) if place not in set(feeding))
    others = others if 2 * len(others) >= len(benches) else tuple(range(len(benches)))
    mixing = tuple(sorted({*feeding, *joining}))
    return {"S": (*feeding, *chaining, *chaining), "S+P": (*mixing, *joining), "": others}


class _Session:
    """One try at a session over one list."""

    def __init__(self, shop: Workshop, rng: Random, bench: Bench, design: SessionDesign, item: str, index: int) -> None:
        self.shop, self.design, self.item, self.index = shop, design, item, index
        self.persona = choose(rng, rng.choice(bench.tools), shop.personas, k=12)
        self.today = date(2026, 1, 5) + timedelta(days=rng.randrange(720))
        world = ToolWorld(seed=shop.seed, item=item, today=self.today, persona=self.persona, tools=bench.tools)
        self.desk = Desk(rng, bench, self.persona, self.today, world)
        self.style = "terse" if rng.random() < TERSE_SHARE else "verbose"
        self.tasks: list[PlannedTask | PlannedChat] = []

    def made(self) -> bool:
        """Realise the design, task by task; False where one cannot be."""
        for position, design in enumerate(self.design.tasks):
            later = self.design.tasks[position + 1 :]
            self.desk.hiding = design.hiding
            self.desk.is_source = bool(later) and later[0].hiding in ("partial", "coreference")
            self.desk.leads = any(task.topology in ("S", "S+P") for task in later)
            task = self._task(design)
            if task is None:
                return False
            self.tasks.append(task)
            remember(self.desk.past, task)
            if isinstance(task, PlannedTask):
                self.desk.used |= {call.place for call in task.calls}
        return True

    def _task(self, design: TaskDesign) -> PlannedTask | PlannedChat | None:
        if design.kind == "chat":
            return chat(self.desk, design)
        if design.kind == "multi":
            return multi(self.desk, design)
        return self.desk.single(design) if design.kind == "single" else clarify(self.desk, design)

    def plan(self) -> SessionPlan:
        """Return the finished plan."""
        rng, options = self.desk.rng, self.shop.options
        extras = add_extras(self.desk, self.tasks, options.minefields, options.tool_failures, options.value_changes)
        notes = WildPlan(
            persona=self.persona.id,
            tone=self.persona.tone,
            tool_list=self.desk.bench.name,
            topologies=tuple(task.topology for task in self.design.tasks),
            transitions=self.design.transitions,
            hidden=tuple(place for task in self.tasks for place in task.hidden),
            mines=extras.mines,
            failures=extras.failures,
            no_other_tool=extras.no_other_tool,
            changes=extras.changes,
        )
        scenario = Scenario(
            id=self.item,
            recipe=RECIPE,
            seed=self.shop.seed,
            index=self.index,
            participants=(
                Participant("user", "user", name=self.persona.name, persona=self.persona.text),
                Participant("assistant", "assistant"),
            ),
            tasks=tuple(gold_task(task) for task in self.tasks),
            tools=_shuffled(rng, self.desk.bench.shown(self.desk.used)),
            today=self.today.isoformat(),
            annotation=notes,
        )
        return SessionPlan(scenario, tuple(self.tasks), self.persona, self.style, extras)


def _shuffled(rng: Random, shown: Sequence[ShownTool]) -> tuple[ShownTool, ...]:
    order = list(shown)
    rng.shuffle(order)
    return tuple(order)


def gold_task(task: PlannedTask | PlannedChat) -> Task:
    """Return a task as records have it; its turn is not known yet."""
    design = task.design
    if isinstance(task, PlannedChat):
        return Task("chat", hiding=design.hiding)
    return Task(
        design.kind,
        goal="; ".join(call.wish().gloss.phrase for call in task.calls),
        gold=tuple(_gold(call) for call in task.calls),
        hiding=design.hiding,
        missing=task.missing,
    )


def _gold(call: PlannedCall) -> GoldCall:
    arguments = tuple(GoldArgument(name, (encode(value),)) for name, value in call.values.items())
    return GoldCall(call.name, arguments, call.after, call.result)


def remember(past: Past, task: PlannedTask | PlannedChat) -> None:
    """Add what a task says and obtains to what the session holds."""
    position, ask = past.position, past.next_turn
    if isinstance(task, PlannedChat):
        facts = [] if task.recalled is None else [_told_again(task.recalled, position, ask + 1)]
        topic, length = task.topic, 2
    else:
        answer = ask + 2 if task.missing else ask
        length = 4 if task.missing else 2
        calls = enumerate(task.calls)
        facts = [fact for place, call in calls for fact in _facts(task, place, call, position, ask, answer)]
        topic = _topic(task, position, ask)
        past.calls |= {call.identity for call in task.calls}
    past.facts += facts
    past.topics.append(topic)
    past.chats.append(isinstance(task, PlannedChat))
    past.asks.append(ask)
    past.next_turn = ask + length


def _told_again(fact: Fact, position: int, turn: int) -> Fact:
    return Fact(position, fact.known, fact.identity, turn, entity=fact.entity)


def _facts(task: PlannedTask, place: int, call: PlannedCall, position: int, ask: int, answer: int) -> list[Fact]:
    turns = {name: ask for name in call.values if call.ways.get(name, "said") in ("said", "again")}
    turns |= dict.fromkeys(task.missing, answer)
    found = list(argument_facts(call.tool, call.values, turns, task=position, ask=ask))
    return [*found, *result_facts(call.tool, call.result, task=position, call=place, turn=answer + 1)]


def _topic(task: PlannedTask, position: int, ask: int) -> Topic | None:
    first = task.calls[0]
    if any(call.tool != first.tool for call in task.calls):
        return None
    varied = [name for name in first.values if any(call.values.get(name) != first.values[name] for call in task.calls)]
    if len(varied) > 1:
        return None
    return Topic(first.tool, dict(first.values), ask, position, "".join(varied))


def prepare(catalog: Catalog) -> Catalog:
    """Return the catalogue that sessions are made over: every tool with a result schema that can be drawn from.

    The others, whose documents contradict themselves, are named in its `left_out`.
    """
    complete = with_returns(catalog)
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
