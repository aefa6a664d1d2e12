"""The record of a dialogue in the making: the turns so far, with the scenario and all that is noted beside them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from callwright import __version__
from callwright.catalog.similarity import is_near
from callwright.papers.diaforge.dialogue_plan import RECIPE, DialogueWorkshop, look_alikes, plan_of
from callwright.records.annotations.diaforge_notes import DiaforgeNotes, Disclosure
from callwright.records.dialogue import Dialogue, Provenance, Scenario, ShownTool, Turn
from callwright.records.retrieved import Retrieved
from callwright.records.tool import Tool


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """How far a dialogue came, and who wrote it."""

    author: str
    attempt: int
    """Number of openings before its own."""
    turns: Sequence[Turn]
    retrieved: tuple[Retrieved, ...]
    """The retriever's tools for the opening, best first."""
    selection_turns: int
    filling_turns: int
    disclosed: tuple[Disclosure, ...] = ()
    unverified: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def shown_in(scenario: Scenario, workshop: DialogueWorkshop) -> tuple[Tool, ...]:
    """Return the candidate pool in the order in which it is shown; without the seed tool where no tool shall fit."""
    plan = plan_of(scenario)
    keys = (tool.key for tool in scenario.tools)
    return tuple(workshop.catalog.by_key[key] for key in keys if plan.tool_fits or key != plan.gold_tool)


def dialogue_of(scenario: Scenario, workshop: DialogueWorkshop, course: Course) -> Dialogue:
    """Return the turns so far as a dialogue."""
    return Dialogue(
        id=scenario.id,
        recipe=RECIPE,
        participants=scenario.participants,
        turns=tuple(course.turns),
        tools=tuple(ShownTool(tool.key, tool.name) for tool in shown_in(scenario, workshop)),
        tasks=tuple(msgspec.structs.replace(task, turn=0) for task in scenario.tasks),
        scenario=scenario,
        provenance=Provenance(
            author=course.author,
            callwright=__version__,
            seed=scenario.seed,
            catalog=workshop.catalog.digest,
            options=workshop.options_text,
            attempt=course.attempt,
        ),
        today=scenario.today,
        annotation=_notes(scenario, workshop, course),
    )


def _notes(scenario: Scenario, workshop: DialogueWorkshop, course: Course) -> DiaforgeNotes:
    plan = plan_of(scenario)
    seed_tool = workshop.catalog.by_key[plan.gold_tool]
    rivals = look_alikes(scenario, workshop)
    scores = workshop.similarities(seed_tool, rivals)
    near = set(plan.distractors)
    return DiaforgeNotes(
        gold_tool=seed_tool.name,
        distractors=tuple(tool.name for tool in rivals if tool.key in near),
        retrieved=course.retrieved,
        tool_fits=plan.tool_fits,
        near_duplicates=sum(1 for score in scores if is_near(score)),
        overlap=round(sum(scores) / len(scores), 6) if scores else 0.0,
        selection_turns=course.selection_turns,
        filling_turns=course.filling_turns,
        disclosed=course.disclosed,
        unverified=course.unverified,
        remarks=course.remarks,
    )
