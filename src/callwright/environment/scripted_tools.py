"""`builtin/author` in the role of the tools: a result drawn from what a prompt shows, with the fields that it fixes.

Prompts have these lines: `Today: ...`, the documents under `The tools, one on each line:`, what was said and returned
under `The conversation:`, what is fixed under `Fixed:`, and `The call: NAME ARGUMENTS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

import msgspec

from callwright.author.prompts import fields, listed_under
from callwright.environment.fixed_fields import laid_on, read_fixed
from callwright.environment.returns import with_returns
from callwright.environment.tool_world import ToolWorld
from callwright.errors import BadDocument
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, encode, parse
from callwright.records.persona import Persona
from callwright.records.tool import Catalog, Tool

SOMEONE: Final = Persona(id="", name="Kim Sato", job="clerk")
SOME_DAY: Final = date(2025, 3, 3)
_TALK: Final = "\nThe conversation:\n"
_TOOLS: Final = "\nThe tools, one on each line:\n"
CALLS: Final = "Assistant calls "
RETURNED: Final = " returned "


def scripted_result(asked: str) -> dict[str, Json] | None:
    """Return the result that a prompt asks for, as `{"result": ...}`; None where it asks for something else."""
    if not asked.endswith("\nThe result:"):
        return None
    name, arguments = _call(fields(asked).get("The call", ""))
    tools = {tool.name: tool for tool in shown_tools(asked)}
    fixed = [read_fixed(line) for line in listed_under(asked, "Fixed")]
    world = ToolWorld(seed=0, item=name, today=shown_day(asked), persona=SOMEONE, tools=tuple(tools.values()))
    _keep_returned(world, tools, shown_talk(asked) if fixed else ())
    result = world.call(tools[name], arguments)
    value = None if result.value is None else parse(result.value)
    return {"result": laid_on(value, fixed)}


def _keep_returned(world: ToolWorld, tools: dict[str, Tool], talk: Sequence[str]) -> None:
    """Have the world remember the calls of a conversation."""
    calls = [_call(line.removeprefix(CALLS)) for line in talk if line.startswith(CALLS)]
    results = [line.partition(RETURNED) for line in talk if line.partition(RETURNED)[0] in tools]
    for (name, arguments), (_, _, value) in zip(calls, results, strict=False):
        if name in tools:
            world.keep(tools[name], arguments, Result(value=encode(parse(value))))


def _call(text: str) -> tuple[str, dict[str, Json]]:
    name, _, arguments = text.partition(" ")
    given = parse(arguments)
    return name, given if isinstance(given, dict) else {}


# -- what the prompts show -------------------------------------------------------------------------------------------


def shown_tools(asked: str) -> list[Tool]:
    """Return the tools whose documents a prompt shows."""
    lines = f"\n{asked}".partition(_TOOLS)[2].partition(_TALK)[0].splitlines()
    return [tool for line in lines if (tool := _shown(line))]


def _shown(line: str) -> Tool | None:
    try:
        match parse(line):
            case {"name": str(name), "description": str(said), "parameters": dict(parameters), **more}:
                tool = Tool(name=name, description=said, parameters=encode(parameters))
                if "returns" in more:
                    return msgspec.structs.replace(tool, returns=encode(more["returns"]), returns_inferred=True)
                return with_returns(Catalog(tools=(tool,))).tools[0]
    except BadDocument:
        pass
    return None


def shown_talk(asked: str) -> list[str]:
    """Return the conversation of a prompt, line by line."""
    return asked.partition(_TALK)[2].partition("\n\n")[0].splitlines()


def shown_day(asked: str) -> date:
    """Return the day of a prompt; some day where it has none."""
    try:
        return date.fromisoformat(fields(asked).get("Today", "").rpartition(", ")[2])
    except ValueError:
        return SOME_DAY
