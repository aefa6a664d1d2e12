"""Planning a `diaforge` dialogue: everything that is fixed before the first word (DiaFORGE, section 3.1).

DialogueWorkshop(catalog)     what is computed from the catalogue once: glosses, retriever, neighbours
workshop_of_models(...)       the same where a model invents the values
DialogueWorkshop.plan(...)    by rule: seed tool, persona, candidate pool, vague requests
fill(scenario, ctx)   by the author: the goal and the gold values, then what this user turns out to do
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from random import Random

import msgspec

from callwright.author.askable_tools import left_out, left_out_anyway
from callwright.author.assistant_turn import hint
from callwright.author.briefs import Request, known_values
from callwright.author.personas import bank, choose, people
from callwright.author.value_ids import id_forms
from callwright.author.wanted import wanted_parameters
from callwright.catalog.chunks import Gloss
from callwright.catalog.distinct import are_twins, distinct_glosses
from callwright.catalog.lexical import LexicalEncoder
from callwright.catalog.neighbours import nearest
from callwright.catalog.retrieval import EncodedRetriever, Retriever, headline
from callwright.catalog.sentence_encoder import load
from callwright.catalog.similarity import description_encoder, is_near, to_pool
from callwright.catalog.slots import assemble
from callwright.catalog.vectors import Encoder
from callwright.engine.context import Context
from callwright.engine.randomness import stream
from callwright.errors import BadInput
from callwright.lang.english import ways_to_say
from callwright.lang.tokens import stem_set
from callwright.papers.diaforge.diaforge_options import DiaforgeOptions
from callwright.papers.diaforge.gold_writing import goal, gold_values
from callwright.papers.diaforge.opening_request import fits, says_all, vague_requests
from callwright.papers.diaforge.user_policy import draw_quirks, plan_behind
from callwright.records.annotations.diaforge_notes import DiaforgePlan, PlannedRequest
from callwright.records.dialogue import Dialogue, GoldCall, Scenario, ShownTool, Task, gold_arguments
from callwright.records.jsontext import Json, encode
from callwright.records.persona import Persona
from callwright.records.tool import Catalog, Tool

RECIPE = "diaforge.v1"
_FARTHEST = 4
"""Times the pool's size that neighbours are kept, for the ablation that passes over the nearest."""


