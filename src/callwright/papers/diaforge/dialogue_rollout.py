"""One dialogue of the recipe: opening, tool selection, parameter filling, call, then the cascade (appendix A.1).

The assistant is never told which tool is the right one: it narrows the candidate pool by what the user says. A dialogue
in which it settles on the wrong tool is rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from callwright.author.assistant_turn import assistant_thought, assistant_turn
from callwright.author.briefs import AssistantAct, AssistantBrief, UserAct
from callwright.author.required_values import with_repeats
from callwright.author.value_checks import TELLING, carrying_faults
from callwright.catalog.contrast import action_phrase, hear, start, telling
from callwright.catalog.distinct import distinct_glosses
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, assemble
from callwright.engine.context import Context
from callwright.lang.tokens import stem, stem_set, words
from callwright.papers.diaforge.diaforge_cascade import check
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop, fill, plan_of
from callwright.papers.diaforge.dialogue_record import Course, dialogue_of, shown_in
from callwright.papers.diaforge.listening import told_apart
from callwright.papers.diaforge.opening_request import fits
from callwright.papers.diaforge.relevance import small_talk
from callwright.papers.diaforge.speaking import REWRITES, speak
from callwright.papers.diaforge.user_policy import UserState, is_vague, label_of, pick_of, user_of
from callwright.recipe import Made
from callwright.records.annotations.diaforge_notes import Disclosure
from callwright.records.dialogue import (
    Call,
    Dialogue,
    Scenario,
    Step,
    Turn,
)
from callwright.records.issue import Issue
from callwright.records.jsontext import encode
from callwright.records.retrieved import Retrieved
from callwright.records.tool import Tool

ATTEMPTS = 5
"""Openings tried until the retriever returns the seed tool (appendix A.1)."""
MOST_QUESTIONS = 4
"""Questions about what is meant, after which the assistant settles on the likeliest candidate."""


async def rollout(scenario: Scenario, ctx: Context, workshop: DialogueWorkshop) -> Made:
    """Return one dialogue, kept or rejected. New openings are tried until the retriever returns the seed tool.


    Raises RolloutFailed.
    """
    scenario = await fill(scenario, ctx.at("fill"), workshop)
    for attempt in range(ATTEMPTS):
        attempted = DialogueAttempt(scenario, workshop, attempt)
        await attempted.open(ctx.at("open", attempt=attempt))
        if attempted.may_start:
            return await _from_opening(attempted, ctx.at("talk", attempt=attempt))
    if not attempted.is_retrieved:
        return attempted.rejected("seed_tool_not_retrieved", f"the retriever lacks it after {ATTEMPTS} openings")
    if len(attempted.pool) < 2:
        return attempted.rejected("no_look_alike", "no other tool of the catalogue is near: nothing to tell apart")
    return attempted.rejected("opening_tells_all", f"no request found in {ATTEMPTS} attempts that fits two tools")


async def _from_opening(attempted: DialogueAttempt, ctx: Context) -> Made:
    chosen = await attempted.select_tool(ctx.at("select"))
    if not attempted.plan.tool_fits:
        await attempted.decline(ctx.at("decline"))
    elif attempted.alike:
        return attempted.rejected("tools_not_told_apart", f"nothing tells {' from '.join(attempted.alike[:3])}")
    elif chosen != attempted.seed_tool:
        return attempted.rejected("wrong_tool_selected", f"settled on {chosen.name if chosen else 'none'}")
    else:
        await attempted.fill_parameters(ctx.at("fill"))
        if attempted.user.untold:
            return attempted.rejected("not_finished", f"values still open after {attempted.exchanges} exchanges")
        await attempted.call(ctx.at("call"))
    dialogue = attempted.dialogue()
    if attempted.workshop.options.no_cascade:
        return Made(dialogue)
    documents = {tool.name: tool for tool in (*attempted.pool, attempted.seed_tool)}
    thoughts = not attempted.workshop.options.no_thoughts
    return Made(dialogue, tuple(attempted.faults) or check(dialogue, documents, thoughts=thoughts))


class DialogueAttempt:
    """One attempt at a dialogue: the user's hidden state, the candidate pool and the turns so far."""

    def __init__(self, scenario: Scenario, workshop: DialogueWorkshop, attempt: int) -> None:
        self.scenario = scenario
        self.plan = plan_of(scenario)
        self.workshop = workshop
        self.attempt = attempt
        self.seed_tool = workshop.catalog.by_key[self.plan.gold_tool]
        self.pool = shown_in(scenario, workshop)
        """The candidate pool, in the order in which it is shown."""
        self.user = self._user()
        self.retrieved: tuple[Retrieved, ...] = ()
        """The retriever's tools for the opening, best first."""
        self.turns: list[Turn] = []
        self.disclosed: list[Disclosure] = []
        self.faults: list[Issue] = []
        self.alike: tuple[str, ...] = ()
        """Tools that nothing in their documents tells apart, where some are left."""
        self.last_act = UserAct("open")
        self.selection_turns = 0
        self.filling_turns = 0

    def _user(self) -> UserState:
        return user_of(
            self.scenario,
            self.plan,
            self.seed_tool,
            [tool for tool in self.pool if tool != self.seed_tool],
            style=self.workshop.options.user_style,
            attempt=self.attempt,
        )

    # The opening, and what the retriever makes of it.

    async def open(self, ctx: Context) -> None:
        """Let the user open, and ask the retriever what it makes of that."""
        query = self._query(await self.user_says(ctx))
        found = self.workshop.retriever.search(query, self.workshop.options.distractors + 1)
        self.retrieved = tuple(Retrieved(self.workshop.tools[index].name, round(score, 6)) for index, score in found)

    def _query(self, text: str) -> str:
        """The assistant's query: the user's words without those that go around any wish."""
        request = self.user.request
        own = stem_set(request.thing) | (self.user.gold.verb_stems if request.verb else frozenset())
        return " ".join(word for word in words(text) if stem(word) in own or stem(word) not in small_talk())

    @property
    def may_start(self) -> bool:
        """The retriever returns the seed tool and the request fits another of the pool; or no tool shall fit."""
        if not self.plan.tool_fits:
            return True
        if not self.is_retrieved:
            return False
        if not is_vague(self.plan, self.attempt) and len(self.pool) > 1:
            return True  # no vaguer request brings the tool back: its own words have to do
        return self.workshop.options.no_distractors or fits(
            stem_set(self.turns[0].text), self.user.gold, self.user.others
        )

    @property
    def is_retrieved(self) -> bool:
        """Whether the seed tool is among the first k + 1 tools that the retriever returned for the opening."""
        return self.seed_tool.name in (found.name for found in self.retrieved)

    # Phase one: tool selection.

    async def select_tool(self, ctx: Context) -> Tool | None:
        """Narrow the pool down by asking what tells candidates apart; return the tool settled on."""
        request = self.user.request
        verb = self.user.gold.verb_stems if request.verb else frozenset[str]()
        narrowing = start(distinct_glosses(self.pool), f"{request.verb} {request.thing}", verb=verb)
        while narrowing.settled is None and self.exchanges < self.workshop.options.t_max:
            question = narrowing.ask()
            if question is None:
                self.alike = tuple(self.pool[position].name for position in narrowing.possible)
                break
            candidates = tuple(self.pool[position].name for position in narrowing.possible)
            act = AssistantAct("which", question)
            await self.assistant_says(ctx, AssistantBrief(act, candidates=candidates))
            self.selection_turns += 1
            said = await self.user_says(ctx, choosing=True)
            narrowing = hear(narrowing, question, gist(said, self.turns[-2].text, self.user))
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
        """The next values to ask for: one, or two or three that belong together; optional ones come last."""
        untold = [known for known in self.user.untold if known.slot.name not in self.user.optional] or self.user.untold
        most = 1 if len(untold) == 1 else 2 if len(untold) == 2 or rng.random() < 0.5 else 3
        count = 1 if most > 1 and rng.random() < 0.85 else most
        left = max(1, self.workshop.options.t_max - self.exchanges)
        return tuple(known.slot for known in untold[: max(count, -(-len(self.user.untold) // left))])

    # The end.

    async def call(self, ctx: Context) -> None:
        """Let the assistant call the seed tool with everything the user said."""
        said = {known.slot.name: known.value for known in self.user.known}
        arguments = assemble(self.seed_tool, with_repeats(self.seed_tool, said))
        call = Call(self.seed_tool.name, encode(arguments), id="call_1")
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

    async def user_says(self, ctx: Context, *, choosing: bool = False) -> str:
        """Let the user act and word it, until the words carry exactly the act's values."""
        heard = self.turns[-1].text if self.turns else ""
        spoken = await speak(self.user, heard, ctx, f"user/{len(self.turns)}", choosing=choosing)
        self._note(spoken.faults)
        first = (name for name in spoken.act.told if name not in self.user.told)  # the rest is said again
        self.disclosed += [Disclosure(len(self.turns), name) for name in first]
        self.turns.append(Turn("user", spoken.text, (Step(act=label_of(spoken.act)),)))
        self.user = spoken.user
        self.last_act = spoken.act
        return spoken.text

    async def assistant_says(self, ctx: Context, brief: AssistantBrief, *, calls: tuple[Call, ...] = ()) -> None:
        """Let the assistant think and word an act, until its words give away no value the user has not said."""
        said = [turn.text for turn in self.turns if turn.speaker == "assistant"]
        brief = msgspec.structs.replace(
            brief,
            first=not said,
            missed=self.last_act.offered == "others",
            told=bool(self.last_act.told),
            heard_code=self._heard_code(),
            recent=tuple(said[-2:]),
            heard=self.turns[-1].text,
        )
        secret = [known for known in self.user.untold if known.slot.kind in TELLING]
        place, text, faults = f"assistant/{len(self.turns)}", "", list[str]()
        for attempt in range(REWRITES):
            text = await ctx.at(place, attempt=attempt).write(assistant_turn, brief)
            faults = carrying_faults(text, (), secret, self.scenario.today, self.scenario.tasks[0].goal)
            if not faults:
                break
        self._note(faults)
        thought = ""
        if not self.workshop.options.no_thoughts:
            thought = await ctx.at(f"thought/{len(self.turns)}").write(assistant_thought, brief)
        self.turns.append(Turn("assistant", text, (Step(thought, brief.act.kind, calls),)))

    def _brief(self, act: AssistantAct, wanted: tuple[Slot, ...]) -> AssistantBrief:
        return AssistantBrief(
            act,
            slots=wanted,
            gloss=self.user.gold,
            learned=_learned(self.user) if self.last_act.picks else "",
            known=tuple(known for known in self.user.known if known.slot.name in self.user.told),
            tool=self.seed_tool.name,
        )

    def _heard_code(self) -> str:
        told = [known for known in self.user.known if known.slot.name in self.last_act.told]
        one = len(told) == 1 and told[0].slot.kind == "code" and isinstance(told[0].value, str)
        return str(told[0].value) if one else ""

    def _note(self, faults: Sequence[str]) -> None:
        where = f"turns[{len(self.turns)}].text"
        self.faults += [Issue("text_and_values_differ", where, fault) for fault in faults]

    # Records.

    def rejected(self, code: str, message: str) -> Made:
        """Return the dialogue as far as it came, rejected."""
        return Made(self.dialogue(), (Issue(code, f"turns[{len(self.turns) - 1}]", message),))

    def dialogue(self) -> Dialogue:
        """Return the turns so far as a dialogue."""
        course = Course(
            author="offline",
            attempt=self.attempt,
            turns=self.turns,
            retrieved=self.retrieved,
            selection_turns=self.selection_turns,
            filling_turns=self.filling_turns,
            disclosed=tuple(self.disclosed),
        )
        return dialogue_of(self.scenario, self.workshop, course)


def gist(text: str, heard: str, user: UserState) -> str:
    """The part of an answer on the tool meant, without the words around it: those may be words of other tools."""
    offered, named = told_apart(heard, user.gold, user.others, user.names)
    phrase = pick_of(user, named or user.others, heard).words
    if not stem_set(phrase) <= stem_set(text):
        return f"the {offered} one" if offered in ("first", "second") else text
    heard_words = stem_set(text)
    phrase = " ".join([phrase, *(word for word in user.gold.object.split() if heard_words & stem_set(word))])
    return f"neither, {phrase}" if offered == "others" else phrase


def _learned(user: UserState) -> str:
    phrase = telling(user.gold, user.others)
    return "" if phrase == action_phrase(user.gold) else phrase
