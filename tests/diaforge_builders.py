"""Offline `diaforge` dialogues over the bundled catalogue, made once and shared by the tests of all parts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from functools import cache
from importlib.resources import files
from random import Random

import msgspec

from callwright.author.briefs import Style, known_values
from callwright.author.value_drawing import draw_values
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.engine.context import Context
from callwright.errors import RolloutFailed
from callwright.formats import catalog as catalogs
from callwright.lang.tokens import words
from callwright.papers.diaforge.diaforge_options import DiaforgeOptions
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop
from callwright.papers.diaforge.dialogue_rollout import rollout
from callwright.papers.diaforge.opening_request import plain_request, vague_requests
from callwright.papers.diaforge.user_policy import UserState
from callwright.recipe import Made
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.jsontext import encode, parse
from callwright.records.tool import Catalog, Tool
from recipe_jobs import diaforge_scenario

N = 1000
SEED = 7
TODAY = "2026-11-02"


@cache
def bundled() -> Catalog:
    """The bundled catalogue."""
    text = files("callwright").joinpath("data/enterprise.json").read_bytes()
    return catalogs.read(parse(text, where="enterprise"), source="builtin/enterprise")


@cache
def workshop() -> DialogueWorkshop:
    """A workshop of the bundled catalogue."""
    return DialogueWorkshop(bundled(), DiaforgeOptions(), SEED)


def make(shop: DialogueWorkshop, indices: Sequence[int]) -> list[Made]:
    """Roll out some items of a workshop, one after another; those that fail are left out."""

    async def all_of_them() -> list[Made]:
        made = []
        for index in indices:
            scenario = diaforge_scenario(shop, index)
            with suppress(RolloutFailed):
                made.append(await rollout(scenario, Context.detached(scenario.id, seed=shop.seed), shop))
        return made

    return asyncio.run(all_of_them())


def planned(n: int = N, options: DiaforgeOptions = DiaforgeOptions(), seed: int = SEED) -> tuple[Made, ...]:  # noqa: B008
    """The first `n` rollouts, kept and rejected; made once."""
    return _planned(n, options, seed)


@cache
def _planned(n: int, options: DiaforgeOptions, seed: int) -> tuple[Made, ...]:
    return tuple(make(DialogueWorkshop(bundled(), options, seed), range(n)))


def kept(n: int = N, options: DiaforgeOptions = DiaforgeOptions(), seed: int = SEED) -> tuple[Dialogue, ...]:  # noqa: B008
    """The dialogues kept of the first `n` planned."""
    dialogues = tuple(made.dialogue for made in planned(n, options, seed) if not made.issues)
    assert dialogues
    return dialogues


def kept_turns() -> list[Turn]:
    """The turns of all dialogues kept."""
    turns = [turn for dialogue in kept() for turn in dialogue.turns]
    assert turns
    return turns


def tools_of(dialogue: Dialogue) -> dict[str, Tool]:
    """The documents of a dialogue's tools by shown name, with the seed tool's."""
    shown = {tool.name: bundled().by_key[tool.key] for tool in dialogue.tools}
    return shown | {gold.tool: bundled().by_name[gold.tool] for task in dialogue.tasks for gold in task.gold}


def notes_of(dialogue: Dialogue) -> DiaforgeNotes:
    """The notes of a finished dialogue."""
    assert isinstance(dialogue.annotation, DiaforgeNotes)
    return dialogue.annotation


def with_turn(dialogue: Dialogue, position: int, turn: Turn) -> Dialogue:
    """The dialogue with one turn replaced."""
    turns = (*dialogue.turns[:position], turn, *dialogue.turns[position + 1 :])
    return msgspec.structs.replace(dialogue, turns=turns)


def with_text(dialogue: Dialogue, position: int, text: str) -> Dialogue:
    """The dialogue with one turn saying something else."""
    return with_turn(dialogue, position, msgspec.structs.replace(dialogue.turns[position], text=text))


def with_arguments(dialogue: Dialogue, values: dict[str, object]) -> Dialogue:
    """The dialogue with other arguments in its last turn's calls."""
    last = dialogue.turns[-1]
    steps = tuple(
        msgspec.structs.replace(
            step, calls=tuple(msgspec.structs.replace(call, arguments=encode(values)) for call in step.calls)
        )
        for step in last.steps
    )
    return with_turn(dialogue, len(dialogue.turns) - 1, msgspec.structs.replace(last, steps=steps))


def user_texts(dialogue: Dialogue) -> list[str]:
    """What the user says, turn by turn."""
    return [turn.text for turn in dialogue.turns if dialogue.role(turn) == "user"]


def assistant_texts(dialogue: Dialogue) -> list[str]:
    """What the assistant says, turn by turn."""
    return [turn.text for turn in dialogue.turns if dialogue.role(turn) == "assistant"]


def word_runs(text: str, length: int) -> set[tuple[str, ...]]:
    """Every run of `length` words of a text."""
    said = words(text)
    return {tuple(said[at : at + length]) for at in range(len(said) - length + 1)}


def user_of_tool(name: str, *, seed: int = 0, style: Style = "verbose", tone: str = "plain") -> UserState:
    """A user who wants a bundled tool, before the first word, with drawn gold values and the five nearest as rivals."""
    shop = workshop()
    tool = bundled().by_name[name]
    near = [shop.tools[neighbour.index] for neighbour in shop.near[shop.position[tool.key]][:5]]
    persona = shop.personas[seed % len(shop.personas)]
    spare = [path for path in slots(tool) if path not in tool.required]
    values = draw_values(Random(seed), tool, persona, today=date.fromisoformat(TODAY), also=spare[::2])
    found = vague_requests(gloss(tool), [gloss(other) for other in near])
    return UserState(
        gold=gloss(tool),
        others=tuple(gloss(other) for other in near),
        known=known_values(tool, values),
        request=found[0] if found else plain_request(gloss(tool)),
        style=style,
        tone=tone,
        today=TODAY,
        persona=persona.text,
    )
