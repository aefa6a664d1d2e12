"""Faults of the simulated user: what it said that its scenario does not hold (DiaFORGE, section 4.1).

    value_not_gold   a date, code, amount, address or name that is not a gold value of the gold tool
    tool_leak        a tool name or parameter identifier
    goal_drift       words that mean another tool of the pool, and none that mean the gold one

A transcript with a fault is excluded and counted: the model is not to blame for it. The checks stay silent where in
doubt: what the user repeats from the assistant, and the slip of a planned self-correction, are no faults.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from callwright.author.briefs import Known
from callwright.catalog.gloss import gloss
from callwright.papers.diaforge.foreign_values import foreign_values
from callwright.papers.diaforge.goal_drift import drifts_to
from callwright.papers.diaforge.hidden_state import gold_known
from callwright.records.annotation import DiaforgePlan
from callwright.records.dialogue import Dialogue, Scenario, Turn
from callwright.records.tool import Tool
from callwright.records.transcript import UserFault
from callwright.validate.unsayable import is_identifier


def user_faults(dialogue: Dialogue, turns: Sequence[Turn], tools: Sequence[Tool]) -> tuple[UserFault, ...]:
    """Return the faults in the user's turns; none for a dialogue without a scenario.

    `tools` are those the dialogue shows, in its order.
    """
    scenario = dialogue.scenario
    if scenario is None or not isinstance(scenario.annotation, DiaforgePlan):
        return ()
    shown = {tool.key: document for tool, document in zip(dialogue.tools, tools, strict=True)}
    gold = shown.pop(scenario.annotation.gold_tool, None)
    known = gold_known(gold, scenario) if gold is not None else ()
    faults = [*_leaks(dialogue, turns, tools, known)]
    if gold is not None:
        faults += _values(dialogue, scenario, scenario.annotation.corrects, turns, known)
        faults += _drifts(dialogue, turns, gold, tuple(shown.values()), known)
    return tuple(sorted(faults, key=lambda fault: (fault.turn, fault.kind, fault.detail)))


def _leaks(
    dialogue: Dialogue, turns: Sequence[Turn], tools: Sequence[Tool], known: Sequence[Known]
) -> Iterator[UserFault]:
    names = {name for tool in tools for name in (tool.name, *tool.properties) if is_identifier(name)}
    names -= {word for one in known for word in _IDENTIFIER.findall(one.text)}  # a value may be called like that
    for position, turn in _users(dialogue, turns):
        for name in sorted(names.intersection(_IDENTIFIER.findall(turn.text))):
            yield UserFault(position, "tool_leak", f"{name} is said aloud")


_IDENTIFIER = re.compile(r"(?<![\w@.-])[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*")


def _values(
    dialogue: Dialogue, scenario: Scenario, corrects: str, turns: Sequence[Turn], known: Sequence[Known]
) -> Iterator[UserFault]:
    today = date.fromisoformat(scenario.today) if scenario.today else None
    for position, turn in _users(dialogue, turns):
        told = [earlier.text for earlier in turns[:position] if dialogue.role(earlier) == "assistant"]
        for value in foreign_values(turn.text, known, told, today=today, corrects=corrects):
            yield UserFault(position, "value_not_gold", f"{value!r} is not a value of the scenario")


def _drifts(
    dialogue: Dialogue, turns: Sequence[Turn], gold: Tool, others: Sequence[Tool], known: Sequence[Known]
) -> Iterator[UserFault]:
    for position, turn in _users(dialogue, turns):
        for other in others:
            if drifts_to(turn.text, gloss(gold), gloss(other), known):
                yield UserFault(position, "goal_drift", f"the words mean {other.name}")
                break


def _users(dialogue: Dialogue, turns: Sequence[Turn]) -> Iterator[tuple[int, Turn]]:
    return ((position, turn) for position, turn in enumerate(turns) if dialogue.role(turn) == "user")
