"""What rules find in a result that a model returned in place of a tool, and what was called and returned before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from callwright.author.agent_asking import TurnFault
from callwright.author.placeholders import placeholder_in
from callwright.environment.fixed_fields import FixedField, fixed_faults, leaves_of
from callwright.environment.tool_target import own_field, target_of
from callwright.match.schema import returns_issue
from callwright.records.dialogue import Call, Dialogue, Result
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

_LONGEST: Final = 4_000
"""Characters of a result that takes the place of a shorter one."""


def made_calls(dialogue: Dialogue) -> Iterator[tuple[Call, Result]]:
    """Yield every call of a dialogue with its result, in order."""
    for step in (step for turn in dialogue.turns for step in turn.steps):
        yield from zip(step.calls, step.results, strict=False)


def nodes_of(value: Json) -> Iterator[Json]:
    """Yield a value and all values in it."""
    yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inner:
        yield from nodes_of(one)


def value_of(result: Result) -> Json:
    """Return what a call returned; None for an error."""
    return None if result.value is None else decode(result.value)


_REMAKES: Final = frozenset("clone convert copy duplicate fork promote split transform translate turn".split())
"""Verbs of calls whose result is another thing than the one that the call names: a ticket made of a conversation."""


def result_faults(value: Json, call: Call, tools: Mapping[str, Tool], dialogue: Dialogue) -> Iterator[TurnFault]:
    """Yield what is wrong with a result: its schema, the call, and what earlier results tell of the same thing.

    A thing may be otherwise once a call has created, changed or deleted something since.
    """
    tool = tools[call.tool]
    if misfit := returns_issue(value, tool):
        why = f"the result does not fit the schema of what {tool.name} returns: {misfit}"
        yield TurnFault("result_unlike_schema", why)
    own, is_another = target_of(tool).own, target_of(tool).verb in _REMAKES
    asked = call.values.get(own)
    if own in call.values and not is_another and isinstance(value, dict) and str(value.get(own, asked)) != str(asked):
        yield TurnFault("result_contradicts", f"{own} is {encode(value[own])}, but the call asks for another one")
    for earlier, told in still_true(dialogue, tools) if target_of(tool).act == "read" else ():
        before = _things(value_of(told), tools[earlier.tool])
        for own, one in _things(value, tool):
            same = (other for field, other in before if own and field in ("", own) and other.get(own) == one[own])
            for fault in filter(None, (_contradiction(one, other) for other in same)):
                yield TurnFault("result_contradicts", f"{own} {encode(one[own])}: {fault}")


def replacing_faults(
    value: Json,
    planned: Json,
    fixed: Sequence[FixedField],
    call: Call,
    tools: Mapping[str, Tool],
    dialogue: Dialogue,
) -> Iterator[TurnFault]:
    """Yield what is wrong with a result in place of the planned one; what the planned one has too is none."""
    usual = set(result_faults(planned, call, tools, dialogue))
    yield from (fault for fault in result_faults(value, call, tools, dialogue) if fault not in usual)
    for told in fixed_faults(fixed, value):
        yield TurnFault("result_contradicts", told)
    for path, leaf in leaves_of(value):
        if isinstance(leaf, str) and (left := placeholder_in(leaf)) and left not in encode(planned):
            yield TurnFault("placeholder_left", f"{path}: {left!r} stands in place of a value")
    most = max(_LONGEST, 2 * len(encode(planned)))
    if len(encode(value)) > most:
        yield TurnFault("result_too_long", f"the result has {len(encode(value)):,} characters; at most {most:,}")


def still_true(dialogue: Dialogue, tools: Mapping[str, Tool]) -> list[tuple[Call, Result]]:
    """Return the calls since the last one that may have changed something, that one among them, with their results."""
    found: list[tuple[Call, Result]] = []
    for call, result in made_calls(dialogue):
        is_reading = target_of(tools[call.tool]).act == "read"
        found = [*(found if is_reading else ()), (call, result)]
    return found


def _things(value: Json, tool: Tool) -> list[tuple[str, dict[str, Json]]]:
    """The objects of a result, each with its field that identifies it, if any; an owner's field identifies nothing."""
    found = (node for node in nodes_of(value) if isinstance(node, dict))
    return [(own_field(node, target_of(tool).noun), node) for node in found]


def _contradiction(one: dict[str, Json], other: dict[str, Json]) -> str:
    """What two results tell otherwise of the same thing; empty for nothing."""
    names = (name for name in sorted(one.keys() & other.keys()) if not isinstance(one[name], dict | list))
    differing = next((name for name in names if one[name] != other[name]), "")
    return f"{differing} was {encode(other[differing])} before and is {encode(one[differing])}" if differing else ""
