"""The `diaforge` recipe: dialogues that have to tell look-alike tools apart (DiaFORGE, section 3.1, appendix A).

    plan        seed tool, persona, goal, nearest distractors, gold values, the user's temper   Workshop.plan
    rollout     tool selection, then parameter filling, over a live candidate pool                rollout
    cascade     format, tool call, tool arguments, then what was said when and how                cascade

The assistant never learns which tool is the right one: it narrows the pool by what the user says. Where it settles on
the wrong tool, the dialogue is rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Annotated

import msgspec
from msgspec import Meta

from callwright import __version__
from callwright.author.acts import AssistantAct, AssistantBrief, Request, Style, UserAct
from callwright.author.assistant_turn import assistant_thought, assistant_turn, hint
from callwright.author.carrying import TELLING, carrying_faults
from callwright.author.opening import fits, vague_requests
from callwright.author.personas import bank, choose
from callwright.author.values import draw_values
from callwright.catalog.contrast import action_phrase, hear, start, telling
from callwright.catalog.gloss import gloss
from callwright.catalog.lexical import LexicalEncoder
from callwright.catalog.retrieval import Retriever
from callwright.catalog.similarity import description_encoder, is_near, nearest, to_pool
from callwright.catalog.slots import Slot
from callwright.engine.context import Context
from callwright.engine.randomness import stream
from callwright.errors import BadInput
from callwright.lang.tokens import content_stems
from callwright.records.annotation import DiaforgeNotes, DiaforgePlan, Disclosure, PlannedRequest, Retrieved
from callwright.records.dialogue import (
    Call,
    Dialogue,
    GoldArgument,
    GoldCall,
    Participant,
    Provenance,
    Scenario,
    ShownTool,
    Step,
    Task,
    Turn,
)
from callwright.records.issue import Issue
from callwright.records.jsontext import EMPTY_OBJECT, Json, encode
from callwright.records.persona import Persona
from callwright.records.tool import Catalog, Tool, digest
from callwright.simulate.hidden_state import known_values, user_of
from callwright.simulate.listening import told_apart
from callwright.simulate.speaking import REWRITES, speak
from callwright.simulate.user import UserState, brief_of, draw_quirks, label_of
from callwright.validate.cascade import check

RECIPE = "diaforge.v1"
ATTEMPTS = 5
"""Openings tried until the retriever returns the seed tool (appendix A.1)."""
NEIGHBOURS = 12
"""Nearest other tools with which a vague request may share its words."""
MOST_QUESTIONS = 4
"""Questions about what is meant, after which the assistant settles on the likeliest candidate."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a user of the recipe may choose; part of every item's identity."""

    distractors: Annotated[int, Meta(ge=1, le=100)] = 5
    """Nearest other tools that the user's first words must not tell apart; k in the paper."""
    t_max: Annotated[int, Meta(ge=1, le=100)] = 10
    """Most exchanges of one dialogue."""
    user_style: Style = "verbose"
    no_distractors: bool = False
    """Ablation: the nearest tools are taken out of the pool, and the first request is plain."""
    no_cascade: bool = False
    """Ablation: every finished dialogue is kept."""
    no_thoughts: bool = False
    """Ablation: the assistant's private reasoning is left out."""
    no_tool_share: Annotated[float, Meta(ge=0, le=1)] = 0.0
    """Share of dialogues in which no tool of the pool fits."""


class Made(msgspec.Struct, frozen=True):
    """What a rollout gives: a dialogue and why it is rejected, if it is."""

    dialogue: Dialogue
    issues: tuple[Issue, ...] = ()


def item_ids(catalog: Catalog, options: Options, *, seed: int, n: int) -> tuple[str, ...]:
    """Return the ids of items 0 to `n` - 1: known before the run."""
    chosen = _options_digest(options)
    return tuple(_item_id(catalog, chosen, seed, index) for index in range(n))


def _options_digest(options: Options) -> str:
    return digest(encode(msgspec.to_builtins(options)))


def _item_id(catalog: Catalog, options_digest: str, seed: int, index: int) -> str:
    return digest(RECIPE, catalog.digest, options_digest, str(seed), str(index))


