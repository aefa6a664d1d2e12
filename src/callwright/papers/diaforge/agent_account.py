"""Requests to models for one dialogue whose roles they play: expected, from one made offline, and at most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from callwright.author.agent_asking import ASKS
from callwright.author.online_voice import ASKS as ASKS_OF_A_STEP
from callwright.author.prompts import Prompts
from callwright.author.step import AuthoredStep
from callwright.author.wanted import wanted_parameters
from callwright.papers.diaforge.assistant_agent import ROLE as ASSISTANT
from callwright.papers.diaforge.assistant_ways import NATIVE, OBJECT, AssistantWay
from callwright.papers.diaforge.diaforge_options import DiaforgeOptions
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop, look_alikes
from callwright.papers.diaforge.dialogue_record import shown_in
from callwright.papers.diaforge.dialogue_rollout import ATTEMPTS
from callwright.papers.diaforge.gold_writing import goal, gold_values
from callwright.papers.diaforge.said_values import checked_talk, quote_values
from callwright.papers.diaforge.user_agent import PROMPT as USER_PROMPT
from callwright.papers.diaforge.user_agent import ROLE as USER
from callwright.papers.diaforge.user_agent import user_request
from callwright.papers.diaforge.user_policy import plan_behind
from callwright.recipe import RoleRequest
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import encode

_STEPS: Final = 3
"""The author's texts: goal and values before the first turn, quotations after the last."""
_QUOTATION_BYTES: Final = 100
_FORM_BYTES: Final = 80
"""Of an assistant's reply, beside its texts."""


def most_calls(way: AssistantWay, options: DiaforgeOptions) -> int:
    """Return the most replies of one dialogue: every opening, turn and step asked for as often as it may be."""
    turns = ATTEMPTS + (options.t_max - 1) + options.t_max + way.drops_choice
    return ASKS_OF_A_STEP * _STEPS + ASKS * turns


def asked(way: AssistantWay, dialogue: Dialogue, workshop: DialogueWorkshop, prompts: Prompts) -> Iterator[RoleRequest]:
    """Yield what models would have been asked for a dialogue that rules made, with nothing asked twice."""
    plan = plan_behind(dialogue)
    if plan is None or dialogue.scenario is None:
        return
    gold = workshop.catalog.by_key[plan.gold_tool]
    persona = workshop.persona[plan.persona]
    others = look_alikes(dialogue.scenario, workshop)
    yield _written(goal, prompts, dialogue.tasks[0].goal, gold, persona, others)
    if plan.tool_fits and (wanted := wanted_parameters(gold)):
        values = encode(dialogue.tasks[0].gold[0].values)
        yield _written(gold_values, prompts, values, gold, wanted, persona, dialogue.today, workshop.ids)
    yield from _turns(way, dialogue, workshop, prompts)
    if plan.tool_fits and (talk := checked_talk(dialogue, gold)):
        yield _written(quote_values, prompts, "-" * _QUOTATION_BYTES * len(talk.values), talk)


# The recipe holds functions of modules: those that `functools.partial` makes are not equal in another process.


def most_calls_object(options: DiaforgeOptions) -> int:
    """Return the most replies where the assistant replies with one object."""
    return most_calls(OBJECT, options)


def most_calls_native(options: DiaforgeOptions) -> int:
    """Return the most replies where the assistant calls natively."""
    return most_calls(NATIVE, options)


def asked_object(dialogue: Dialogue, workshop: DialogueWorkshop, prompts: Prompts) -> Iterator[RoleRequest]:
    """Yield what models would have been asked where the assistant replies with one object."""
    return asked(OBJECT, dialogue, workshop, prompts)


def asked_native(dialogue: Dialogue, workshop: DialogueWorkshop, prompts: Prompts) -> Iterator[RoleRequest]:
    """Yield what models would have been asked where the assistant calls natively."""
    return asked(NATIVE, dialogue, workshop, prompts)


def _written(step: AuthoredStep[..., Any], prompts: Prompts, text: str, *args: Any) -> RoleRequest:
    return RoleRequest("author", step.render(prompts.source(step.name), *args), len(text))


def _turns(
    way: AssistantWay, dialogue: Dialogue, workshop: DialogueWorkshop, prompts: Prompts
) -> Iterator[RoleRequest]:
    assert dialogue.scenario is not None
    pool, notes = shown_in(dialogue.scenario, workshop), dialogue.annotation
    gold = next(tool for tool in workshop.tools if isinstance(notes, DiaforgeNotes) and tool.name == notes.gold_tool)
    chosen_at = 2 * notes.selection_turns + 1 if isinstance(notes, DiaforgeNotes) and notes.tool_fits else -1
    for position, turn in enumerate(dialogue.turns):
        before = msgspec.structs.replace(dialogue, turns=dialogue.turns[:position])
        if dialogue.role(turn) == USER:
            settled = chosen_at != -1 and position > chosen_at
            request = user_request(prompts.source(USER_PROMPT), before, gold, pool, settled=settled)
            yield RoleRequest(USER, request, len(turn.text))
            continue
        choices = ["", gold.name] if position == chosen_at else [gold.name if -1 < chosen_at < position else ""]
        for choice in choices if way.drops_choice else [""]:
            source, thoughts = prompts.source(way.prompt), not workshop.options.no_thoughts
            request = way.request(source, before, pool, settled_on=choice, thoughts=thoughts)
            yield RoleRequest(ASSISTANT, request, len(turn.thought) + len(turn.text) + _FORM_BYTES)
