"""Requests to models for one session whose roles they play: expected, from one made offline, and at most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from callwright.author.agent_asking import ASKS
from callwright.author.prompts import Prompts
from callwright.author.role_forms import conversation, long_day, tool_lines
from callwright.papers.wild.move_ways import NATIVE, OBJECT, MoveWay
from callwright.papers.wild.paper import WildOptions
from callwright.papers.wild.session_agents import MOVES, TRIES
from callwright.papers.wild.session_plan import SessionPlanner
from callwright.papers.wild.session_roles import CANDIDATES, MOST_CALLS, RoleView, TaskCandidate, role_request
from callwright.recipe import RoleRequest
from callwright.records.dialogue import Dialogue, Step, Turn
from callwright.records.tool import Tool

_BEFORE: Final = ("author", "checker", "annotator", "user")
"""Roles that are asked once for a task at most."""
_FORM_BYTES: Final = 120
"""Of a reply, beside what it says."""


def most_calls(options: WildOptions) -> int:
    """Return the most replies of one session: every try at every task, each asked for as often as it may be."""
    return options.tasks * TRIES * ASKS * (len(_BEFORE) + MOVES + MOVES * MOST_CALLS)


# The recipe holds functions of modules: those that `functools.partial` makes are not equal in another process.


def asked_object(dialogue: Dialogue, workshop: SessionPlanner, prompts: Prompts) -> Iterator[RoleRequest]:
    """Yield what models would have been asked where the assistant replies with one object."""
    return asked(OBJECT, dialogue, workshop, prompts)


def asked_native(dialogue: Dialogue, workshop: SessionPlanner, prompts: Prompts) -> Iterator[RoleRequest]:
    """Yield what models would have been asked where the assistant calls natively."""
    return asked(NATIVE, dialogue, workshop, prompts)


def asked(way: MoveWay, dialogue: Dialogue, workshop: SessionPlanner, prompts: Prompts) -> Iterator[RoleRequest]:
    """Yield what models would have been asked for a session that rules made, had each task been kept at once."""
    tools = tuple(workshop.catalog.by_key[shown.key] for shown in dialogue.tools)
    bounds = [*(task.turn or 0 for task in dialogue.tasks), len(dialogue.turns)]
    for task, begin, end in zip(dialogue.tasks, bounds, bounds[1:], strict=False):
        view = _view(dialogue, begin, tools)._replace(kind=task.kind)
        text = dialogue.turns[begin].text
        proposed = [TaskCandidate(text)] * CANDIDATES
        yield _one("author", prompts, view, CANDIDATES * len(text))
        yield _one("checker", prompts, view._replace(candidates=proposed), 0)
        calls = sum(len(gold.tool) + sum(len(one.accepted[0]) for one in gold.arguments) for gold in task.gold)
        yield _one("annotator", prompts, view._replace(text=text), calls)
        for at in range(begin + 1, end):
            yield from _turn(way, dialogue, at, tools, prompts)


def _turn(
    way: MoveWay, dialogue: Dialogue, at: int, tools: tuple[Tool, ...], prompts: Prompts
) -> Iterator[RoleRequest]:
    turn = dialogue.turns[at]
    if dialogue.role(turn) == "user":
        yield _one("user", prompts, _view(dialogue, at, ()), len(turn.text) - _FORM_BYTES)
        return
    for number in range(len(turn.steps) + 1):
        begun = Turn("assistant", steps=turn.steps[:number])
        held = msgspec.structs.replace(dialogue, turns=(*dialogue.turns[:at], begun))
        step = turn.steps[number] if number < len(turn.steps) else Step(text=turn.text)
        said = len(step.text) + sum(len(call.arguments) for call in step.calls)
        yield RoleRequest("assistant", way.request(prompts, held, tools), said + _FORM_BYTES)
        for call, result in zip(step.calls, step.results, strict=True):
            returned = _view(held, at + 1, tools)._replace(call=f"{call.tool} {call.arguments}")
            yield _one("tools", prompts, returned, len(result.value or ""))


def _view(dialogue: Dialogue, end: int, tools: tuple[Tool, ...]) -> RoleView:
    before = msgspec.structs.replace(dialogue, turns=dialogue.turns[:end])
    persona, shown = dialogue.participants[0], tool_lines(tools, returns=True)
    return RoleView(shown, conversation(before), long_day(dialogue.today), persona=persona)


def _one(role: str, prompts: Prompts, view: RoleView, said: int) -> RoleRequest:
    return RoleRequest(role, role_request(role, prompts, view), said + _FORM_BYTES)