class DialogueWorkshop:
    """A catalogue with all that is computed from it once: glosses, retriever, neighbours."""

    def __init__(
        self,
        catalog: Catalog,
        options: DiaforgeOptions,
        seed: int,
        personas: tuple[Persona, ...] = (),
        *,
        encoder: Encoder | None = None,
        why_left_out: Callable[[Tool], str] = left_out,
    ) -> None:
        """`why_left_out` says why users cannot ask for a tool, empty where they can."""
        self.catalog = catalog
        self.options = options
        self.seed = seed
        self.tools = catalog.tools
        by = encoder if options.encoder is msgspec.UNSET else load(options.encoder)
        heads = [headline(tool) for tool in self.tools]
        self.retriever = Retriever(heads) if by is None else EncodedRetriever(heads, by)
        self.near = nearest(self.tools, _FARTHEST * options.distractors, encoder=by)
        self.descriptions: LexicalEncoder = description_encoder(self.tools)
        self.ids = id_forms(self.tools)
        self.position = {tool.key: index for index, tool in enumerate(self.tools)}
        self.personas = personas or bank()
        self.persona = {persona.id: persona for persona in self.personas}
        self.options_text = encode(msgspec.to_builtins(options))
        self._orders: dict[int, list[int]] = {}
        self._pools: dict[tuple[str, int], list[Tool]] = {}
        self._vague: dict[str, tuple[PlannedRequest, ...]] = {}
        self._similarities: dict[tuple[str, str], float] = {}
        self._seeds = [index for index, tool in enumerate(self.tools) if not why_left_out(tool)]
        if not self._seeds:
            raise BadInput("the catalogue has no tools that a user can ask for. Import a document that has some.")

    def plan(self, item: str, index: int) -> Scenario:
        """Return scenario `index` with its id and structure; goal and gold values are the author's to fill in."""
        rng = stream(self.seed, item, "plan", 0)
        seed_tool = self.tools[self._seed_position(index)]
        fits_a_tool = rng.random() >= self.options.no_tool_share
        persona = choose(rng, seed_tool, self.personas, k=12)
        today = date(2026, 1, 5) + timedelta(days=rng.randrange(720))
        others = self.pool_of(seed_tool, self.options.distractors + (not fits_a_tool))
        shown = [seed_tool, *others]
        stream(self.seed, item, "pool", 0).shuffle(shown)
        return Scenario(
            id=item,
            recipe=RECIPE,
            seed=self.seed,
            index=index,
            participants=people(persona),
            tasks=(),
            tools=tuple(ShownTool(tool.key, tool.name) for tool in shown),
            today=today.isoformat(),
            annotation=DiaforgePlan(
                gold_tool=seed_tool.key,
                persona=persona.id,
                tone=persona.tone,
                distractors=() if self.options.no_distractors else tuple(tool.key for tool in others),
                user_style=self.options.user_style,
                tool_fits=fits_a_tool,
                requests=self._requests(rng, seed_tool),
            ),
        )

    def pool_of(self, tool: Tool, count: int) -> Sequence[Tool]:
        """Return the other tools of a candidate pool: the `count` nearest, fewer where no more are near (section 3.1).

        Tools that no words tell from it are in no pool with it.

        In the ablation those, and all near-duplicates, are passed over for the next ones.
        """
        if (tool.key, count) not in self._pools:
            self._pools[tool.key, count] = self._pool_of(tool, count)
        return self._pools[tool.key, count]

    def _pool_of(self, tool: Tool, count: int) -> list[Tool]:
        others = [self.tools[near.index] for near in self.near[self.position[tool.key]]]
        others = [other for other in others if not are_twins(tool, other)]
        if not self.options.no_distractors:
            return others[:count]
        others = others[self.options.distractors :]
        scores = self.similarities(tool, others)
        return [other for other, score in zip(others, scores, strict=True) if not is_near(score)][:count]

    def retrieves(self, tool: Tool, query: str) -> bool:
        """Whether the retriever, asked with a user's words, returns the tool within the first k + 1 (appendix A.1)."""
        found = self.retriever.search(query, self.options.distractors + 1)
        return self.position[tool.key] in (index for index, _ in found)

    def _requests(self, rng: Random, tool: Tool) -> tuple[PlannedRequest, ...]:
        """First requests for an item, weighted towards the telling ones; none where the plain one is wanted."""
        if self.options.no_distractors:
            return ()
        if tool.key not in self._vague:
            self._vague[tool.key] = self._vague_requests(tool)
        return tuple(_weighted_order(rng, self._vague[tool.key]))

    def _vague_requests(self, tool: Tool) -> tuple[PlannedRequest, ...]:
        """Requests that fit the tool and another of its pool, and with which the retriever returns it; else none."""
        own, *rivals = distinct_glosses((tool, *self.pool_of(tool, self.options.distractors)))
        found = vague_requests(own, rivals)
        usable = [request for request in found if self._is_usable(tool, own, rivals, request)]
        vague = [request for request in usable if not says_all(own, request)] or usable
        return tuple(PlannedRequest(request.verb, request.thing) for request in vague)

    def _is_usable(self, tool: Tool, own: Gloss, rivals: Sequence[Gloss], request: Request) -> bool:
        words = f"{request.verb} {request.thing}"
        plainest = f"{ways_to_say(request.verb)[0]} {request.thing}" if request.verb else words
        return fits(stem_set(words), own, rivals) and self.retrieves(tool, words) and self.retrieves(tool, plainest)

    def similarities(self, tool: Tool, others: Sequence[Tool]) -> list[float]:
        """Return the composite similarity of a tool to others; each pair is computed once."""
        for other in others:
            if (tool.key, other.key) not in self._similarities:
                self._similarities[tool.key, other.key] = to_pool(tool, (other,), self.descriptions)[0]
        return [self._similarities[tool.key, other.key] for other in others]

    def _seed_position(self, index: int) -> int:
        """Tools take turns: each round is a new shuffle of those that users can ask for, so that all are used."""
        turn, place = divmod(index, len(self._seeds))
        if turn not in self._orders:
            order = list(self._seeds)
            stream(self.seed, self.catalog.digest, f"round/{turn}", 0).shuffle(order)
            self._orders[turn] = order
        return self._orders[turn][place]


