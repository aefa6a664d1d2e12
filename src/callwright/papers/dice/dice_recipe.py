"""The `dice` recipe: a chain of tools, people who each know a part of the calls, their talk, and its checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from callwright import __version__
from callwright.engine.context import Context
from callwright.measure.shape import Statistics, exchange_statistics
from callwright.papers.dice.chat_cascade import REASONS, issues_of
from callwright.papers.dice.chat_orchestrator import moves_of
from callwright.papers.dice.chat_plan import ASSISTANT, VERSION, ChatPlan, ChatPlanner, prepare
from callwright.papers.dice.chat_words import reply, worded
from callwright.papers.dice.dice_options import DiceOptions
from callwright.recipe import Made, Recipe
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Call, Dialogue, Provenance, Step, Task, Turn
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


async def rollout(plan: ChatPlan, ctx: Context, workshop: ChatPlanner) -> Made:
    """Return one dialogue with what the checks find."""
    turns, tasks, firsts = _talk(plan, ctx)
    scenario = plan.scenario
    notes = scenario.annotation
    if not isinstance(notes, DiceNotes):
        raise TypeError("a group chat is planned with its notes")
    rounds = tuple(msgspec.structs.replace(one, first=first) for one, first in zip(notes.rounds, firsts, strict=True))
    dialogue = Dialogue(
        id=scenario.id,
        recipe=VERSION,
        participants=scenario.participants,
        turns=tuple(turns),
        tools=scenario.tools,
        tasks=tuple(tasks),
        scenario=scenario,
        provenance=Provenance(
            author="offline",
            callwright=__version__,
            seed=scenario.seed,
            catalog=workshop.catalog.digest,
            options=encode(msgspec.to_builtins(workshop.options)),
        ),
        today=scenario.today,
        annotation=msgspec.structs.replace(notes, rounds=rounds),
    )
    return Made(dialogue, issues_of(dialogue, workshop.catalog.by_name))


def _talk(plan: ChatPlan, ctx: Context) -> tuple[list[Turn], list[Task], list[int]]:
    """The turns of all rounds, the tasks with their requests, and where each round begins."""
    people = [who.id for who in plan.scenario.participants if who.role == "user"]
    names = {who.id: who.name for who in plan.scenario.participants}
    turns: list[Turn] = []
    tasks: list[Task] = []
    firsts: list[int] = []
    for at, round_ in enumerate(plan.rounds):
        rng = ctx.at(f"round/{at}").rng()
        firsts.append(len(turns))
        last = turns[-2].speaker if turns else ""
        heard = {turn.speaker for turn in turns}
        due = [one for one in people if one not in heard] if at == len(plan.rounds) - 1 else []
        for move in moves_of(round_, people, plan.cell.manner, rng, last=last, due=due):
            said = [turn.text for turn in turns]
            text = worded(move, round_, plan.cell.manner, names, rng, said=said, at=at)
            turns.append(Turn(move.speaker, text, addressee=ASSISTANT if move.act == "request" else move.to))
        tasks.append(msgspec.structs.replace(plan.scenario.tasks[at], turn=len(turns) - 1))
        after = plan.rounds[at + 1] if at + 1 < len(plan.rounds) else None
        call = Call(round_.tool.name, encode(round_.values), id=f"call_{at + 1}")
        step = Step(calls=(call,), results=(msgspec.structs.replace(round_.result, call=call.id),))
        turns.append(Turn(ASSISTANT, reply(round_, after, rng, [turn.text for turn in turns]), (step,)))
    return turns, tasks, firsts


def _statistics(dialogues: Iterable[Dialogue], tools: Mapping[str, Tool]) -> Statistics:
    """Return the usual rows, the cells, and the share of later rounds that use a returned value."""
    found = [(one, one.annotation) for one in dialogues if isinstance(one.annotation, DiceNotes)]
    later = [round_ for _, notes in found for round_ in notes.rounds[1:]]
    used = sum(bool(one.taken) for one in later)
    types = Counter(notes.dialogue_type for _, notes in found)
    lengths = Counter(len(notes.rounds) for _, notes in found)
    rows = (
        ("types", ", ".join(f"{name} {count:,}" for name, count in sorted(types.items())) or "-"),
        ("rounds", ", ".join(f"{number} × {count:,}" for number, count in sorted(lengths.items())) or "-"),
        ("later rounds that use a returned value", f"{used:,} of {len(later):,}"),
    )
    shared = exchange_statistics([one for one, _ in found], tools)
    return Statistics((*shared.rows, *rows), shared.note)


def _planned(plan: ChatPlan) -> frozenset[str]:
    return frozenset(one.tool.key for one in plan.rounds)


RECIPE: Final = Recipe(
    VERSION,
    DiceOptions,
    ChatPlanner,
    rollout,
    prompts=(),
    reasons=REASONS,
    prepare=prepare,
    statistics=_statistics,
    planned_tools=_planned,
    with_personas=True,
)
