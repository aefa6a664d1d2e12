"""Planning a `tooldial` dialogue: acts, tools, values, states and retriever status, before any text (section 3.3).

ToolDialWorkshop(catalog)     what is computed from the catalogue once: graph, pairs, retriever, sequences
ToolDialWorkshop.plan(...)    one scenario: a sequence, tools that go through it, queries in their bands, calls
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Final, NamedTuple

import msgspec

from callwright.author.askable_tools import left_out
from callwright.author.personas import bank, choose, people
from callwright.author.value_ids import id_forms
from callwright.catalog.gloss import gloss
from callwright.catalog.sentence_encoder import load
from callwright.engine.randomness import stream
from callwright.environment.asked_parameters import has_twins, is_flat
from callwright.environment.result_drawing import is_drawable
from callwright.environment.tool_world import ToolWorld
from callwright.errors import BadInput, RolloutFailed
from callwright.graph.given_graph import given_graph
from callwright.graph.graph_build import build_graph
from callwright.graph.linked_calls import CallDrawer, DrawnCalls
from callwright.graph.tool_pairs import ToolPair, usable_pairs
from callwright.papers.tooldial.act_grammar import SYNTHESISED, Extra, accepts
from callwright.papers.tooldial.banded_retriever import Band, BandedRetriever
from callwright.papers.tooldial.scenario_states import ScenarioFacts, planned_turns
from callwright.papers.tooldial.sequence_shapes import Opening, Shape, TellingOrder, courses, shape_of
from callwright.papers.tooldial.tooldial_options import ToolDialOptions
from callwright.records.annotations.tooldial_notes import IntentQuery, ToolDialPlan
from callwright.records.dialogue import GoldCall, Result, Scenario, ShownTool, Task, gold_arguments
from callwright.records.jsontext import JsonText, encode
from callwright.records.persona import Persona
from callwright.records.tool import Catalog

RECIPE: Final = "tooldial.v1"
FAILED_SHARE: Final = 223 / 1166
"""Share of `response_fail` in the paper's test set."""
_TRIES: Final = 40
"""Tools or pairs that are tried at random before all that fit are looked through."""
_DRAWS: Final = 4
"""Draws of values for the same tools."""
BANDS: Final[dict[Opening, tuple[Band, ...]]] = {
    "clear": ("clear",),
    "clarify": ("clarify", "clear"),
    "suggest": ("suggest",),
}
"""The bands of a dialogue's wishes, in their order."""


class PlannedDialogue(NamedTuple):
    """A scenario with what its words are made from."""

    scenario: Scenario
    plan: ToolDialPlan
    pair: ToolPair
    drawn: DrawnCalls


