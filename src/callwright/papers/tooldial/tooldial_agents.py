"""A dialogue whose turns models write: acts, values, states and searches are the plan's, and rules check each turn.

A turn that stays wrong after three replies rejects the dialogue; a finished one goes through the cascade.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final, TypeVar

from callwright.author.agent_asking import ASKS, TurnFault, ask_turn
from callwright.author.prompts import Prompts
from callwright.author.role_forms import read_words
from callwright.engine.context import Context
from callwright.papers.tooldial.act_grammar import sequences
from callwright.papers.tooldial.scenario_plan import PlannedDialogue, ToolDialWorkshop
from callwright.papers.tooldial.scenario_states import ActTurn, act_turns
from callwright.papers.tooldial.tooldial_cascade import check_tooldial
from callwright.papers.tooldial.tooldial_options import ToolDialOptions
from callwright.papers.tooldial.tooldial_rollout import DialogueWriter
from callwright.papers.tooldial.turn_checks import turn_faults
from callwright.papers.tooldial.turn_roles import PROMPTS, read_turn, turn_request, view_of
from callwright.recipe import Made, RoleRequest
from callwright.recipe.played_by import played_by
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue

T = TypeVar("T")

_FORM_BYTES: Final = 40
"""Of an assistant's reply, beside what it says and thinks."""


async def play(planned: PlannedDialogue, ctx: Context, workshop: ToolDialWorkshop, prompts: Prompts) -> Made:
    """Return one dialogue in the words of models: kept, or rejected for a turn or by the cascade.

    Raises RolloutFailed.
    """
    provenance = played_by(ctx, PROMPTS, seed=workshop.seed, catalog=workshop.catalog, options=workshop.options_text)
    writer = DialogueWriter(planned, provenance)
    for position, turn in enumerate(act_turns(planned.plan.acts)):
        fault = await _write(writer, turn, ctx.at(f"turn/{position}"), prompts)
        if fault is not None:
            told = f"{ctx.models[turn.speaker].name} as the {turn.speaker}: {fault.told}"
            return Made(writer.dialogue(), (Issue(fault.code, f"turns[{position}]", told),))
    dialogue = writer.dialogue()
    return Made(dialogue, check_tooldial(dialogue, writer.tools))


async def _write(writer: DialogueWriter, turn: ActTurn, place: Context, prompts: Prompts) -> TurnFault | None:
    """Have a turn written and add it; return the fault that remained in it, where one did."""
    brief = writer.begin(turn)
    view = view_of(writer, turn, brief)
    request = turn_request(turn.speaker, prompts, view)
    faults = partial(turn_faults, writer, brief, view)
    if turn.speaker == "user":
        said = await ask_turn(
            "user",
            request,
            place,
            read=lambda reply: " ".join(read_words(reply, view.name).split()),
            check=lambda text: tuple(faults(text)),
        )
        writer.add(turn, said.value, ())
        return said.rejecting
    asked = await ask_turn(
        "assistant",
        request,
        place,
        read=lambda reply: read_turn(reply, len(turn.acts)),
        check=lambda written: tuple(faults(written.say, written.thoughts)),
    )
    writer.add(turn, asked.value.say, asked.value.thoughts)
    return asked.rejecting


# -- what is asked -----------------------------------------------------------------------------------------------------


def most_calls(options: ToolDialOptions) -> int:
    """Return the most replies of one dialogue: every turn, each asked for as often as it may be."""
    listed = (*sequences(), *sequences(inputless=options.inputless))
    return ASKS * max(len(act_turns(acts)) for acts in listed)


def asked(dialogue: Dialogue, workshop: ToolDialWorkshop, prompts: Prompts) -> Iterator[RoleRequest]:
    """Yield what models would have been asked for a dialogue that rules made, had each turn been taken at once."""
    scenario = dialogue.scenario
    if scenario is None or dialogue.provenance is None:
        return
    planned = workshop.plan(scenario.id, scenario.index)
    writer = DialogueWriter(planned, dialogue.provenance)
    for turn, made in zip(act_turns(planned.plan.acts), dialogue.turns, strict=False):
        request = turn_request(turn.speaker, prompts, view_of(writer, turn, writer.begin(turn)))
        thoughts = [step.thought for step in made.steps]
        size = len(made.text) + (sum(map(len, thoughts)) + _FORM_BYTES if turn.speaker == "assistant" else 0)
        yield RoleRequest(turn.speaker, request, size)
        writer.add(turn, made.text, thoughts)