class Workshop:
    """A catalogue with all that is computed from it once: glosses, retriever, neighbours."""

    def __init__(self, catalog: Catalog, options: Options, seed: int) -> None:
        self.catalog = catalog
        self.options = options
        self.seed = seed
        self.tools = catalog.tools
        self.glosses = tuple(gloss(tool) for tool in self.tools)
        self.retriever = Retriever([_headline(tool) for tool in self.tools])
        self.encoder: LexicalEncoder = description_encoder(self.tools)
        self.near = nearest(self.tools, max(options.distractors, NEIGHBOURS))
        self.position = {tool.key: index for index, tool in enumerate(self.tools)}
        self.personas = bank()
        self._options_digest = _options_digest(options)
        self._orders: dict[int, list[int]] = {}
        self._vague: dict[str, tuple[PlannedRequest, ...]] = {}
        self._similarities: dict[tuple[str, str], float] = {}
        if not self.tools:
            raise BadInput("the catalogue has no tools. Import a document that has some.")

    def plan(self, index: int) -> Scenario:
        """Return scenario `index`: all gold truth, before a word of text. Raises RolloutFailed where no value fits."""
        item = _item_id(self.catalog, self._options_digest, self.seed, index)
        rng = stream(self.seed, item, "plan", 0)
        seed_tool = self.tools[self._seed_position(index)]
        fits_a_tool = rng.random() >= self.options.no_tool_share
        persona = choose(rng, seed_tool, self.personas, k=12)
        today = date(2026, 1, 5) + timedelta(days=rng.randrange(720))
        values = draw_values(rng, seed_tool, persona, today=today) if fits_a_tool else {}
        known = known_values(seed_tool, {name: encode(value) for name, value in values.items()})
        quirks = draw_quirks(rng, known, self.options.user_style, [k.slot.name for k in known if hint(k.slot)])
        neighbours = self.near[self.position[seed_tool.key]][: self.options.distractors]
        near = [self.tools[neighbour.index] for neighbour in neighbours]
        plan = DiaforgePlan(
            gold_tool=seed_tool.key,
            distractors=tuple(tool.key for tool in near),
            user_style=self.options.user_style,
            tool_fits=fits_a_tool,
            requests=self._requests(rng, seed_tool),
            forthcoming=tuple(sorted(quirks.forthcoming)),
            opens_with=quirks.opens_with,
            asks_back=quirks.asks_back,
            corrects=quirks.corrects,
        )
        return Scenario(
            id=item,
            recipe=RECIPE,
            seed=self.seed,
            index=index,
            participants=_participants(persona),
            tasks=(_task(seed_tool, values, self.glosses[self.position[seed_tool.key]].phrase, fits=fits_a_tool),),
            tools=tuple(ShownTool(tool.key, tool.name) for tool in (seed_tool, *near)),
            today=today.isoformat(),
            annotation=plan,
        )

    def _requests(self, rng: Random, tool: Tool) -> tuple[PlannedRequest, ...]:
        """First requests for an item, weighted towards the telling ones; none where the plain one is wanted."""
        if self.options.no_distractors:
            return ()
        if tool.key not in self._vague:
            self._vague[tool.key] = self._vague_requests(tool)
        return tuple(_weighted_order(rng, self._vague[tool.key]))

    def _vague_requests(self, tool: Tool) -> tuple[PlannedRequest, ...]:
        """Requests that fit the tool and another, those first for which the retriever would return both."""
        own = gloss(tool)
        near = self.near[self.position[tool.key]]
        found = vague_requests(own, [self.glosses[neighbour.index] for neighbour in near])
        usable = [request for request in found if self._retrieves(tool, request)]
        return tuple(PlannedRequest(request.verb, request.thing) for request in usable or found)

    def _retrieves(self, tool: Tool, request: Request) -> bool:
        words = f"{request.verb} {request.thing}"
        pool = [self.tools[index] for index, _ in self.retriever.search(words, self.options.distractors + 1)]
        rivals = [gloss(other) for other in pool if other != tool]
        return tool in pool and fits(frozenset(content_stems(words)), gloss(tool), rivals)

    def similarities(self, tool: Tool, others: Sequence[Tool]) -> list[float]:
        """Return the composite similarity of a tool to others; each pair is computed once."""
        for other in others:
            if (tool.key, other.key) not in self._similarities:
                self._similarities[tool.key, other.key] = to_pool(tool, (other,), self.encoder)[0]
        return [self._similarities[tool.key, other.key] for other in others]

    def _seed_position(self, index: int) -> int:
        """Tools take turns: each round of the catalogue is a new shuffle, so all are used about equally often."""
        turn, place = divmod(index, len(self.tools))
        if turn not in self._orders:
            order = list(range(len(self.tools)))
            stream(self.seed, self.catalog.digest, f"round/{turn}", 0).shuffle(order)
            self._orders[turn] = order
        return self._orders[turn][place]