class ToolDialWorkshop:
    """A catalogue with all that is computed from it once."""

    def __init__(
        self, catalog: Catalog, options: ToolDialOptions, seed: int, personas: tuple[Persona, ...] = ()
    ) -> None:
        self.catalog = catalog
        self.options = options
        self.seed = seed
        self.personas = personas or bank()
        self.options_text = encode(msgspec.to_builtins(options))
        self.ids = id_forms(catalog.tools)
        asked = [tool for tool in catalog.tools if not left_out(tool) and is_flat(tool) and is_drawable(tool)]
        if not asked:
            raise BadInput("the catalogue has no tools that a user can ask for. Import a document that has some.")
        self.alone = tuple(ToolPair(tool) for tool in asked)
        keys = {tool.key for tool in asked}
        found = usable_pairs(catalog, given_graph(options.graph, catalog) or build_graph(catalog).graph)
        self.pairs = tuple(one for one in found if {tool.key for tool in one.tools} <= keys)
        encoder = None if options.encoder is msgspec.UNSET else load(options.encoder)
        self.retriever = BandedRetriever(catalog.tools, (*self.alone, *self.pairs), encoder)
        self._queries = lru_cache(maxsize=None)(self.retriever.queries)
        shapes = [shape_of(acts) for acts in drawn_sequences(options)]
        self._fitting = {shape.structure: self._all_fitting(shape) for shape in shapes}
        self.shapes = tuple(filter(self._can_realise, shapes))
        self.unrealisable = tuple(SYNTHESISED.index(shape.acts) for shape in shapes if shape not in self.shapes)

    def _all_fitting(self, shape: Shape) -> dict[str, list[ToolPair]]:
        """Tools or pairs that can go through a shape, by the target's name."""
        found: dict[str, list[ToolPair]] = {}
        for pair in self.pairs if shape.kind == "two" else self.alone:
            if next(courses(shape, pair), None) is not None:
                found.setdefault(pair.target.name, []).append(pair)
        return found

    def _can_realise(self, shape: Shape) -> bool:
        """Whether the queries of some tool or pair fall in their bands, and calls can be drawn."""
        fitting = [pair for group in self._fitting[shape.structure].values() for pair in group]
        in_band = (pair for pair in fitting if self._in_band(shape, pair))
        drawer = self._drawer("realisable", 0, self.personas[0])
        return any(self._drawn(drawer, shape, pair) is not None for pair in islice(in_band, _TRIES))

    def _in_band(self, shape: Shape, pair: ToolPair) -> bool:
        return all(self._queries(band, pair) for band in BANDS[shape.opening])

    def plan(self, item: str, index: int) -> PlannedDialogue:
        """Return scenario `index`. Raises RolloutFailed."""
        shape = self._shape(item, index)
        rng = stream(self.seed, item, "plan", 0)
        given_up = 0
        for pair in self._order(shape, rng):
            if not self._in_band(shape, pair):
                given_up += 1
                continue
            persona = choose(rng, pair.target, self.personas, k=12)
            drawn = self._drawn(self._drawer(item, given_up, persona), shape, pair)
            if drawn is not None:
                return self._planned(item, index, _Chosen(shape, pair, drawn, persona, given_up), rng)
        raise RolloutFailed(f"no tools go through {' '.join(shape.acts)}", kind="no_plan", role="author")

    def _shape(self, item: str, index: int) -> Shape:
        """The sequence of an item: sequences take turns in rounds that are shuffled anew."""
        if not self.shapes:
            raise RolloutFailed("the catalogue can realise no act sequence", kind="no_plan", role="author")
        if self.options.balance == "natural":
            return self._natural(item)
        shapes = list(self.shapes)
        failures = [shape for shape in shapes if shape.kind == "failure"]
        if self.options.balance == "corpus" and 0 < len(failures) < len(shapes):
            before, after = int(index * FAILED_SHARE), int((index + 1) * FAILED_SHARE)
            if after > before:
                return failures[0]
            shapes, index = [shape for shape in shapes if shape.kind != "failure"], index - before
        turn, place = divmod(index, len(shapes))
        stream(self.seed, self.catalog.digest, f"round/{turn}", 0).shuffle(shapes)
        return shapes[place]

    def _natural(self, item: str) -> Shape:
        """A sequence among those of a tool that is drawn: what many tools can do is frequent."""
        rng = stream(self.seed, item, "natural", 0)
        names = sorted({name for shape in self.shapes for name in self._fitting[shape.structure]})
        name = rng.choice(names)
        return rng.choice([shape for shape in self.shapes if name in self._fitting[shape.structure]])

    def _order(self, shape: Shape, rng: Random) -> Iterable[ToolPair]:
        """Tools in random order, each with one of its pairs; then all that fit, so that none is missed."""
        groups = self._fitting[shape.structure]
        names = list(groups)
        rng.shuffle(names)
        yield from (rng.choice(groups[name]) for name in names[:_TRIES])
        every = [pair for group in groups.values() for pair in group]
        rng.shuffle(every)
        yield from every

    def _drawer(self, item: str, attempt: int, persona: Persona) -> CallDrawer:
        rng = stream(self.seed, item, "values", attempt)
        today = date(2026, 1, 5) + timedelta(days=rng.randrange(720))
        world = ToolWorld(seed=self.seed, item=item, today=today, persona=persona, tools=self.catalog.tools)
        return CallDrawer(rng, persona, today, dict(self.ids), world)

    def _drawn(self, drawer: CallDrawer, shape: Shape, pair: ToolPair) -> DrawnCalls | None:
        """Calls for the tools; None where none can be drawn in a few attempts."""
        for _ in range(_DRAWS):
            try:
                if shape.kind == "failure":
                    return DrawnCalls({})
                drawn = drawer.linked(pair) if shape.kind == "two" else drawer.alone(pair.target)
            except RolloutFailed:
                continue
            if not (shape.kind == "add" and shape.asks and has_twins(drawn.values)):
                return drawn
        return None

    def _planned(self, item: str, index: int, chosen: _Chosen, rng: Random) -> PlannedDialogue:
        shape, pair, drawn, persona = chosen.shape, chosen.pair, chosen.drawn, chosen.persona
        course = rng.choice(list(courses(shape, pair)))
        queries = tuple(_preferred(rng, self._queries(band, pair)) for band in BANDS[shape.opening])
        searches = tuple(self.retriever.search(query.text) for query in queries)
        facts = ScenarioFacts(pair, course, drawn.values, drawn.source_values, searches)
        plan = ToolDialPlan(
            acts=shape.acts,
            target=pair.target.key,
            source=pair.source.key if pair.source is not None else "",
            output=drawn.pointer,
            input=pair.parameter,
            opened_with=course.opened_with,
            first=course.first,
            of_source=course.of_source,
            later=course.later,
            queries=queries,
            turns=planned_turns(shape.acts, facts),
            persona=persona.id,
            tone=persona.tone,
            style="terse" if rng.random() < _TERSE_SHARE else "verbose",
            suggested_from=self.retriever.thresholds.suggested,
            confirmed_from=self.retriever.thresholds.confirmed,
            unrealisable=self.unrealisable,
            given_up=chosen.given_up,
        )
        scenario = Scenario(
            id=item,
            recipe=RECIPE,
            seed=self.seed,
            index=index,
            participants=people(persona),
            tasks=(_task(shape, pair, drawn),),
            tools=tuple(ShownTool(tool.key, tool.name) for tool in pair.tools),
            today=self._drawer(item, chosen.given_up, persona).today.isoformat(),
            annotation=plan,
        )
        return PlannedDialogue(scenario, plan, pair, drawn)

    def with_queries(self, planned: PlannedDialogue, queries: tuple[IntentQuery, ...]) -> PlannedDialogue:
        """Return the plan with other wishes: their searches are made, and the turns planned anew."""
        plan, drawn = planned.plan, planned.drawn
        course = TellingOrder(plan.opened_with, plan.first, plan.of_source, plan.later)
        searches = tuple(self.retriever.search(query.text) for query in queries)
        facts = ScenarioFacts(planned.pair, course, drawn.values, drawn.source_values, searches)
        plan = msgspec.structs.replace(plan, queries=queries, turns=planned_turns(plan.acts, facts))
        return planned._replace(scenario=msgspec.structs.replace(planned.scenario, annotation=plan), plan=plan)

    def with_result(self, planned: PlannedDialogue, tool: str, value: JsonText) -> PlannedDialogue:
        """Return the plan with another result of a call; after the source's, the target's is drawn to agree with it."""
        plan, pair, drawn = planned.plan, planned.pair, planned.drawn
        if pair.source is None or tool != pair.source.name:
            drawn = drawn._replace(result=Result(value=value))
        elif drawn.source_result != Result(value=value):
            drawn = drawn._replace(source_result=Result(value=value))
            persona = next((one for one in self.personas if one.id == plan.persona), self.personas[0])
            world = self._drawer(planned.scenario.id, plan.given_up, persona).world
            world.keep(pair.source, drawn.source_values, Result(value=value))
            after = world.call(pair.target, drawn.values)
            drawn = drawn._replace(result=drawn.result if after.value is None else after)
        plan = msgspec.structs.replace(plan, returned=plan.returned + 1)
        tasks = (_task(shape_of(plan.acts), pair, drawn),)
        return PlannedDialogue(
            msgspec.structs.replace(planned.scenario, tasks=tasks, annotation=plan), plan, pair, drawn
        )


