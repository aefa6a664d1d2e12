"""Dialogues of the diaforge recipe over the bundled catalogue, made once a session and style."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from callwright.baselines import model_factory
from callwright.engine.context import Context
from callwright.formats.catalog import read
from callwright.papers.diaforge.diaforge_options import DiaforgeOptions
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop
from callwright.papers.diaforge.dialogue_rollout import rollout
from callwright.papers.diaforge.tool_metrics import ToolCounts, tool_counts
from callwright.protocol import EvaluationProtocol
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import parse
from callwright.records.tool import Catalog, Tool
from callwright.records.transcript import Transcript
from recipe_jobs import diaforge_scenario


@cache
def enterprise() -> Catalog:
    """The bundled catalogue."""
    return read(parse(files("callwright").joinpath("data/enterprise.json").read_bytes()), source="enterprise")


@cache
def made(count: int, *, style: str = "verbose", no_tool_share: float = 0.0) -> tuple[Dialogue, ...]:
    """The first `count` dialogues that pass the cascade."""
    workshop = DialogueWorkshop(enterprise(), DiaforgeOptions(user_style=style, no_tool_share=no_tool_share), 5)
    kept: list[Dialogue] = []
    for index in range(3 * count):
        scenario = diaforge_scenario(workshop, index)
        result = asyncio.run(rollout(scenario, Context.detached(scenario.id, seed=5), workshop))
        if not result.issues:
            kept.append(result.dialogue)
        if len(kept) == count:
            return tuple(kept)
    raise AssertionError(f"only {len(kept)} of {3 * count} dialogues were kept")


def tools_of(dialogue: Dialogue) -> tuple[Tool, ...]:
    """The documents a dialogue shows."""
    return shown_tools(dialogue, enterprise().by_key)


def rolled_out(
    model: str, dialogues: Sequence[Dialogue], protocol: EvaluationProtocol, *, seed: int = 3, **options: Any
) -> list[Transcript]:
    """The transcripts of one builtin model."""

    async def one(dialogue: Dialogue) -> Transcript:
        asked = model_factory(model)(dialogue, enterprise().by_key)
        ctx = Context.detached(dialogue.id, seed=seed, models={"model": asked})
        transcript: Transcript = await protocol.rollout(dialogue, tools_of(dialogue), ctx, protocol.options(**options))
        return transcript

    async def all_() -> list[Transcript]:
        return [await one(dialogue) for dialogue in dialogues]

    return asyncio.run(all_())


def counts(dialogues: Sequence[Dialogue], transcripts: Sequence[Transcript]) -> list[ToolCounts]:
    """The counts of each transcript without a fault of the user."""
    return [
        tool_counts(dialogue, transcript, {tool.name: tool for tool in tools_of(dialogue)})
        for dialogue, transcript in zip(dialogues, transcripts, strict=True)
        if not transcript.faults
    ]
