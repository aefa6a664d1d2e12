"""A dialogue whose turns models write: acts, values, states and searches are the plan's, and rules check each turn.

A turn that stays wrong after three replies rejects the dialogue; a finished one goes through the cascade.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callwright.author.agent_asking import ASKS, TurnFault, ask_turn
from callwright.author.prompts import Prompts
from callwright.author.role_forms import ThoughtfulTurn, one_line, read_thoughtful, read_words
from callwright.author.value_checks import carrying_faults
from callwright.catalog.gloss import gloss
from callwright.engine.context import Context
from callwright.environment.result_asking import ROLE, result_view
from callwright.models.chat import ChatReply
from callwright.papers.tooldial.banded_retriever import Band
from callwright.papers.tooldial.scenario_plan import BANDS, PlannedDialogue, ToolDialWorkshop, drawn_sequences
from callwright.papers.tooldial.scenario_states import ActTurn, act_turns
from callwright.papers.tooldial.sequence_shapes import shape_of
from callwright.papers.tooldial.tool_results import play_tools, result_ahead
from callwright.papers.tooldial.tooldial_cascade import check_tooldial
from callwright.papers.tooldial.tooldial_options import ToolDialOptions
from callwright.papers.tooldial.tooldial_rollout import DialogueWriter
from callwright.papers.tooldial.turn_checks import turn_faults
from callwright.papers.tooldial.turn_roles import PROMPTS, QueryView, turn_request, view_of
from callwright.recipe import Made, RoleRequest
from callwright.recipe.played_by import played_by
from callwright.records.annotations.tooldial_notes import IntentQuery
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.jsontext import encode
from callwright.validate.unsayable import wording_faults

_FORM_BYTES: Final = 40
"""Of a reply, beside what it says, thinks and returns."""


async def play(planned: PlannedDialogue, ctx: Context, workshop: ToolDialWorkshop, prompts: Prompts) -> Made:
    """Return one dialogue in the words of models: kept, or rejected for a turn or by the cascade.

    Raises RolloutFailed.
    """
    provenance = played_by(ctx, PROMPTS, seed=workshop.seed, catalog=workshop.catalog, options=workshop.options_text)
    first = DialogueWriter(planned, provenance)
    bands = enumerate(BANDS[shape_of(planned.plan.acts).opening])
    queries = [await _query(first, at, band, ctx.at(f"query/{at}"), workshop, prompts) for at, band in bands]
    writer = DialogueWriter(workshop.with_queries(planned, tuple(queries)), provenance)
    for position, turn in enumerate(act_turns(planned.plan.acts)):
        place = ctx.at(f"turn/{position}")
        await play_tools(writer, turn, place, workshop, prompts)
        fault = await _write(writer, turn, place, prompts)
        if fault is not None:
            told = f"{ctx.models[turn.speaker].name} as the {turn.speaker}: {fault.told}"
            return Made(writer.dialogue(), (Issue(fault.code, f"turns[{position}]", told),))
    dialogue = writer.dialogue()
    return Made(dialogue, check_tooldial(dialogue, writer.tools))


def query_view(planned: PlannedDialogue, at: int, band: Band) -> QueryView:
    """Return what is told of one of the wishes."""
    listed = planned.plan.queries[at]
    return QueryView(band, gloss(planned.pair.target).phrase, listed.tail, listed.text)


async def _query(
    writer: DialogueWriter, at: int, band: Band, place: Context, workshop: ToolDialWorkshop, prompts: Prompts
) -> IntentQuery:
    """Return a query in a model's words that falls in its band; the plan's where three do not."""
    planned, retriever = writer.planned, workshop.retriever

    def check(text: str) -> tuple[TurnFault, ...]:
        told = [*carrying_faults(text, (), writer.untold, planned.scenario.today), *wording_faults(text, writer.tools)]
        if not retriever.falls_in(band, IntentQuery(thing=text), planned.pair.target):
            found = ", ".join(f"{one.name} with {one.score:.2f}" for one in retriever.search(text)[:2])
            told.append(f"the retriever finds {found or 'nothing'}")
        return tuple(TurnFault("query_unfit", one) for one in told)

    def read(reply: ChatReply) -> str:
        return one_line(read_words(reply, "Query")).rstrip(".")

    request = turn_request("retriever", prompts, query_view(planned, at, band))
    asked = await ask_turn("retriever", request, place, read=read, check=check)
    return planned.plan.queries[at] if asked.faults else IntentQuery(thing=asked.value, own=True)


async def _write(writer: DialogueWriter, turn: ActTurn, place: Context, prompts: Prompts) -> TurnFault | None:
    """Have a turn written and add it; return the fault that remained in it, where one did."""
    brief = writer.begin(turn)
    view = view_of(writer, turn, brief)
    request = turn_request(turn.speaker, prompts, view)

    def read(reply: ChatReply) -> ThoughtfulTurn:
        if turn.speaker == "user":
            return ThoughtfulTurn([], one_line(read_words(reply, view.name)))
        return read_thoughtful(reply, len(turn.acts))

    def check(written: ThoughtfulTurn) -> tuple[TurnFault, ...]:
        return tuple(turn_faults(writer, brief, view, written.say, written.thoughts))

    asked = await ask_turn(turn.speaker, request, place, read=read, check=check)
    writer.add(turn, asked.value.say, asked.value.thoughts)
    return asked.rejecting


# -- what is asked -----------------------------------------------------------------------------------------------------


def most_calls(options: ToolDialOptions) -> int:
    """Return the most replies of one dialogue: every turn and result, each asked for as often as it may be."""
    listed = drawn_sequences(options)
    asked_for = (len(act_turns(acts)) + len(BANDS[shape_of(acts).opening]) + acts.count("call") for acts in listed)
    return ASKS * max(asked_for)


def asked(dialogue: Dialogue, workshop: ToolDialWorkshop, prompts: Prompts) -> Iterator[RoleRequest]:
    """Yield what models would have been asked for a dialogue that rules made, had each turn been taken at once."""
    scenario = dialogue.scenario
    if scenario is None or dialogue.provenance is None:
        return
    planned = workshop.plan(scenario.id, scenario.index)
    for at, band in enumerate(BANDS[shape_of(planned.plan.acts).opening]):
        view = query_view(planned, at, band)
        yield RoleRequest("retriever", turn_request("retriever", prompts, view), len(view.listed))
    writer = DialogueWriter(planned, dialogue.provenance)
    for turn, made in zip(act_turns(planned.plan.acts), dialogue.turns, strict=False):
        for ahead in (result_ahead(writer, turn, at) for at, act in enumerate(turn.acts) if act == "call"):
            request = turn_request(ROLE, prompts, result_view(ahead))
            yield RoleRequest(ROLE, request, len(encode(ahead.value)) + _FORM_BYTES)
        request = turn_request(turn.speaker, prompts, view_of(writer, turn, writer.begin(turn)))
        thoughts = [step.thought for step in made.steps]
        size = len(made.text) + (sum(map(len, thoughts)) + _FORM_BYTES if turn.speaker == "assistant" else 0)
        yield RoleRequest(turn.speaker, request, size)
        writer.add(turn, made.text, thoughts)
