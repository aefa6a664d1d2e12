"""The plan of one group chat: people and the values that each knows, gold calls, results, and chained values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import product
from random import Random
from typing import Final

import msgspec

from callwright.author.cast import cast, suited
from callwright.author.kindred_values import with_kindred
from callwright.author.personas import bank
from callwright.author.value_drawing import draw_values, untagged
from callwright.author.wanted import wanted_parameters
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.engine.randomness import stream
from callwright.environment.moved_days import EarlierCall, with_moved_days
from callwright.environment.returns import with_returns
from callwright.environment.shared_examples import with_shared_examples
from callwright.environment.told_outputs import takes_same
from callwright.environment.tool_world import ToolWorld
from callwright.errors import RolloutFailed
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.match.schema import conforms
from callwright.papers.dice.chat_chains import BalancedChains, ChatGraph, UniformChains
from callwright.papers.dice.chat_design import Cell, as_identified, cells, edges_of, flows_of, with_same_names
from callwright.papers.dice.chat_filter import known_as
from callwright.papers.dice.chat_filter import usable as talkable
from callwright.papers.dice.chat_things import are_apart, means_one, noun_of, told_things
from callwright.papers.dice.chat_voices import VOICES
from callwright.papers.dice.dice_options import DiceOptions
from callwright.recipe.unplanned import NO_PLAN, Unplanned
from callwright.records.annotations.dice_notes import DiceNotes, DiceRound, HeldValue, TakenValue
from callwright.records.dialogue import GoldCall, Participant, Result, Scenario, ShownTool, Task, gold_arguments
from callwright.records.issue import Issue
from callwright.records.jsontext import Json, decode, encode
from callwright.records.persona import Persona
from callwright.records.pointer import resolve
from callwright.records.tool import Catalog, Tool

VERSION: Final = "dice.v2"
ASSISTANT: Final = "assistant"
TODAY: Final = date(2026, 3, 2)
MOST_SHOWN: Final = 128


class PlannedRound(msgspec.Struct, frozen=True):
    """One round: its call, who knows which value, and what the round before returned for it."""

    tool: Tool
    values: dict[str, Json]
    result: Result
    holders: dict[str, str]
    """Parameter to the id of the one person who knows its value; values that were returned have none."""
    taken: tuple[tuple[str, str], ...] = ()
    carried: frozenset[str] = frozenset()
    """Parameters whose value an earlier call has for the same thing: nobody says it again."""
    listens: bool = False
    """Whether nobody turns to the assistant: people talk about such a call, and drop it."""


class ChatPlan(msgspec.Struct, frozen=True):
    """All that is fixed of a dialogue before its first word."""

    scenario: Scenario
    cell: Cell
    rounds: tuple[PlannedRound, ...]
    """Also those in which the assistant only listens."""


def prepare(catalog: Catalog) -> Catalog:
    """Return the catalogue with a result schema on every tool."""
    return with_shared_examples(with_returns(catalog))


class ChatPlanner:
    """A catalogue with its graph and chains; it plans every dialogue."""

    def __init__(self, catalog: Catalog, options: DiceOptions, seed: int, personas: tuple[Persona, ...] = ()) -> None:
        self.catalog, self.options, self.seed = catalog, as_identified(options, catalog), seed
        self.personas = personas or bank()
        self.cells = cells(options.rounds, options.parties)
        usable, _ = talkable(catalog.tools)
        rng = stream(seed, catalog.digest, "chains")
        rng.shuffle(usable)
        graph = None if options.graph is msgspec.UNSET else options.graph
        lengths = {cell.rounds for cell in self.cells}
        self.flows = flows_of(catalog)
        edges = edges_of(catalog, usable, self.flows, graph)
        if graph is not None:
            self.flows = with_same_names(self.flows, edges, catalog)
        self.usable = usable
        whole = ChatGraph(usable, edges, is_given=graph is not None, flows=self.flows.keys())
        is_uniform = options.sampler == "uniform"
        self._chains = UniformChains(whole, lengths, seed) if is_uniform else BalancedChains(whole, self.cells, rng)

    def plan(self, item: str, index: int) -> ChatPlan | Unplanned:
        """Return dialogue `index`, or why there is none. Raises RolloutFailed where no chain can be called."""
        cell = self.cells[index % len(self.cells)]
        per_length = len(self.cells) // len({one.rounds for one in self.cells})
        order = self._chains.tries(cell, item, index // len(self.cells) * per_length + index % per_length)
        if not order:
            message = f"there is no chain of {cell.rounds} tools. Give more tools, or fewer --rounds."
            return Unplanned(item, Issue(NO_PLAN, message=message))
        for attempt, names in enumerate(order):
            rng = stream(self.seed, item, "plan", attempt)
            try:
                return self._planned(item, index, cell, [self.catalog.by_name[name] for name in names], rng)
            except RolloutFailed:
                if attempt == len(order) - 1:
                    raise
        raise AssertionError("unreachable")

    def _planned(self, item: str, index: int, cell: Cell, chain: Sequence[Tool], rng: Random) -> ChatPlan:
        people = cast(rng, chain, self.personas, cell.party)
        world = ToolWorld(seed=self.seed, item=item, today=TODAY, persona=people[0], tools=tuple(chain))
        calls: list[PlannedRound] = []
        for tool in chain:
            calls.append(_call(tool, rng, people[0], calls, world, self))
        ids = [f"user_{at}" for at in range(1, cell.party + 1)]
        rounds = self._with_pause(_shared_out(calls, ids, rng), rng)
        golds = [(value, slots(one.tool)[name].kind) for one in calls for name, value in one.values.items()]
        people = suited(stream(self.seed, item, "personas"), people, chain, golds, TODAY)
        return ChatPlan(self._scenario(item, index, cell, people, rounds, rng), cell, rounds)

    def _with_pause(self, rounds: tuple[PlannedRound, ...], rng: Random) -> tuple[PlannedRound, ...]:
        """The rounds, and in the share asked for one more in which the assistant only listens."""
        if not self.options.listening or rng.random() >= self.options.listening:
            return rounds
        others = [tool for tool in self.usable if all(not _alike(tool, one.tool) for one in rounds)]
        if not others:
            return rounds
        at = rng.randrange(len(rounds) + 1)
        pause = PlannedRound(rng.choice(others), {}, Result(), {}, listens=True)
        return (*rounds[:at], pause, *rounds[at:])

    def _scenario(
        self, item: str, index: int, cell: Cell, people: Sequence[Persona], rounds: Sequence[PlannedRound], rng: Random
    ) -> Scenario:
        shown = {one.tool.key: one.tool for one in rounds}
        golds = [one.tool for one in rounds]
        others = [
            tool
            for tool in self.catalog.tools
            if tool.key not in shown and not any(_alike(tool, gold) for gold in golds)  # else two calls are right
        ]
        voices = rng.sample(list(VOICES.values()), len(people))
        pool = [*shown.values(), *rng.sample(others, min(len(others), MOST_SHOWN - len(shown)))]
        rng.shuffle(pool)
        return Scenario(
            id=item,
            recipe=VERSION,
            seed=self.seed,
            index=index,
            participants=(
                *(
                    Participant(
                        f"user_{at}", "user", who.name.split()[0], f"{_described(who, f'user_{at}', rounds)} {voice}"
                    )
                    for at, (who, voice) in enumerate(zip(people, voices, strict=True), 1)
                ),
                Participant(ASSISTANT, "assistant", "AI"),
            ),
            tasks=tuple(Task("chat") if one.listens else Task("single", gold=(_gold(one),)) for one in rounds),
            tools=tuple(ShownTool(tool.key, tool.name) for tool in pool),
            today=TODAY.isoformat(),
            annotation=DiceNotes(
                dialogue_type=cell.type,
                functions=tuple(one.tool.name for one in rounds if not one.listens),
                rounds=tuple(map(_noted, rounds)),
            ),
        )


def _alike(tool: Tool, gold: Tool) -> bool:
    """Whether people would ask for both in the same words."""
    a, b = gloss(tool), gloss(gold)
    return a.object_stems == b.object_stems and (a.act == b.act or {a.act, b.act} <= LOOKUPS)


def _noted(one: PlannedRound) -> DiceRound:
    if one.listens:
        return DiceRound(first=0, listens=True)
    return DiceRound(
        first=0,
        domain=one.tool.domain,
        taken=tuple(TakenValue(*pair) for pair in one.taken),
        known=tuple(HeldValue(name, holder) for name, holder in one.holders.items()),
    )


def _described(who: Persona, id_: str, rounds: Sequence[PlannedRound]) -> str:
    nouns = [known_as(slots(one.tool)[name]) for one in rounds for name, holder in one.holders.items() if holder == id_]
    return f"{who.text} Knows {', '.join(dict.fromkeys(nouns))}." if nouns else who.text


def _gold(one: PlannedRound) -> GoldCall:
    return GoldCall(one.tool.name, gold_arguments(one.values), result=one.result)


def _call(
    tool: Tool, rng: Random, persona: Persona, earlier: Sequence[PlannedRound], world: ToolWorld, plan: ChatPlanner
) -> PlannedRound:
    """Draw the next call: what is the same thing as in an earlier call keeps its value."""
    drawn = draw_values(rng, tool, persona, today=TODAY, also=wanted_parameters(tool))
    values = with_kindred(rng, tool, {name: untagged(value) for name, value in drawn.items()}, plan.catalog.tools)
    alone = _kept(tool, values, earlier)
    before = earlier[-1] if earlier else None
    taken = _taken(tool, earlier, plan.flows.get((before.tool.name, tool.name), ()), values) if before else ()
    if before is not None and before.result.value is not None:
        returned = decode(before.result.value)
        values |= {name: resolve(returned, pointer) for name, pointer in taken}
    told = [EarlierCall(one.tool, one.values, _returned(one)) for one in earlier]
    values = with_moved_days(rng, tool, values, told, kept=dict(taken))
    nouns = Counter(noun_of(tool, name) for name in values if slots(tool)[name].kind == "code")
    carried = {name for name in alone if nouns[noun_of(tool, name)] == 1}  # else `the same file` is one of two
    result = world.call(tool, values)
    is_empty = any(not str(value).strip() for value in values.values())
    if result.error is not None or is_empty or not conforms(encode(values), tool):
        raise RolloutFailed(f"no valid call of {tool.name!r} could be drawn", kind="values", role="author")
    world.keep(tool, values, result)
    carried -= {name for name, _ in taken}
    holders = {name: "" for name in values if name not in carried | dict(taken).keys()}
    return PlannedRound(tool, values, result, holders, taken, frozenset(carried))


def _kept(tool: Tool, values: dict[str, Json], earlier: Sequence[PlannedRound]) -> set[str]:
    """Give what an earlier call is about too its value; return the parameters whose thing is the only one since then.

    Where another thing of its noun was told since, `the same file` would mean that one, and somebody says the value.
    """
    alone = set[str]()
    for (at, one), name in product(enumerate(earlier), tuple(values)):
        same = next((theirs for theirs in one.values if takes_same(tool, name, one.tool, theirs)), "")
        noun = noun_of(tool, name)
        if not same or slots(tool)[name].kind != "code" or "," in str(one.values[same]):  # several in one text
            continue
        if are_apart(one.tool, tool, noun):
            continue
        values[name] = one.values[same]
        since = [means_one(noun, values[name], each.tool, each.values, _returned(each)) for each in earlier[at:]]
        alone = alone | {name} if all(since) else alone - {name}
    return alone


def _returned(one: PlannedRound) -> Json:
    return decode(one.result.value) if one.result.value is not None else None


def _taken(
    tool: Tool, earlier: Sequence[PlannedRound], flows: Sequence[tuple[str, str]], values: Mapping[str, Json]
) -> tuple[tuple[str, str], ...]:
    """The value of the last result for a parameter of this call: one, as people refer to one thing, best a new one.

    None of a list where an earlier result has listed other things of the noun: `the first style` might be one of those.
    """
    before, returned = earlier[-1], _returned(earlier[-1])
    listed = {one.noun for each in earlier[:-1] for one in told_things(each.tool, _returned(each)) if one.is_listed}
    found = [
        (name, pointer, resolve(returned, pointer))
        for name, pointer in flows
        if name in values
        and not (noun_of(tool, name) in listed and any(part.isdigit() for part in pointer.split("/")))
        and not are_apart(before.tool, tool, noun_of(tool, name))
    ]
    fitting = [one for one in found if isinstance(one[2], str | int) and not isinstance(one[2], bool) and one[2] != ""]
    fitting.sort(key=lambda one: one[2] in before.values.values())
    return tuple((name, pointer) for name, pointer, _ in fitting[:1])


def _shared_out(calls: Sequence[PlannedRound], ids: Sequence[str], rng: Random) -> tuple[PlannedRound, ...]:
    """Return the rounds with a holder for each value: people take turns, so that what is needed lies with everyone."""
    order = list(ids)
    rng.shuffle(order)
    at, found = 0, []
    for one in calls:
        names = list(one.holders)
        rng.shuffle(names)
        holders = {name: order[(at + nth) % len(order)] for nth, name in enumerate(names)}
        at += len(names)
        found.append(msgspec.structs.replace(one, holders=holders))
    return tuple(found)