def _headline(tool: Tool) -> Tool:
    """Name and description alone: what a search is made on. Long parameter lists would drown them."""
    return msgspec.structs.replace(tool, parameters=EMPTY_OBJECT)


def _weighted_order(rng: Random, requests: Sequence[PlannedRequest]) -> list[PlannedRequest]:
    """A random order in which requests with a verb and a thing of their own come early more often."""
    keys = [(rng.random() ** (1 / _telling(request)), position) for position, request in enumerate(requests)]
    return [requests[position] for _, position in sorted(keys, reverse=True)]


def _telling(request: PlannedRequest) -> float:
    if not request.verb:
        return 1.0
    return 1.5 if request.thing.startswith("something") else 4.0


def _participants(persona: Persona) -> tuple[Participant, ...]:
    return (
        Participant("user", "user", name=persona.name, persona=persona.text),
        Participant("assistant", "assistant"),
    )


def _task(tool: Tool, values: dict[str, Json], goal: str, *, fits: bool) -> Task:
    if not fits:
        return Task("chat", goal)
    arguments = tuple(GoldArgument(name, (encode(value),)) for name, value in values.items())
    return Task("single", goal, (GoldCall(tool.name, arguments),))


# -- rollout ---------------------------------------------------------------------------------------------------------


async def rollout(scenario: Scenario, ctx: Context, workshop: Workshop) -> Made:
    """Synthesise one dialogue: openings until the retriever returns the seed tool, then both phases, then the cascade."""
    for attempt in range(ATTEMPTS):
        talk = Talk(scenario, workshop, attempt)
        await talk.open(ctx.at("open", attempt=attempt))
        if talk.may_start:
            return await _from_opening(talk, ctx.at("talk", attempt=attempt))
    if talk.seed_tool in talk.pool:
        return talk.rejected("opening_tells_all", f"no request found in {ATTEMPTS} attempts that fits two tools")
    return talk.rejected("seed_tool_not_retrieved", f"the retriever lacks it after {ATTEMPTS} openings")


async def _from_opening(talk: Talk, ctx: Context) -> Made:
    chosen = await talk.select_tool(ctx.at("select"))
    if not talk.plan.tool_fits:
        await talk.decline(ctx.at("decline"))
    elif chosen != talk.seed_tool:
        return talk.rejected("wrong_tool_selected", f"settled on {chosen.name if chosen else 'none'}")
    else:
        await talk.fill_parameters(ctx.at("fill"))
        if talk.user.untold:
            return talk.rejected("not_finished", f"values still open after {talk.exchanges} exchanges")
        await talk.call(ctx.at("call"))
    dialogue = talk.dialogue()
    if talk.workshop.options.no_cascade:
        return Made(dialogue)
    documents = {tool.name: tool for tool in (*talk.pool, talk.seed_tool)}
    thoughts = not talk.workshop.options.no_thoughts
    return Made(dialogue, tuple(talk.faults) or check(dialogue, documents, thoughts=thoughts))


