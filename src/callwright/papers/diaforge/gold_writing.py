"""Writing steps for what is fixed before the first word: the goal and the gold values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from random import Random
from typing import Any

from callwright.author.step import checked_step
from callwright.author.unstated import is_set_by_service, unsayable
from callwright.author.value_drawing import draw_values
from callwright.author.value_scene import NO_FORMS
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import leaves, slots
from callwright.match.schema import schema_issues
from callwright.records.jsontext import Json, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool

_LONGEST_GOAL = 200
_MOST_SPARE = 3
"""Optional values that an author may give beside those that it is asked for."""


def _goal_faults(written: str, tool: Tool, persona: Persona, others: Sequence[Tool]) -> list[str]:
    faults = []
    if "\n" in written or len(written) > _LONGEST_GOAL:
        faults.append(f"give one phrase of at most {_LONGEST_GOAL} characters")
    if "_" in tool.name and tool.name in written:
        faults.append("the name of the tool may not be in it")
    return faults


def _value_faults(
    written: dict[str, Any],
    tool: Tool,
    wanted: tuple[str, ...],
    persona: Persona,
    today: str,
    ids: Mapping[str, str] = NO_FORMS,
) -> list[str]:
    faults = [f"{issue.path or 'the arguments'}: {issue.message}" for issue in schema_issues(encode(written), tool)]
    given = leaves(tool, written)
    faults += [f"{path}: a value is wanted" for path in wanted if path not in given]
    spare = [path for path in given if path not in wanted]
    faults += [f"{path}: {why}: leave it out" for path in spare if (why := _not_said(path, given[path], tool))]
    faults += [f"{path} is not asked for: leave it out" for path in spare[_MOST_SPARE:]]
    return faults[:8]


def _not_said(path: str, value: Json, tool: Tool) -> str:
    """Why no user has this value in mind where nobody asked for it; empty where one may."""
    if value in (None, "", [], {}):
        return "it is empty"
    slot = slots(tool).get(path)
    if slot is None:
        return "no document has it"
    return unsayable(slot, tool) or ("the service sets it" if is_set_by_service(slot, tool) else "")


@checked_step("diaforge/goal.j2", _goal_faults, home=__package__)
def goal(rng: Random, tool: Tool, persona: Persona, others: Sequence[Tool]) -> str:
    """Say in one phrase what the persona wants done with this tool, not with others (section 3.1, persona sampling)."""
    return gloss(tool).phrase


@checked_step("diaforge/values.j2", _value_faults, home=__package__)
def gold_values(
    rng: Random,
    tool: Tool,
    wanted: tuple[str, ...],
    persona: Persona,
    today: str,
    ids: Mapping[str, str] = NO_FORMS,
) -> dict[str, Any]:
    """Give every `wanted` path a value, jointly, and as the persona would have them (slot value generator)."""
    return draw_values(rng, tool, persona, today=date.fromisoformat(today), also=wanted, ids=ids)
