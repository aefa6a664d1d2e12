"""One dialogue whose roles models play: opening, tool selection, parameter filling, call (section 3.1, appendix A.1).

    opening     the user's; made anew until the retriever returns the seed tool
    selection   the assistant asks; once it names a tool, that message is dropped: another tool rejects the dialogue
    filling     the same pool is shown, with the assistant's own choice; it asks, and calls when it knows all

An assistant that calls natively (`assistant_ways`) chooses by its call alone: one of another tool rejects, one of the
right tool ends the dialogue where its arguments are right, and is asked for again where they are not; no message is
dropped, and the phase is what rules hear.

The models decide what is said and done. Rules check every turn (`agent_asking`), then the whole (`check_played`); of
a dialogue that they keep a checker quotes the values that they do not find (`said_values`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from callwright.author.agent_asking import AskedTurn, TurnFault, ask_turn
from callwright.author.briefs import Known
from callwright.author.prompts import Prompts
from callwright.author.value_checks import is_said
from callwright.author.worked_out_numbers import numbers_spelled
from callwright.catalog.gloss import gloss
from callwright.engine.context import Context
from callwright.lang.kinds import Kind
from callwright.lang.tokens import STOP_WORDS, stem, stem_set, words
from callwright.match.arguments import call_issues
from callwright.match.shortened_texts import is_in_own_words, is_reworded, is_spelled_otherwise
from callwright.papers.diaforge.assistant_agent import ROLE as ASSISTANT
from callwright.papers.diaforge.assistant_agent import AssistantStep, call_faults, unsaid_values
from callwright.papers.diaforge.assistant_ways import NATIVE, OBJECT, AssistantWay
from callwright.papers.diaforge.diaforge_cascade import check_played
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop, fill, plan_of
from callwright.papers.diaforge.dialogue_record import Course, dialogue_of, shown_in
from callwright.papers.diaforge.dialogue_rollout import ATTEMPTS
from callwright.papers.diaforge.foreign_values import kinds_said
from callwright.papers.diaforge.listening import is_refusal
from callwright.papers.diaforge.own_words import SAME_WORDS, with_own_words
from callwright.papers.diaforge.relevance import small_talk
from callwright.papers.diaforge.said_values import checked_talk, quote_values, with_disclosures
from callwright.papers.diaforge.user_agent import PROMPT as USER_PROMPT
from callwright.papers.diaforge.user_agent import ROLE as USER
from callwright.papers.diaforge.user_agent import (
    invented,
    read_message,
    said_before,
    slips_of,
    user_faults_in,
    user_request,
)
from callwright.papers.diaforge.user_policy import gold_known
from callwright.papers.diaforge.user_slips import is_taken_back
from callwright.recipe import Made
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import Call, Dialogue, Scenario, Step, Turn
from callwright.records.issue import Issue
from callwright.records.retrieved import Retrieved


async def play(scenario: Scenario, ctx: Context, workshop: DialogueWorkshop, prompts: Prompts) -> Made:
    """Return one dialogue of the models `user` and `assistant`, kept or rejected; `author` writes goal and values.

    Raises RolloutFailed.
    """
    return await _played(scenario, ctx, workshop, prompts, OBJECT)


async def play_native(scenario: Scenario, ctx: Context, workshop: DialogueWorkshop, prompts: Prompts) -> Made:
    """Return one dialogue as `play` does, whose assistant calls natively."""
    return await _played(scenario, ctx, workshop, prompts, NATIVE)


async def _played(
    scenario: Scenario, ctx: Context, workshop: DialogueWorkshop, prompts: Prompts, way: AssistantWay
) -> Made:
    scenario = await fill(scenario, ctx.at("fill"), workshop)
    unfound: tuple[str, ...] = ()
    for attempt in range(ATTEMPTS):
        talk = _Talk(scenario, workshop, prompts, way, attempt, ctx.at(f"opening/{attempt}"), unfound)
        end = await talk.user_says()
        if end or talk.may_start:
            return await talk.made(end or await talk.converse())
        unfound = (talk.unfound_words(),)
    return await talk.made(
        Issue("seed_tool_not_retrieved", "turns[0]", f"the retriever lacks it after {ATTEMPTS} openings")
    )


_MOST_HINTS: Final = 6
"""Words that are named to a user whose opening is not found."""


class _Talk:
    """One attempt at a dialogue."""

    def __init__(
        self,
        scenario: Scenario,
        workshop: DialogueWorkshop,
        prompts: Prompts,
        way: AssistantWay,
        attempt: int,
        ctx: Context,
        unfound: Sequence[str] = (),
    ) -> None:
        """`unfound` tells of an opening with which the retriever does not return the seed tool."""
        self.unfound = unfound
        self.scenario = scenario
        self.workshop = workshop
        self.prompts = prompts
        self.way = way
        self.attempt = attempt
        self.ctx = ctx
        self.pool = shown_in(scenario, workshop)
        self.plan = plan_of(scenario)
        self.seed_tool = workshop.catalog.by_key[self.plan.gold_tool]
        self.turns: list[Turn] = []
        self.settled_on = ""
        """The seed tool's name once the assistant has chosen it."""
        self.selection_turns = 0
        self.filling_turns = 0
        self.retrieved: tuple[Retrieved, ...] = ()
        self.slips: list[str] = []
        """Wrong values of the user's last message, which its next one has to take back."""

    @property
    def thoughts(self) -> bool:
        """Whether the assistant thinks."""
        return not self.workshop.options.no_thoughts

    @property
    def is_filling(self) -> bool:
        """Whether the user is in phase two."""
        return self.way.is_filling(self.settled_on, self.dialogue(), self.seed_tool, self.pool)

    @property
    def may_start(self) -> bool:
        """Whether the retriever, asked with the opening, returns the seed tool; or no tool shall fit."""
        return not self.plan.tool_fits or self.seed_tool.name in (found.name for found in self.retrieved)

    async def converse(self) -> Issue | None:
        """Let both talk until the call; return why the dialogue is rejected, None where it came to its end."""
        while True:
            step, end = await self._assistant_steps()
            if step.call and self.slips:
                return self._not_taken_back()
            if end:
                return end
            if step.chosen and not self.settled_on and not step.call:
                self.settled_on = step.chosen  # the message that chose the tool is dropped (appendix A.1)
                continue
            self._add(step)
            if step.call or (not self.plan.tool_fits and is_refusal(step.say)):
                return None
            if (len(self.turns) + 1) // 2 >= self.workshop.options.t_max:
                return self._issue("not_finished", f"no call after {self.workshop.options.t_max} exchanges")
            if end := await self.user_says():
                return end

    def _add(self, step: AssistantStep) -> None:
        act, thought = "call" if step.call else "ask", step.thought if self.thoughts else ""
        self.turns.append(Turn(ASSISTANT, step.say, (Step(thought, act, (step.call,) if step.call else ()),)))
        if not step.call:
            is_filling = self.is_filling
            self.selection_turns += not is_filling
            self.filling_turns += is_filling

    # -- the user ----------------------------------------------------------------------------------------------------

    async def user_says(self) -> Issue | None:
        """Let the user speak; return why the dialogue is rejected, if it is."""
        source = self.prompts.source(USER_PROMPT)
        request = user_request(
            source,
            self.dialogue(),
            self.seed_tool,
            self.pool,
            settled=self.is_filling,
            refused=() if self.turns else self.unfound,
        )

        def check(text: str) -> list[TurnFault]:
            return list(user_faults_in(self._with(Turn(USER, text)), self.seed_tool, self.pool))

        said = await ask_turn(USER, request, self._place(), read=read_message, check=check)
        self.turns.append(Turn(USER, said.value))
        dialogue, known = self.dialogue(), gold_known(self.seed_tool, self.scenario.tasks)
        before = said_before(dialogue)
        if not all(is_taken_back(one, said.value, known, before, dialogue.today) for one in self.slips):
            return self._not_taken_back()
        self.slips = slips_of(dialogue, self.seed_tool)
        if len(self.turns) == 1:
            self.retrieved = self._found(said.value)
        return self._rejection(USER, said)

    def _not_taken_back(self) -> Issue:
        return self._issue("value_not_gold", f"{self.slips[0]!r} is none of the user's values, and is not taken back")

    def _found(self, opening: str) -> tuple[Retrieved, ...]:
        """The retriever's tools for the user's words, without those that go around any wish and name nothing of it."""
        around = small_talk() - gloss(self.seed_tool).object_stems  # the order of a purchase order is no "I'd like to"
        told = [word for word in words(opening) if stem(word) not in around] or [opening]
        found = self.workshop.retriever.search(" ".join(told), self.workshop.options.distractors + 1)
        return tuple(Retrieved(self.workshop.tools[index].name, round(score, 6)) for index, score in found)

    def unfound_words(self) -> str:
        """Say that the retriever does not return the seed tool for the opening, and which words would help."""
        opening, own = self.turns[0].text, words(f"{self.seed_tool.name} {self.seed_tool.description}")
        others = stem_set(" ".join(f"{one.name} {one.description}" for one in self.pool if one != self.seed_tool))
        known = stem_set(opening) | small_talk()
        shared = [one for one in dict.fromkeys(own) if stem(one) in others - known and one not in STOP_WORDS]
        hint = f", such as: {', '.join(shared[:_MOST_HINTS])}" if shared else ""
        return (
            f"a search with the words of {opening!r} does not find your tool; use words that its description has{hint}"
        )

    # -- the assistant -----------------------------------------------------------------------------------------------

    async def _assistant_steps(self) -> tuple[AssistantStep, Issue | None]:
        """Return the assistant's next step, and why it rejects the dialogue, if it does."""
        request = self.way.request(
            self.prompts.source(self.way.prompt),
            self.dialogue(),
            self.pool,
            settled_on=self.settled_on,
            thoughts=self.thoughts,
        )
        taken = await ask_turn(ASSISTANT, request, self._place(), read=self.way.read, check=self._step_faults)
        step = taken.value
        if self._is_wrong(step):
            if not self.plan.tool_fits:
                return step, self._issue("call_where_none_fits", f"{step.chosen} is chosen; no tool fits")
            return step, self._issue("wrong_tool_selected", f"settled on {step.chosen}")
        return step, self._rejection(ASSISTANT, taken)

    def _is_wrong(self, step: AssistantStep) -> bool:
        """Whether it chooses a tool of the pool that is not meant: nothing more is asked then."""
        chosen = {step.chosen, step.settled_on} & {tool.name for tool in self.pool}
        return bool(chosen - {self.seed_tool.name}) or (bool(chosen) and not self.plan.tool_fits)

    def _step_faults(self, step: AssistantStep) -> list[TurnFault]:
        if self._is_wrong(step):
            return []
        dialogue = self._with(Turn(ASSISTANT, step.say))
        found = list(self.way.faults(step, dialogue, self.pool, thoughts=self.thoughts))
        if step.call and step.call.tool == self.seed_tool.name and not found:
            found += self._call_faults(step.call)
        return found

    def _call_faults(self, call: Call) -> list[TurnFault]:
        """The fault of a call of the seed tool; the assistant is told nothing of the gold call."""
        gold = self.scenario.tasks[0].gold[0]
        history = self.dialogue()
        issues = [
            issue
            for issue in call_issues(call, gold, self.seed_tool, known=(), leniency=SAME_WORDS)
            if not (issue.code == "wrong_value" and self._is_told_anew(call, issue.path))
        ]
        if not issues:
            return []
        unsaid = {path for path, _ in unsaid_values(call, self.seed_tool, history)}
        is_made_up = any(issue.path in unsaid for issue in issues)
        code = "value_never_said" if is_made_up else f"argument_{issues[0].code}"
        return [TurnFault(code, told) for told in call_faults(call, self.seed_tool, history)]

    def _is_told_anew(self, call: Call, parameter: str) -> bool:
        """Whether a free text of a call is what the user said in place of the gold text."""
        said = " ".join(turn.text for turn in self.turns if turn.speaker == USER)
        golds = self.scenario.tasks[0].gold[0].values
        gold, value = golds.get(parameter), call.values.get(parameter)
        if is_in_own_words(value, gold, parameter, self.seed_tool, said):
            return True
        if is_spelled_otherwise(value, gold):
            return str(value).casefold() in said.casefold()
        is_another = value in [other for name, other in golds.items() if name != parameter]
        return not is_another and is_reworded(value, gold, parameter, self.seed_tool, said)

    # -- records -----------------------------------------------------------------------------------------------------

    def _place(self) -> Context:
        """Where the next reply is asked for. It seeds the samplers of local models, so gold has no part in it."""
        phase = "filling" if self.settled_on else "selection"
        return self.ctx.at(f"turn/{len(self.turns)}/{phase}/sample/0")

    def _rejection(self, role: str, taken: AskedTurn[str] | AskedTurn[AssistantStep]) -> Issue | None:
        fault = taken.rejecting
        return self._issue(fault.code, f"{self.ctx.models[role].name} as the {role}: {fault.told}") if fault else None

    def _issue(self, code: str, message: str) -> Issue:
        return Issue(code, f"turns[{len(self.turns)}]", message)

    def dialogue(self) -> Dialogue:
        """Return the turns so far as a dialogue."""
        return self._with()

    def _with(self, *more: Turn) -> Dialogue:
        course = Course(
            author=_author(self.ctx),
            attempt=self.attempt,
            turns=(*self.turns, *more),
            retrieved=self.retrieved,
            selection_turns=self.selection_turns,
            filling_turns=self.filling_turns,
        )
        return dialogue_of(self.scenario, self.workshop, course)

    async def made(self, end: Issue | None) -> Made:
        """Return the dialogue: rejected for `end`, else checked as a whole; of a kept one a checker reads the rest."""
        dialogue = self.dialogue()
        if end:
            return Made(dialogue, (end,))
        dialogue = with_own_words(dialogue, self.seed_tool)
        documents = {tool.name: tool for tool in (*self.pool, self.seed_tool)}
        checked = _without_thoughts(dialogue) if self.way.has_checked_thoughts else dialogue
        thoughts = self.thoughts and not self.way.has_checked_thoughts
        issues, remarks = check_played(checked, documents, thoughts=thoughts)
        dialogue = _remarked(dialogue, [f"{one.where}: {one.code}: {one.message}" for one in remarks])
        issues = () if self.workshop.options.no_cascade else issues or tuple(self._contradictions(dialogue))
        talk = None if issues else checked_talk(dialogue, self.seed_tool)
        quotations = await self.ctx.write(quote_values, talk) if talk else ()
        return Made(with_disclosures(dialogue, self.seed_tool, quotations), issues)

    def _contradictions(self, dialogue: Dialogue) -> Iterator[Issue]:
        """Yield what the user said in place of a gold value that nobody said."""
        said = " \n".join(turn.text for turn in dialogue.turns)
        known, today = gold_known(self.seed_tool, dialogue.tasks), dialogue.day
        unsaid = [one for one in known if one.slot.kind in _TOLD and not _is_told(said, one, dialogue.today)]
        for at, turn in enumerate(dialogue.turns if unsaid else ()):
            told = [one.text for one in dialogue.turns[:at] if one.speaker != turn.speaker]
            for value in invented(turn.text, known, told, dialogue.today) if turn.speaker == USER else ():
                names = [one.slot.name for one in unsaid if one.slot.kind in kinds_said(value, today)]
                if names:
                    yield Issue("value_not_gold", f"turns[{at}]", f"{value!r} is said, and {', '.join(names)} is not")


