"""One dialogue of the recipe: the words of each planned turn, rewritten until they say exactly what the plan says.

Acts, states, retriever status, calls and results are the plan's; only the words are written here.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from callwright import __version__
from callwright.author.value_checks import TELLING, carrying_faults
from callwright.catalog.score_scale import SUGGESTED
from callwright.engine.context import Context
from callwright.environment.told_results import so_many
from callwright.lang.english import join_with
from callwright.papers.tooldial.scenario_plan import RECIPE, PlannedDialogue, ToolDialWorkshop
from callwright.papers.tooldial.scenario_states import ActTurn, act_turns
from callwright.papers.tooldial.tooldial_briefs import TurnBrief, brief_of, told_in
from callwright.papers.tooldial.tooldial_cascade import check_tooldial
from callwright.papers.tooldial.tooldial_words import system_words, thought_words, user_words
from callwright.recipe import Made
from callwright.records.annotations.tooldial_notes import IntentQuery, ToolDialNotes, ToolDialTurn
from callwright.records.dialogue import Call, Dialogue, Provenance, Result, Step, Turn
from callwright.records.issue import Issue
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

REWRITES: Final = 8


async def rollout(planned: PlannedDialogue, ctx: Context, workshop: ToolDialWorkshop) -> Made:
    """Word a planned dialogue and check it."""
    writer = DialogueWriter(planned)
    for position, turn in enumerate(act_turns(planned.plan.acts)):
        writer.write(ctx.at(f"turn/{position}"), turn, planned.plan.turns[position])
    dialogue = Dialogue(
        id=planned.scenario.id,
        recipe=RECIPE,
        participants=planned.scenario.participants,
        turns=tuple(writer.turns),
        tools=planned.scenario.tools,
        tasks=tuple(msgspec.structs.replace(task, turn=0) for task in planned.scenario.tasks),
        scenario=planned.scenario,
        provenance=Provenance(
            author="offline",
            callwright=__version__,
            seed=planned.scenario.seed,
            catalog=workshop.catalog.digest,
            options=workshop.options_text,
        ),
        today=planned.scenario.today,
        annotation=ToolDialNotes(turns=planned.plan.turns),
    )
    tools = {tool.name: tool for tool in (planned.pair.target, planned.pair.source) if tool is not None}
    return Made(dialogue, tuple(writer.faults) or check_tooldial(dialogue, tools))


class DialogueWriter:
    """A dialogue whose turns are being worded."""

    def __init__(self, planned: PlannedDialogue) -> None:
        self.planned = planned
        self.turns: list[Turn] = []
        self.faults: list[Issue] = []
        self.queries = iter(planned.plan.queries)
        self.query: IntentQuery | None = None
        """The wish that was said last."""
        self.calls = self._calls()
        spoken = [turn for turn in act_turns(planned.plan.acts) if turn.speaker == "user"]
        self.untold = [one for turn in spoken for one in told_in(planned, turn) if one.slot.kind in TELLING]

    def _calls(self) -> Iterator[tuple[Tool, dict[str, Json], Result | None]]:
        pair, drawn = self.planned.pair, self.planned.drawn
        if pair.source is not None:
            yield pair.source, drawn.source_values, drawn.source_result
        yield pair.target, drawn.values, drawn.result

    def write(self, ctx: Context, turn: ActTurn, notes: ToolDialTurn) -> None:
        """Word one turn and add it, with its steps."""
        if turn.last.startswith("inform_intent"):
            self.query = next(self.queries)
        said = [one.text for one in self.turns if one.speaker == turn.speaker]
        brief = msgspec.structs.replace(
            brief_of(self.planned, turn, self.query),
            is_first=not self.turns,
            recent=tuple(said[-2:]),
            heard=self.turns[-1].text if self.turns else "",
        )
        text = self._worded(ctx, turn, brief)
        if turn.speaker == "user":
            self.turns.append(Turn("user", text, (Step(act=turn.last),)))
            return
        rng = ctx.at("thought").rng()
        steps = tuple(self._step(rng, turn, place, notes) for place in range(len(turn.acts)))
        self.turns.append(Turn("assistant", text, steps))

    def _worded(self, ctx: Context, turn: ActTurn, brief: TurnBrief) -> str:
        """The first wording that says the turn's values and none that is told later."""
        told = brief.told if turn.speaker == "user" else ()
        self.untold = [known for known in self.untold if known not in told]
        text, faults = "", list[str]()
        early = [] if turn.last in ("response", "request_multi") else self.untold  # these tell what results have
        for attempt in range(REWRITES):
            rng = ctx.at("words", attempt=attempt).rng()
            text = user_words(rng, brief) if turn.speaker == "user" else system_words(rng, brief)
            faults = carrying_faults(text, told, early, brief.today)
            if not faults:
                break
        where = f"turns[{len(self.turns)}].text"
        self.faults += [Issue("text_and_values_differ", where, fault) for fault in faults]
        return text

    def _step(self, rng: Random, turn: ActTurn, place: int, notes: ToolDialTurn) -> Step:
        act = turn.acts[place]
        thought = thought_words(rng, *self._thought(turn, place, notes))
        if act != "call":
            return Step(thought=thought, act=act)
        tool, values, result = next(self.calls)
        call = Call(tool.name, encode(values), id=f"call_{sum(len(one.calls) for one in self.turns) + place}")
        found = msgspec.structs.replace(result or Result(), call=call.id)
        return Step(thought=thought, act=act, calls=(call,), results=(found,))

    def _thought(self, turn: ActTurn, place: int, notes: ToolDialTurn) -> tuple[str, dict[str, str]]:
        """The bank of the thought behind an act, and its fields."""
        act, pair, plan = turn.acts[place], self.planned.pair, self.planned.plan
        found = next((step.retriever.apis for step in notes.steps if step.retriever.apis), ())
        source = pair.source.name if pair.source is not None else ""
        asked = {"first": [*plan.first, *((plan.input,) if plan.input else ())], "of_source": plan.of_source}
        names = asked.get(turn.phase, plan.later)
        fields = {
            "query": self.query.text if self.query else "",
            "score": f"{found[0].score:.2f}" if found else "",
            "low": f"{SUGGESTED:g}",
            "lacking": plan.input,
            "target": pair.target.name,
            "tool": source if turn.phase == "of_source" or act == "request_multi" else pair.target.name,
            "names": join_with(list(names)),
        }
        if self.planned.drawn.choice is not None:
            choice = self.planned.drawn.choice
            fields["count"] = so_many(len(choice.labels), choice.noun)
        if act == "retriever_call" and not notes.steps[place].retriever.apis:
            return "retriever_call.source", fields
        if act == "request" and turn.phase == "of_source":
            return "request.source", fields
        if act == "call" and source:
            is_source = "call" not in turn.acts[:place] and not any(one.calls for one in self.turns)
            return ("call", fields | {"tool": source}) if is_source else ("call.with", fields)
        return act, fields
