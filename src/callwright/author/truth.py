"""Writing steps for what is fixed before the first word: the goal and the gold values."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

from callwright.author.step import step
from callwright.author.values import draw_values
from callwright.catalog.gloss import gloss
from callwright.records.persona import Persona
from callwright.records.tool import Tool


@step("diaforge/goal.j2")
def goal(rng: Random, tool: Tool, persona: Persona) -> str:
    """Say in one phrase what the persona wants done with this tool (section 3.1, persona sampling)."""
    return gloss(tool).phrase


@step("diaforge/values.j2")
def gold_values(rng: Random, tool: Tool, persona: Persona, today: str) -> dict[str, Any]:
    """Give every required parameter a value, jointly, and as the persona would have them (slot value generator)."""
    return draw_values(rng, tool, persona, today=date.fromisoformat(today))
