"""The offline rollout of a session: words of each turn, anew until they say exactly what the plan says (section 3.2).

The plan has all calls and results; grammars only word the turns. Then the session is checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from callwright.author.assistant_turn import assistant_turn
from callwright.author.briefs import AssistantAct, AssistantBrief, Known, Request, UserAct, UserBrief
from callwright.author.grammar import opener
from callwright.author.user_turn import user_turn
from callwright.author.value_checks import carrying_faults
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.engine.context import Context, WritingStep
from callwright.papers.wild.assistant_words import outcome_of, wild_closing, wild_reply
from callwright.papers.wild.chat_tasks import PlannedChat
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask, levels
from callwright.papers.wild.session_plan import RECIPE, SessionPlan, SessionPlanner
from callwright.papers.wild.task_briefs import (
    ChangedValue,
    WildAsk,
    WildChange,
    WildChat,
    WildClosing,
    Wish,
)
from callwright.papers.wild.user_words import wild_ask, wild_change, wild_chat
from callwright.papers.wild.wild_cascade import check_wild
from callwright.recipe import Made
from callwright.recipe.played_by import by_rules
from callwright.recipe.unplanned import Unplanned, unsaid
from callwright.records.dialogue import Call, Dialogue, Provenance, Step, Turn
from callwright.records.issue import Issue
from callwright.records.jsontext import encode
from callwright.validate.unsayable import wording_faults

REWRITES = 8
"""Most wordings of one turn."""
WORDINGS = 2
"""Faultless wordings of a user turn from which the best is kept."""

Brief: TypeAlias = WildAsk | WildChange | WildChat | WildClosing | UserBrief | AssistantBrief


async def rollout(plan: SessionPlan | Unplanned, ctx: Context, workshop: SessionPlanner) -> Made:
    """Word a planned session and check it; a session that could not be planned is rejected without turns."""
    provenance = by_rules(seed=workshop.seed, catalog=workshop.catalog, options=workshop.options_text)
    if isinstance(plan, Unplanned):
        return unsaid(plan, RECIPE, provenance)
    writer = SessionWriter(plan, workshop)
    for position, task in enumerate(plan.tasks):
        place = ctx.at(f"task/{position}")
        if isinstance(task, PlannedChat):
            await writer.chat(place, task)
        else:
            await writer.work(place, task, position)
    dialogue = writer.dialogue(provenance)
    return Made(dialogue, tuple(writer.faults) or check_wild(dialogue, writer.tools))


class SessionWriter:
    """A session whose turns are being worded."""

    def __init__(self, plan: SessionPlan, planner: SessionPlanner) -> None:
        self.plan = plan
        self.scenario = plan.scenario
        self.tools = {shown.name: planner.catalog.by_key[shown.key] for shown in plan.scenario.tools}
        self.turns: list[Turn] = []
        self.asks: list[int] = []
        self.faults: list[Issue] = []

    async def work(self, ctx: Context, task: PlannedTask, position: int) -> None:
        """Word a task of calls: the request, a question and its answer if a value is missing, the closing text."""
        self.asks.append(len(self.turns))
        plan, change = self.plan, self.plan.extras.changed.get(position)
        brief = WildAsk(
            self._wishes(task, position),
            plan.style,
            plan.persona.tone,
            self.scenario.today,
            position,
            again=task.again,
            taken_back=plan.extras.taken_back.get(position),
            after_chat=position > 0 and isinstance(plan.tasks[position - 1], PlannedChat),
        )
        said = [known for wish in brief.wishes for known in wish.said]
        mentions = (mention for wish in brief.wishes for mention in wish.mentions)
        unsaid = [mention.known for mention in mentions if mention.way not in ("said", "again")]
        unsaid += [] if change is None else [change.then]
        await self._say(ctx.at("ask"), "user", [(wild_ask, brief)], said, unsaid)
        steps = steps_of(task.calls)
        if task.missing:
            await self._clear_up(ctx, task, change)
        elif change is not None:
            self.turns.append(Turn("assistant", steps=steps[:1]))
            spoken_up = (wild_change, self._change_brief(change, answers=False))
            await self._say(ctx.at("change"), "user", [spoken_up], (change.first, change.then))
            steps = steps[1:]
        closing = WildClosing(
            tuple(outcome_of(call) for call in task.calls),
            self.scenario.today,
            remedy=next((one.remedy for one in plan.extras.failures if one.task == position), ""),
        )
        await self._say(ctx.at("close"), "assistant", [(wild_closing, closing)], steps=steps)

    def _wishes(self, task: PlannedTask, position: int) -> tuple[Wish, ...]:
        """The wishes behind the calls, with values as the user says them at first.

        A call that replaces a failed one is no wish of its own.
        """
        extras = self.plan.extras
        replacing = {one.done_by for one in extras.failures if one.task == position}
        first = {(one.call, one.parameter): one.first for one in extras.changes if one.task == position}
        wishes = []
        for place, call in enumerate(task.calls):
            if place not in replacing:
                wish = call.wish()
                after = tuple(0 if parent in replacing else parent for parent in wish.after)
                mentions = tuple(
                    msgspec.structs.replace(
                        one, known=Known(one.known.slot, first.get((place, one.known.slot.name), one.known.text))
                    )
                    for one in wish.mentions
                )
                wishes.append(msgspec.structs.replace(wish, mentions=mentions, after=after, another=task.another))
        return tuple(wishes)

    def _change_brief(self, change: ChangedValue, *, answers: bool) -> WildChange:
        return WildChange(change, self.plan.style, self.scenario.today, answers)

    async def _clear_up(self, ctx: Context, task: PlannedTask, change: ChangedValue | None) -> None:
        """Word the question for the missing values, and the answer, which may also change another value."""
        call, plan = task.calls[0], self.plan
        wanted = tuple(slots(call.tool)[name] for name in task.missing)
        known = tuple(Known(slot, encode(call.values[slot.name])) for slot in wanted)
        wished = gloss(call.tool)
        question = AssistantBrief(
            AssistantAct("ask", slots=task.missing), slots=wanted, gloss=wished, first=len(self.turns) < 2
        )
        await self._say(ctx.at("question"), "assistant", [(assistant_turn, question)], untold=known)
        answer = UserBrief(
            UserAct("answer", slots=task.missing), plan.style, plan.persona.tone, self.scenario.today,
            request=Request("", ""), pick="", pick_is_action=False, full=wished.phrase, slots=known,
        )  # fmt: skip
        drafts: list[tuple[WritingStep[str], Brief]] = [(user_turn, answer)]
        if change is not None:
            drafts.append((wild_change, self._change_brief(change, answers=True)))
            known = (*known, change.first, change.then)
        await self._say(ctx.at("answer"), "user", drafts, known)

    async def chat(self, ctx: Context, task: PlannedChat) -> None:
        """Word a question that needs no tool, and its answer."""
        self.asks.append(len(self.turns))
        plan, said = self.plan, None if task.fact is None else task.fact.known
        brief = WildChat(
            task.topic, task.question, task.reply, said, task.reference, plan.style, plan.persona.tone,
            self.scenario.today,
        )  # fmt: skip
        await self._say(ctx.at("ask"), "user", [(wild_chat, brief)], () if said is None else (said,))
        await self._say(ctx.at("reply"), "assistant", [(wild_reply, brief)])

    async def _say(
        self,
        ctx: Context,
        speaker: str,
        drafts: Sequence[tuple[WritingStep[str], Brief]],
        told: Sequence[Known] = (),
        untold: Sequence[Known] = (),
        *,
        steps: tuple[Step, ...] = (),
    ) -> None:
        """Write a turn, from one brief or several, until it has no fault: it says `told` and does not say `untold`.

        Of several faultless wordings the one with the rarest opening is kept.
        """
        wanted = WORDINGS if speaker == "user" else 1
        found: list[str] = []
        text, faults = "", list[str]()
        for attempt in range(REWRITES):
            place = ctx.at("word", attempt=attempt)
            text = ""
            for step, brief in drafts:
                more = await place.write(step, self._completed(brief, speaker))
                text += f"{'' if not text else ', ' if text[-1].isalnum() else ' '}{more}"
            faults = carrying_faults(text, told, untold, self.scenario.today) + self._wording(speaker, text)
            if not faults:
                found.append(text)
                if len(found) == wanted:
                    break
        if found:
            text = min(found, key=lambda one: sum(opener(turn.text) == opener(one) for turn in self.turns))
        else:
            where = f"turns[{len(self.turns)}].text"
            self.faults += [Issue("text_and_values_differ", where, f"{speaker}: {fault}") for fault in faults]
        self.turns.append(Turn(speaker, text, steps))

    def _completed(self, brief: Brief, speaker: str) -> Brief:
        """The brief with what it says of earlier turns."""
        recent = [turn.text for turn in self.turns if turn.speaker == speaker and turn.text][-3:]
        heard = self.turns[-1].text if self.turns else ""
        return msgspec.structs.replace(brief, recent=tuple(recent), heard=heard)

    def _wording(self, speaker: str, text: str) -> list[str]:
        said = [turn.text.lower() for turn in self.turns if turn.speaker == speaker]
        said = said if speaker == "user" else said[-1:]
        repeated = ["it was said before, word for word"] if text.lower() in said else []
        return [*wording_faults(text, self.tools), *repeated]

    def dialogue(self, provenance: Provenance) -> Dialogue:
        """Return the session as a dialogue."""
        scenario = self.scenario
        tasks = zip(scenario.tasks, self.asks, strict=True)
        return Dialogue(
            id=scenario.id,
            recipe=RECIPE,
            participants=scenario.participants,
            turns=tuple(self.turns),
            tools=scenario.tools,
            tasks=tuple(msgspec.structs.replace(task, turn=turn) for task, turn in tasks),
            scenario=scenario,
            provenance=provenance,
            today=scenario.today,
            annotation=scenario.annotation,
        )


def steps_of(calls: Sequence[PlannedCall]) -> tuple[Step, ...]:
    """Return the shortest legal path: every call in the first step in which all that it needs is done (section 3.3)."""
    depth = levels(calls)
    steps = []
    for level in range(max(depth, default=-1) + 1):
        members = [(f"call_{place + 1}", calls[place]) for place, one in enumerate(depth) if one == level]
        made = tuple(Call(call.name, encode(call.values), id=id_) for id_, call in members)
        results = tuple(msgspec.structs.replace(call.result, call=id_) for id_, call in members)
        steps.append(Step(act="call", calls=made, results=results))
    return tuple(steps)