def workshop_of_models(
    catalog: Catalog, options: DiaforgeOptions, seed: int, personas: tuple[Persona, ...] = ()
) -> DialogueWorkshop:
    """Return the workshop of models: they are also asked for tools whose values rules cannot draw."""
    return DialogueWorkshop(catalog, options, seed, personas, why_left_out=left_out_anyway)


async def fill(scenario: Scenario, ctx: Context, workshop: DialogueWorkshop) -> Scenario:
    """Return the scenario with goal and gold values, and with what this user turns out to do. Raises RolloutFailed."""
    plan = plan_of(scenario)
    tool = workshop.catalog.by_key[plan.gold_tool]
    persona = workshop.persona[plan.persona]
    wish = await ctx.write(goal, tool, persona, look_alikes(scenario, workshop))
    wanted = wanted_parameters(tool) if plan.tool_fits else ()
    values: dict[str, Json] = assemble(tool, {}) if plan.tool_fits else {}
    if wanted:
        values = await ctx.write(gold_values, tool, wanted, persona, scenario.today, workshop.ids)
    known = known_values(tool, values)
    style = workshop.options.user_style
    quirks = draw_quirks(ctx.at("quirks").rng(), known, style, [k.slot.name for k in known if hint(k.slot)])
    plan = msgspec.structs.replace(plan, **msgspec.structs.asdict(quirks))
    task = _task(tool, values, wish, fits=plan.tool_fits)
    return msgspec.structs.replace(scenario, tasks=(task,), annotation=plan)


def look_alikes(scenario: Scenario, workshop: DialogueWorkshop) -> tuple[Tool, ...]:
    """Return the candidate pool without the seed tool."""
    seed_tool = plan_of(scenario).gold_tool
    return tuple(workshop.catalog.by_key[tool.key] for tool in scenario.tools if tool.key != seed_tool)


def plan_of(scenario: Scenario) -> DiaforgePlan:
    """Return the plan of a `diaforge` scenario. Raises BadInput for another recipe's."""
    if not isinstance(scenario.annotation, DiaforgePlan):
        raise BadInput(f"scenario {scenario.id}: made by {scenario.recipe!r}, not by {RECIPE!r}")
    return scenario.annotation


def unshown_tools(dialogue: Dialogue) -> frozenset[str]:
    """Return the key of the tool asked for, which is not shown where no tool fits."""
    plan = plan_behind(dialogue)
    return frozenset((plan.gold_tool,)) if plan else frozenset()


def planned_tools(scenario: Scenario) -> frozenset[str]:
    """Return the key of the tool that a scenario is planned for."""
    return frozenset((plan_of(scenario).gold_tool,))


def _weighted_order(rng: Random, requests: Sequence[PlannedRequest]) -> list[PlannedRequest]:
    """A random order in which requests with a verb and a thing of their own come early more often."""
    keys = [(rng.random() ** (1 / _telling(request)), position) for position, request in enumerate(requests)]
    return [requests[position] for _, position in sorted(keys, reverse=True)]


def _telling(request: PlannedRequest) -> float:
    if not request.verb:
        return 1.0 if len(request.thing.split()) > 2 else 0.6
    return 0.15 if request.thing.startswith("something") else 4.0


def _task(tool: Tool, values: dict[str, Json], goal: str, *, fits: bool) -> Task:
    if not fits:
        return Task("chat", goal)
    return Task("single", goal, (GoldCall(tool.name, gold_arguments(values)),))
