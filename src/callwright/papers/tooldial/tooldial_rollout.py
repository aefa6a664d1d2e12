"""One dialogue of the recipe: the words of each planned turn, rewritten until they say exactly what the plan says.

Acts, states, retriever status, calls and results are the plan's; only the words are written here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from callwright.author.briefs import Known
from callwright.author.value_checks import TELLING, carrying_faults
from callwright.catalog.score_scale import SUGGESTED
from callwright.engine.context import Context
from callwright.environment.told_results import so_many
from callwright.lang.english import join_with
from callwright.papers.tooldial.act_grammar import USER_ACTS
from callwright.papers.tooldial.scenario_plan import RECIPE, PlannedDialogue, ToolDialWorkshop
from callwright.papers.tooldial.scenario_states import ActTurn, act_turns
from callwright.papers.tooldial.tooldial_briefs import TurnBrief, brief_of, told_in
from callwright.papers.tooldial.tooldial_cascade import check_tooldial
from callwright.papers.tooldial.tooldial_words import system_words, thought_words, user_words
from callwright.recipe import Made
from callwright.recipe.played_by import by_rules
from callwright.records.annotations.tooldial_notes import IntentQuery, ToolDialNotes
from callwright.records.dialogue import Call, Dialogue, Provenance, Result, Step, Turn
from callwright.records.issue import Issue
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

REWRITES: Final = 8


async def rollout(planned: PlannedDialogue, ctx: Context, workshop: ToolDialWorkshop) -> Made:
    """Word a planned dialogue and check it."""
    provenance = by_rules(seed=workshop.seed, catalog=workshop.catalog, options=workshop.options_text)
    writer = DialogueWriter(planned, provenance)
    for position, turn in enumerate(act_turns(planned.plan.acts)):
        place = ctx.at(f"turn/{position}")
        brief = writer.begin(turn)
        text = _worded(writer, place, brief)
        rng = place.at("thought").rng()
        own = range(len(turn.acts) if turn.speaker == "assistant" else 0)
        writer.add(turn, text, [thought_words(rng, *writer.thought(turn, at)) for at in own])
    dialogue = writer.dialogue()
    return Made(dialogue, tuple(writer.faults) or check_tooldial(dialogue, writer.tools))


def _worded(writer: DialogueWriter, ctx: Context, brief: TurnBrief) -> str:
    """The first wording that says the turn's values and none that is told later."""
    text, faults = "", list[str]()
    for attempt in range(REWRITES):
        rng = ctx.at("words", attempt=attempt).rng()
        text = user_words(rng, brief) if brief.act in USER_ACTS else system_words(rng, brief)
        faults = carrying_faults(text, brief.told, writer.early(brief), brief.today)
        if not faults:
            break
    where = f"turns[{len(writer.turns)}].text"
    writer.faults += [Issue("text_and_values_differ", where, fault) for fault in faults]
    return text


class DialogueWriter:
    """A dialogue whose turns are being worded."""

    def __init__(self, planned: PlannedDialogue, provenance: Provenance) -> None:
        self.planned = planned
        self.provenance = provenance
        self.tools = {tool.name: tool for tool in planned.pair.tools}
        self.turns: list[Turn] = []
        self.faults: list[Issue] = []
        self.queries = iter(planned.plan.queries)
        self.query: IntentQuery | None = None
        """The wish that was said last."""
        spoken = [turn for turn in act_turns(planned.plan.acts) if turn.speaker == "user"]
        self.untold = [one for turn in spoken for one in told_in(planned, turn) if one.slot.kind in TELLING]

    def _calls(self) -> Iterator[tuple[Tool, dict[str, Json], Result | None]]:
        pair, drawn = self.planned.pair, self.planned.drawn
        if pair.source is not None:
            yield pair.source, drawn.source_values, drawn.source_result
        yield pair.target, drawn.values, drawn.result

    def begin(self, turn: ActTurn) -> TurnBrief:
        """Return what the next turn is about."""
        if turn.last.startswith("inform_intent"):
            self.query = next(self.queries)
        said = [one.text for one in self.turns if one.speaker == turn.speaker]
        brief = msgspec.structs.replace(
            brief_of(self.planned, turn, self.query),
            is_first=not self.turns,
            recent=tuple(said[-2:]),
            heard=self.turns[-1].text if self.turns else "",
        )
        self.untold = [known for known in self.untold if known not in brief.told]
        return brief

    def early(self, brief: TurnBrief) -> list[Known]:
        """Return the values that a turn may not say yet; some tell what results have."""
        return [] if brief.act in ("response", "request_multi") else self.untold

    def steps(self, turn: ActTurn, thoughts: Sequence[str]) -> tuple[Step, ...]:
        """Return the steps of the assistant's next turn with their calls and results."""
        made, calls = sum(len(one.calls) for one in self.turns), list(self._calls())
        steps = []
        for place, (act, thought) in enumerate(zip(turn.acts, thoughts, strict=True)):
            if act != "call":
                steps.append(Step(thought=thought, act=act))
                continue
            done = made + sum(len(step.calls) for step in steps)
            tool, values, result = calls[done]
            call = Call(tool.name, encode(values), id=f"call_{made + place}")
            found = msgspec.structs.replace(result or Result(), call=call.id)
            steps.append(Step(thought=thought, act=act, calls=(call,), results=(found,)))
        return tuple(steps)

    def add(self, turn: ActTurn, text: str, thoughts: Sequence[str]) -> None:
        """Add a turn with its words, and with a thought for each act of the assistant."""
        steps = (Step(act=turn.last),) if turn.speaker == "user" else self.steps(turn, thoughts)
        self.turns.append(Turn(turn.speaker, text, steps))

    def dialogue(self) -> Dialogue:
        """Return the dialogue with the turns that it has so far."""
        scenario = self.planned.scenario
        return Dialogue(
            id=scenario.id,
            recipe=RECIPE,
            participants=scenario.participants,
            turns=tuple(self.turns),
            tools=scenario.tools,
            tasks=tuple(msgspec.structs.replace(task, turn=0) for task in scenario.tasks),
            scenario=scenario,
            provenance=self.provenance,
            today=scenario.today,
            annotation=ToolDialNotes(turns=self.planned.plan.turns[: len(self.turns)]),
        )

    def thought(self, turn: ActTurn, place: int) -> tuple[str, dict[str, str]]:
        """Return the bank of the thought behind an act of the next turn, and its fields."""
        notes = self.planned.plan.turns[len(self.turns)]
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
