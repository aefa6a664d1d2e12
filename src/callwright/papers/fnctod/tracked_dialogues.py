"""Labelled turns as dialogues: after each user turn the assistant calls the function of each domain that changed.

Domains with most changed slots come first. A call holds all that is known of its domain so far; a value that the turn
took back is an empty text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from callwright import __version__
from callwright.papers.fnctod.belief_states import Belief, belief_of, changed_domains, cleared_slots
from callwright.papers.fnctod.domain_functions import parameter_of
from callwright.records.annotations.state_notes import StateNotes, StateTurn
from callwright.records.dialogue import (
    Call,
    Dialogue,
    GoldArgument,
    GoldCall,
    Participant,
    Provenance,
    ShownTool,
    Step,
    Task,
    TaskKind,
    Turn,
)
from callwright.records.jsontext import JsonText, encode
from callwright.records.tool import Tool

PARTICIPANTS: Final = (Participant("user", "user"), Participant("assistant", "assistant"))


class LabelledTurn(NamedTuple):
    """The words of one participant with their labels; only user turns have states."""

    text: str
    labels: StateTurn


def tracked_dialogue(
    name: str, corpus: str, turns: Sequence[LabelledTurn], tools: Mapping[str, Tool], *, goal: JsonText | None = None
) -> Dialogue:
    """Return turns of user and assistant, the user first, as a dialogue; `tools` are by domain."""
    known: Belief = {}
    made: list[Turn] = []
    tasks: list[Task] = []
    for at, (text, labels) in enumerate(turns):
        if at % 2 == 0:
            belief = belief_of(labels.states)
            tasks.append(tracked_task(at, known, belief, tools))
            known = belief
            made.append(Turn("user", text))
        else:
            made.append(Turn("assistant", text, _steps(tasks[-1].gold, at)))
    return Dialogue(
        id=name,
        recipe=f"{corpus}.v1",
        participants=PARTICIPANTS,
        tools=tuple(ShownTool(tool.key, tool.name) for tool in tools.values()),
        turns=tuple(made),
        tasks=tuple(tasks),
        provenance=Provenance(author=corpus, callwright=__version__),
        annotation=StateNotes(turns=tuple(turn.labels for turn in turns), goal=goal),
    )


def tracked_task(at: int, before: Belief, after: Belief, tools: Mapping[str, Tool]) -> Task:
    """Return what the user turn `at` asks for: the calls of the domains that changed."""
    golds = tuple(gold_calls(before, after, tools))
    return Task(_kind(golds), gold=golds, turn=at)


def gold_calls(before: Belief, after: Belief, tools: Mapping[str, Tool]) -> Iterator[GoldCall]:
    """Yield the calls of a turn: domains that changed with all that is known of them, and slots taken back."""
    gone: dict[str, list[str]] = {}
    for domain, slot in cleared_slots(before, after):
        gone.setdefault(domain, []).append(slot)
    changed = sorted(changed_domains(before, after), key=lambda name: -_n_changed(before, after, name))
    for domain in dict.fromkeys((*changed, *gone)):
        if domain in tools:
            values = {**(after[domain] if domain in changed else {}), **dict.fromkeys(gone.get(domain, ()), ("",))}
            yield GoldCall(
                tools[domain].name,
                tuple(
                    GoldArgument(parameter_of(domain, slot), tuple(map(encode, accepted)))
                    for slot, accepted in values.items()
                ),
            )


def _n_changed(before: Belief, after: Belief, domain: str) -> int:
    return len(after[domain].items() - before.get(domain, {}).items())


def _kind(golds: Sequence[GoldCall]) -> TaskKind:
    return "multi" if len(golds) > 1 else "single" if golds else "chat"


def _steps(golds: Sequence[GoldCall], at: int) -> tuple[Step, ...]:
    if not golds:
        return ()
    calls = (Call(gold.tool, encode(gold.values), f"call_{at}_{n}") for n, gold in enumerate(golds, 1))
    return (Step(calls=tuple(calls)),)