_TOLD: Final[frozenset[Kind]] = frozenset(("date", "datetime", "time", "money", "number", "count", "percent", "person"))
"""Kinds of gold values in whose place another value may be said."""


def _is_told(said: str, known: Known, today: str) -> bool:
    """Whether anybody has said a value: as it is said, or as `three dozen` and `forty-two fifty`."""
    return is_said(said, known, today) or known.value in numbers_spelled(said)


def _author(ctx: Context) -> str:
    """Who wrote it: the author, and the other roles where other models play them."""
    author = ctx.models["author"].name
    others = [f"{role} {ctx.models[role].name}" for role in (USER, ASSISTANT) if ctx.models[role].name != author]
    return f"{author} ({', '.join(others)})" if others else author


def _without_thoughts(dialogue: Dialogue) -> Dialogue:
    turns = (
        msgspec.structs.replace(turn, steps=tuple(msgspec.structs.replace(one, thought="") for one in turn.steps))
        for turn in dialogue.turns
    )
    return msgspec.structs.replace(dialogue, turns=tuple(turns))


def _remarked(dialogue: Dialogue, remarks: Sequence[str]) -> Dialogue:
    notes = dialogue.annotation
    if not isinstance(notes, DiaforgeNotes):
        return dialogue
    notes = msgspec.structs.replace(notes, remarks=tuple(remarks))
    return msgspec.structs.replace(dialogue, annotation=notes)
