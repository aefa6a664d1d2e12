"""The results of calls where a model plays the tools: the plan fixes what states, chained values and choices need."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec

from callwright.author.agent_asking import TurnFault
from callwright.author.prompts import Prompts
from callwright.engine.context import Context
from callwright.environment.fixed_fields import FixedField, repeated_fields
from callwright.environment.item_choice import choice_fault, choice_fields
from callwright.environment.result_asking import ROLE, PlannedResult, ask_result, result_view
from callwright.papers.tooldial.scenario_plan import PlannedDialogue, ToolDialWorkshop
from callwright.papers.tooldial.scenario_states import ActTurn
from callwright.papers.tooldial.tooldial_rollout import DialogueWriter
from callwright.papers.tooldial.turn_roles import turn_request
from callwright.records.dialogue import Call, Turn
from callwright.records.jsontext import Json, decode, encode, scalars
from callwright.records.pointer import resolve


def result_ahead(writer: DialogueWriter, turn: ActTurn, place: int) -> PlannedResult:
    """Return the planned result of the call at an act of the next turn."""
    *earlier, own = writer.steps(turn._replace(acts=turn.acts[: place + 1]), [""] * (place + 1))
    before, call, value = writer.dialogue(), own.calls[0], decode(own.results[0].value or encode(None))
    before = msgspec.structs.replace(before, turns=(*before.turns, Turn("assistant", steps=tuple(earlier))))
    fixed = (*_needed(writer.planned, call, value), *repeated_fields(writer.tools[call.tool], call.values, value))
    return PlannedResult(call, value, fixed, before, writer.tools)


def _needed(planned: PlannedDialogue, call: Call, value: Json) -> Iterator[FixedField]:
    """What the plan takes from the source's result: the missing value, and what the user chooses by."""
    pair, choice, pointer = planned.pair, planned.drawn.choice, planned.plan.output
    if pair.source is not None and pair.output is not None and call.tool == pair.source.name:
        yield FixedField(pointer, resolve(value, pointer), is_needed=True)
        yield from choice_fields(choice, pair.output, value) if choice else ()


def source_faults(planned: PlannedDialogue, ahead: PlannedResult, value: Json) -> Iterator[TurnFault]:
    """Yield where the plan needs another result of the source: for the choice, and for where values come from."""
    pair, drawn = planned.pair, planned.drawn
    if pair.source is None or pair.output is None or ahead.call.tool != pair.source.name:
        return
    if drawn.choice and (told := choice_fault(drawn.choice, pair.source, pair.output, value)):
        yield TurnFault("result_contradicts", told)
    found, usual = ({str(leaf) for leaf in scalars(one)} for one in (value, ahead.value))
    for name, one in drawn.values.items():
        if name != pair.parameter and str(one) in found - usual:
            yield TurnFault(
                "result_contradicts", f"{encode(one)} means something else in this conversation; write another value"
            )


async def play_tools(
    writer: DialogueWriter, turn: ActTurn, ctx: Context, workshop: ToolDialWorkshop, prompts: Prompts
) -> None:
    """Have the results of the next turn's calls returned one by one, and put those that fit into the plan."""
    for place in (at for at, act in enumerate(turn.acts) if act == "call"):
        ahead, planned = result_ahead(writer, turn, place), writer.planned
        request = turn_request(ROLE, prompts, result_view(ahead))
        found = await ask_result(request, ctx.at(f"result/{place}"), ahead, partial(source_faults, planned, ahead))
        if found is not None:
            writer.planned = workshop.with_result(planned, ahead.call.tool, found)