def drawn_sequences(options: ToolDialOptions) -> tuple[tuple[str, ...], ...]:
    """Return the act sequences that are drawn with these options."""
    told: dict[Extra, object] = {"inputless": options.inputless, "unlisted": options.unlisted}
    extras = [extra for extra, is_wanted in told.items() if is_wanted is True]
    return tuple(acts for acts in SYNTHESISED if accepts(acts, extras=extras))


class _Chosen(NamedTuple):
    shape: Shape
    pair: ToolPair
    drawn: DrawnCalls
    persona: Persona
    given_up: int


_TERSE_SHARE: Final = 0.3


def _preferred(rng: Random, queries: Sequence[IntentQuery]) -> IntentQuery:
    """One of the queries, the first ones most often."""
    return queries[int(len(queries) * rng.random() ** 2)]


def _task(shape: Shape, pair: ToolPair, drawn: DrawnCalls) -> Task:
    goal = gloss(pair.target).phrase
    if shape.kind == "failure":
        return Task("chat", f"something else than to {goal}")
    if pair.source is None:
        return Task("single", goal, (GoldCall(pair.target.name, gold_arguments(drawn.values), result=drawn.result),))
    first = GoldCall(pair.source.name, gold_arguments(drawn.source_values), result=drawn.source_result)
    return Task("multi", goal, (first, GoldCall(pair.target.name, gold_arguments(drawn.values), (0,), drawn.result)))


def planned_tools(planned: PlannedDialogue) -> frozenset[str]:
    """Return the keys of the tools that a planned dialogue is about."""
    return frozenset(tool.key for tool in planned.scenario.tools)
