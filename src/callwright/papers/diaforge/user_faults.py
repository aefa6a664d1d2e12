"""Faults of the simulated user: what it said that its scenario does not hold (DiaFORGE, section 4.1).

    value_not_gold   a date, code, amount, address or name that is not a gold value of the gold tool
    tool_leak        a tool name or parameter identifier
    goal_drift       words that mean another tool of the pool, and none that mean the gold one

A transcript with a fault is excluded and counted: the model is not to blame for it. In doubt there is
no fault: the user may repeat what the assistant said, and make the slip of a planned self-correction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from callwright.author.briefs import Known
from callwright.papers.diaforge.foreign_values import foreign_values
from callwright.papers.diaforge.goal_drift import drifting
from callwright.papers.diaforge.said_in_groups import as_written
from callwright.papers.diaforge.user_policy import gold_known, plan_behind
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.tool import Tool
from callwright.records.transcript import UserFault
from callwright.validate.unsayable import is_identifier


def user_faults(dialogue: Dialogue, turns: Sequence[Turn], tools: Sequence[Tool]) -> tuple[UserFault, ...]:
    """Return the faults in the user's turns; none for a dialogue without a scenario.

    `tools` are those the dialogue shows, in its order.
    """
    scenario, plan = dialogue.scenario, plan_behind(dialogue)
    if scenario is None or plan is None:
        return ()
    users = {position: turn.text for position, turn in enumerate(turns) if dialogue.role(turn) == "user"}
    shown = {tool.key: document for tool, document in zip(dialogue.tools, tools, strict=True)}
    gold = shown.pop(plan.gold_tool, None)
    known = gold_known(gold, scenario.tasks) if gold is not None else ()
    users = {position: as_written(text, known) for position, text in users.items()}
    faults = [*_leaks(users, tools, known)]
    if gold is not None:
        assistant = {position: turn.text for position, turn in enumerate(turns) if dialogue.role(turn) == "assistant"}
        faults += _values(users, assistant, known, today=scenario.today, corrects=plan.corrects)
        drifts = drifting(users, gold, tuple(shown.values()), known)
        faults += [UserFault(position, "goal_drift", f"the words mean {meant}") for position, meant in drifts]
    return tuple(sorted(faults, key=lambda fault: (fault.turn, fault.kind, fault.detail)))


def _leaks(users: Mapping[int, str], tools: Sequence[Tool], known: Sequence[Known]) -> Iterator[UserFault]:
    names = {name for tool in tools for name in (tool.name, *tool.properties) if is_identifier(name)}
    names -= {word for one in known for word in _IDENTIFIER.findall(one.text)}  # a value may be called like that
    for position, text in users.items():
        for name in sorted(names.intersection(_IDENTIFIER.findall(text))):
            yield UserFault(position, "tool_leak", f"{name} is said aloud")


_IDENTIFIER = re.compile(r"(?<![\w@.-])[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*")


def _values(
    users: Mapping[int, str], assistant: Mapping[int, str], known: Sequence[Known], *, today: str, corrects: str
) -> Iterator[UserFault]:
    day = date.fromisoformat(today) if today else None
    for position, text in users.items():
        told = [earlier for at, earlier in assistant.items() if at < position]
        for value in foreign_values(text, known, told, today=day, corrects=corrects):
            yield UserFault(position, "value_not_gold", f"{value!r} is not a value of the scenario")
