"""A group chat whose people models play: each knows a part, an orchestrator says who is next, and rules check.

    begin      who wants the call says so
    talk       the orchestrator names the next speaker, until it ends the round
    request    who wants the call asks the assistant, whose call and result the plan has

The end is refused before the least number of turns, and while something that only one person knows is not said.
A turn that stays wrong, or a round without an end, rejects the chat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from callwright.author.agent_asking import TurnFault, ask_turn
from callwright.author.prompts import Prompts
from callwright.engine.context import Context
from callwright.models.chat import ChatReply
from callwright.papers.dice.chat_cascade import issues_of, turn_issues, unasked_issues, unsaid_issues
from callwright.papers.dice.chat_grading import called_by_name
from callwright.papers.dice.chat_plan import ASSISTANT, VERSION, ChatPlan, ChatPlanner
from callwright.papers.dice.chat_roles import (
    END,
    PROMPTS,
    FloorView,
    PersonView,
    floor_view,
    least_turns,
    person_view,
    read_next,
    read_sentence,
    role_asked,
    users,
    wanting,
)
from callwright.papers.dice.chat_words import answer
from callwright.recipe import Made
from callwright.recipe.played_by import played_by
from callwright.recipe.unplanned import Unplanned, unsaid
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Dialogue, Participant, Provenance, Turn
from callwright.records.issue import Issue
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

T = TypeVar("T")

MOST_TURNS: Final = 16
"""Turns of one round before the request."""


_OF_WORDS: Final = frozenset(("low_scores", "unlike_type", "call_not_asked_for"))
"""What rules read off single words: models have many others, so it rejects no chat of theirs; a judge can tell."""


class _Stopped(Exception):
    """A chat that cannot go on."""

    def __init__(self, issue: Issue) -> None:
        super().__init__(issue.message)
        self.issue = issue


async def play(plan: ChatPlan | Unplanned, ctx: Context, workshop: ChatPlanner, prompts: Prompts) -> Made:
    """Return one chat of models: kept, or rejected for a turn or by the cascade. Raises RolloutFailed."""
    provenance = _provenance(ctx, workshop)
    if isinstance(plan, Unplanned):
        return unsaid(plan, VERSION, provenance)
    chat = _Chat(plan, ctx, workshop.catalog.by_name, prompts, provenance)
    try:
        for at in range(len(plan.rounds)):
            await chat.round(at)
    except _Stopped as stopped:
        return Made(chat.so_far(), (stopped.issue,))
    dialogue = chat.so_far()
    found = issues_of(dialogue, workshop.catalog.by_name)
    return Made(dialogue, tuple(issue for issue in found if issue.code not in _OF_WORDS))


def _provenance(ctx: Context, workshop: ChatPlanner) -> Provenance:
    options = encode(msgspec.to_builtins(workshop.options))
    return played_by(ctx, PROMPTS, seed=workshop.seed, catalog=workshop.catalog, options=options)


class _Chat:
    """One chat while it goes on."""

    def __init__(
        self, plan: ChatPlan, ctx: Context, tools: Mapping[str, Tool], prompts: Prompts, provenance: Provenance
    ) -> None:
        self.plan, self.ctx, self.tools, self.prompts, self.provenance = plan, ctx, tools, prompts, provenance
        self.scenario = plan.scenario
        self.turns: list[Turn] = []
        self.firsts: list[int] = []
        self.requests: list[int] = []

    async def round(self, at: int) -> None:
        """Go through one round. Raises _Stopped, RolloutFailed."""
        place = self.ctx.at(f"round/{at}")
        self.firsts.append(len(self.turns))
        wants = wanting(self.scenario, at)
        await self._speak(wants, at, place.at("turn/0"), opening=True)
        for number in range(1, MOST_TURNS + 1):
            name = await self._next(at, place.at(f"next/{number}"))
            if name == END:
                break
            if number == MOST_TURNS:
                raise _Stopped(Issue("round_too_long", f"tasks[{at}]", f"no end after {MOST_TURNS} turns"))
            speaker = next(who for who in users(self.scenario) if who.name == name)
            await self._speak(speaker, at, place.at(f"turn/{number}"))
        await self._speak(wants, at, place.at("request"), closing=True)
        self.requests.append(len(self.turns) - 1)
        after = self.plan.rounds[at + 1] if at + 1 < len(self.plan.rounds) else None
        said = [turn.text for turn in self.turns]
        self.turns.append(answer(self.plan.rounds[at], after, at, place.rng(), said))

    async def _ask(
        self,
        role: str,
        view: PersonView | FloorView,
        place: Context,
        read: Callable[[ChatReply], T],
        check: Callable[[T], Sequence[TurnFault]],
    ) -> T:
        asked = await ask_turn(role, role_asked(role, self.prompts, view), place, read=read, check=check)
        if fault := asked.rejecting:
            where = f"turns[{len(self.turns)}]"
            raise _Stopped(Issue(fault.code, where, f"{self.ctx.models[role].name} as the {role}: {fault.told}"))
        return asked.value

    async def _speak(
        self, who: Participant, at: int, place: Context, *, opening: bool = False, closing: bool = False
    ) -> None:
        view = person_view(self.scenario, at, who, self.plan.rounds[at].tool, self.turns)
        view = view._replace(opening=opening, closing=closing)

        def check(text: str) -> list[TurnFault]:
            chat = self.so_far(self._turn(who, text, closing=closing))
            faults = [TurnFault(one.code, one.message) for one in turn_issues(chat, self.tools, asks=closing)]
            if closing and not faults and unasked_issues(chat, self.tools, at):
                faults.append(TurnFault("call_not_asked_for", f"say what shall be done: {view.wish}", rejects=False))
            return faults

        text = await self._ask("user", view, place, lambda reply: read_sentence(reply, who.name), check)
        self.turns.append(self._turn(who, text, closing=closing))

    def _turn(self, who: Participant, text: str, *, closing: bool) -> Turn:
        """A turn; a question that calls somebody by name is addressed to this one."""
        if closing:
            return Turn(who.id, text, addressee=ASSISTANT)
        turn = Turn(who.id, text)
        named = called_by_name(self.so_far(turn), turn) if text.endswith("?") else ""
        return msgspec.structs.replace(turn, addressee=named) if named != who.id else turn

    async def _next(self, at: int, place: Context) -> str:
        names = [who.name for who in users(self.scenario)]

        def check(name: str) -> list[TurnFault]:
            return [TurnFault("unfit_order", told) for told in self._order_faults(name, at)]

        view = floor_view(self.scenario, self.turns, self.firsts[at])
        view = view._replace(choices=[one for one in view.choices if not self._order_faults(one, at)])
        if len(view.choices) == 1:  # nothing to decide
            return view.choices[0]
        return await self._ask("orchestrator", view, place, lambda reply: read_next(reply, names), check)

    def _order_faults(self, name: str, at: int) -> list[str]:
        """What speaks against this choice, in words that give no value away."""
        named = {who.id: who.name for who in users(self.scenario)}
        asked = named.get(self.turns[-1].addressee or "", "")
        if asked and name != asked:
            return [f"{asked} was asked and answers first"]
        if name != END:
            return []
        faults = []
        if len(self.turns) - self.firsts[at] < least_turns(self.scenario):
            faults.append(f"a round has at least {least_turns(self.scenario)} turns")
        if unsaid_issues(self.so_far(), self.tools, at):
            faults.append("somebody has not yet said what only this person knows")
        heard = {turn.speaker for turn in self.turns}
        if at == len(self.plan.rounds) - 1 and (silent := [who for who in named if who not in heard]):
            faults.append(f"{named[silent[0]]} has said nothing yet")
        return faults

    def so_far(self, *more: Turn) -> Dialogue:
        """Return the chat with its rounds up to the one that goes on."""
        turns, notes = (*self.turns, *more), self.scenario.annotation
        assert isinstance(notes, DiceNotes)
        asked = [*self.requests, len(turns) - 1][: len(self.firsts)]
        rounds = (
            msgspec.structs.replace(one, first=first) for one, first in zip(notes.rounds, self.firsts, strict=False)
        )
        return Dialogue(
            id=self.scenario.id,
            recipe=VERSION,
            participants=self.scenario.participants,
            turns=turns,
            tools=self.scenario.tools,
            tasks=tuple(
                msgspec.structs.replace(task, turn=turn) for task, turn in zip(self.scenario.tasks, asked, strict=False)
            ),
            scenario=self.scenario,
            provenance=self.provenance,
            today=self.scenario.today,
            annotation=msgspec.structs.replace(notes, rounds=tuple(rounds)),
        )