class Talk:
    """One attempt at a dialogue: the user's hidden state, the candidate pool and the turns so far."""

    def __init__(self, scenario: Scenario, workshop: Workshop, attempt: int) -> None:
        assert isinstance(scenario.annotation, DiaforgePlan)
        self.scenario = scenario
        self.plan = scenario.annotation
        self.workshop = workshop
        self.attempt = attempt
        self.seed_tool = workshop.catalog.by_key[self.plan.gold_tool]
        self.user = self._user()
        self.pool: tuple[Tool, ...] = ()
        self.retrieved: tuple[Retrieved, ...] = ()
        self.turns: list[Turn] = []
        self.disclosed: list[Disclosure] = []
        self.faults: list[Issue] = []
        self.selection_turns = 0
        self.filling_turns = 0

    def _user(self) -> UserState:
        near = () if self.workshop.options.no_distractors else self.plan.distractors
        return user_of(
            self.scenario,
            self.plan,
            self.seed_tool,
            [self.workshop.catalog.by_key[key] for key in near],
            style=self.workshop.options.user_style,
            attempt=self.attempt,
        )

    # The opening, and what the retriever makes of it.

    async def open(self, ctx: Context) -> None:
        """Let the user open and fill the candidate pool from the live retriever."""
        text = await self.user_says(ctx)
        wanted = self.workshop.options.distractors + 1
        barred = {self.plan.gold_tool} if not self.plan.tool_fits else set()
        if self.workshop.options.no_distractors:
            barred |= set(self.plan.distractors)
        found = [
            (self.workshop.tools[index], score)
            for index, score in self.workshop.retriever.search(text, wanted + len(barred))
            if self.workshop.tools[index].key not in barred
        ][:wanted]
        self.pool = tuple(tool for tool, _ in found)
        self.retrieved = tuple(Retrieved(tool.name, round(score, 6)) for tool, score in found)
        rivals = tuple(gloss(tool) for tool in self.pool if tool != self.seed_tool)
        self.user = msgspec.structs.replace(self.user, others=rivals)

    @property
    def may_start(self) -> bool:
        """Whether the pool holds the seed tool and another that the request fits, or is meant to lack the seed tool."""
        if not self.plan.tool_fits:
            return True
        if self.seed_tool not in self.pool:
            return False
        if self.workshop.options.no_distractors or len(self.pool) < 2:
            return True
        said = frozenset(content_stems(self.turns[0].text))
        return fits(said, self.user.gold, self.user.others)

    # Phase one: tool selection.

    async def select_tool(self, ctx: Context) -> Tool | None:
        """Narrow the pool down by asking what tells candidates apart; return the tool settled on."""
        request = self.user.request
        narrowing = start([gloss(tool) for tool in self.pool], f"{request.verb} {request.thing}")
        while narrowing.settled is None and self.exchanges < self.workshop.options.t_max:
            question = narrowing.ask()
            if question is None:
                break
            candidates = tuple(self.pool[position].name for position in narrowing.possible)
            act = AssistantAct("which", question)
            await self.assistant_says(ctx, AssistantBrief(act, candidates=candidates))
            self.selection_turns += 1
            narrowing = hear(narrowing, question, gist(await self.user_says(ctx), self.turns[-2].text, self.user))
            if self.selection_turns == (MOST_QUESTIONS if self.plan.tool_fits else 2):
                break
        return self.pool[narrowing.possible[0]] if self.pool else None

    # Phase two: parameter filling. The message that settled on the tool is dropped (appendix A.1).

    async def fill_parameters(self, ctx: Context) -> None:
        """Ask for what is missing, a few values at a time, until nothing is."""
        while self.user.untold and self.exchanges < self.workshop.options.t_max:
            wanted = self._next_slots(ctx.at(f"group/{len(self.turns)}").rng())
            act = AssistantAct("ask", slots=tuple(slot.name for slot in wanted))
            await self.assistant_says(ctx, self._brief(act, wanted))
            self.filling_turns += 1
            await self.user_says(ctx)
            if self.user.asked_back and self.user.asks_back not in self.user.told:
                await self._explain(ctx)

    async def _explain(self, ctx: Context) -> None:
        slot = next(known.slot for known in self.user.known if known.slot.name == self.user.asks_back)
        await self.assistant_says(ctx, self._brief(AssistantAct("explain", slots=(slot.name,)), (slot,)))
        self.filling_turns += 1
        await self.user_says(ctx)

    def _next_slots(self, rng: Random) -> tuple[Slot, ...]:
        """The next values to ask for: one, or two or three that belong together."""
        untold = self.user.untold
        most = 1 if len(untold) == 1 else 2 if len(untold) == 2 or rng.random() < 0.5 else 3
        count = 1 if most > 1 and rng.random() < 0.7 else most
        return tuple(known.slot for known in untold[:count])

    # The end.

    async def call(self, ctx: Context) -> None:
        """Let the assistant call the seed tool with everything the user said."""
        arguments = encode({known.slot.name: known.value for known in self.user.known})
        call = Call(self.seed_tool.name, arguments, id="call_1")
        await self.assistant_says(ctx, self._brief(AssistantAct("call"), ()), calls=(call,))

    async def decline(self, ctx: Context) -> None:
        """Let the assistant say that no tool fits, and what it could do instead."""
        offers = tuple(action_phrase(gloss(tool)) for tool in self.pool[:2])
        await self.assistant_says(ctx, AssistantBrief(AssistantAct("no_fit"), offers=offers))

    # Turns.

    @property
    def exchanges(self) -> int:
        """User turns so far."""
        return (len(self.turns) + 1) // 2

    async def user_says(self, ctx: Context) -> str:
        """Let the user act and word it, until the words carry exactly the act's values."""
        heard = self.turns[-1].text if self.turns else ""
        spoken = await speak(self.user, heard, ctx, f"user/{len(self.turns)}")
        self._note(spoken.faults)
        self.disclosed += [Disclosure(len(self.turns), name) for name in spoken.act.told]
        self.turns.append(Turn("user", spoken.text, (Step(act=label_of(spoken.act)),)))
        self.user = spoken.user
        return spoken.text

    async def assistant_says(self, ctx: Context, brief: AssistantBrief, *, calls: tuple[Call, ...] = ()) -> None:
        """Let the assistant think and word an act, until its words give away no value the user has not said."""
        said = [turn.text for turn in self.turns if turn.speaker == "assistant"]
        brief = msgspec.structs.replace(brief, first=not said, recent=tuple(said[-2:]), heard=self.turns[-1].text)
        secret = [known for known in self.user.untold if known.slot.kind in TELLING]
        place, text, faults = f"assistant/{len(self.turns)}", "", list[str]()
        for attempt in range(REWRITES):
            text = await ctx.at(place, attempt=attempt).write(assistant_turn, brief)
            faults = carrying_faults(text, (), secret, self.scenario.today)
            if not faults:
                break
        self._note(faults)
        thought = ""
        if not self.workshop.options.no_thoughts:
            thought = await ctx.at(f"thought/{len(self.turns)}").write(assistant_thought, brief)
        self.turns.append(Turn("assistant", text, (Step(thought, brief.act.kind, calls),)))

    def _brief(self, act: AssistantAct, wanted: tuple[Slot, ...]) -> AssistantBrief:
        last = self.turns[-1]
        picked = last.steps[0].act.startswith("answer:pick")
        return AssistantBrief(
            act,
            slots=wanted,
            gloss=self.user.gold,
            learned=_learned(self.user) if picked else "",
            known=tuple(known for known in self.user.known if known.slot.name in self.user.told),
            tool=self.seed_tool.name,
        )

    def _note(self, faults: Sequence[str]) -> None:
        where = f"turns[{len(self.turns)}].text"
        self.faults += [Issue("text_and_values_differ", where, fault) for fault in faults]

    # Records.

    def rejected(self, code: str, message: str) -> Made:
        """Return the dialogue as far as it came, rejected."""
        return Made(self.dialogue(), (Issue(code, f"turns[{len(self.turns) - 1}]", message),))

    def dialogue(self) -> Dialogue:
        """Return the turns so far as a dialogue."""
        scenario = self.scenario
        return Dialogue(
            id=scenario.id,
            recipe=RECIPE,
            participants=scenario.participants,
            turns=tuple(self.turns),
            tools=tuple(ShownTool(tool.key, tool.name) for tool in self.pool),
            tasks=tuple(msgspec.structs.replace(task, turn=0) for task in scenario.tasks),
            scenario=scenario,
            provenance=Provenance(
                author="offline",
                callwright=__version__,
                seed=scenario.seed,
                catalog=self.workshop.catalog.digest,
                options=encode(msgspec.to_builtins(self.workshop.options)),
                attempt=self.attempt,
            ),
            today=scenario.today,
            annotation=self._notes(),
        )

    def _notes(self) -> DiaforgeNotes:
        rivals = [tool for tool in self.pool if tool != self.seed_tool]
        scores = self.workshop.similarities(self.seed_tool, rivals)
        near = set(self.plan.distractors)
        return DiaforgeNotes(
            gold_tool=self.seed_tool.name,
            distractors=tuple(tool.name for tool in rivals if tool.key in near),
            retrieved=self.retrieved,
            tool_fits=self.plan.tool_fits,
            near_duplicates=sum(1 for score in scores if is_near(score)),
            overlap=round(sum(scores) / len(scores), 6) if scores else 0.0,
            selection_turns=self.selection_turns,
            filling_turns=self.filling_turns,
            disclosed=tuple(self.disclosed),
        )


def gist(text: str, heard: str, user: UserState) -> str:
    """What an answer says about the tool meant, without the words around it: those may be words of other tools."""
    phrase = brief_of(user, UserAct("answer", picks=True), heard).pick
    offered = told_apart(heard, user.gold, user.others)[0]
    if not frozenset(content_stems(phrase)) <= frozenset(content_stems(text)):
        return f"the {offered} one" if offered in ("first", "second") else text
    return f"neither, {phrase}" if offered == "others" else phrase


def _learned(user: UserState) -> str:
    phrase = telling(user.gold, user.others)
    return "" if phrase == action_phrase(user.gold) else phrase
