"""The parameters of a tool that a user is asked for, by what holds their values at the top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from callwright.author.briefs import known_values
from callwright.author.wanted import wanted_parameters
from callwright.catalog.slots import Slot, slots, tool_leaves
from callwright.environment.told_outputs import takes_same
from callwright.lang.surface import mentions
from callwright.records.dialogue_state import ApiState, ParameterValue
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def parameters(tool: Tool) -> tuple[str, ...]:
    """Return the top-level parameters that a user has values for."""
    return tuple(dict.fromkeys(_owner(tool, path) for path in wanted_parameters(tool)))


def is_flat(tool: Tool) -> bool:
    """Return whether each argument of a call is one value that a user says: no object, and nothing that is fixed."""
    known = tool_leaves(tool)
    said = [known[path] for path in wanted_parameters(tool) if path in known]
    fixed = any(leaf.is_fixed and all(leaf.needed) for leaf in known.values())
    return not fixed and all(len(leaf.steps) == 1 and leaf.schema.get("type") != "object" for leaf in said)


def _owner(tool: Tool, path: str) -> str:
    """The top-level parameter that a value lies in; names may have dots themselves."""
    leaf = tool_leaves(tool).get(path)
    return path if leaf is None else str(leaf.steps[0])


def asked_slots(tool: Tool, names: Sequence[str]) -> tuple[Slot, ...]:
    """Return the slots of the values that these parameters hold, as they are asked for."""
    return tuple(slots(tool)[path] for path in wanted_parameters(tool) if _owner(tool, path) in names)


@lru_cache(maxsize=65536)
def shared_parameters(target: Tool, source: Tool) -> tuple[tuple[str, str], ...]:
    """Return the pairs of parameters of two tools that take one thing."""
    pairs = ((mine, theirs) for mine in parameters(target) for theirs in parameters(source))
    return tuple((mine, theirs) for mine, theirs in pairs if _is_same(target, mine, source, theirs))


def _is_same(target: Tool, mine: str, source: Tool, theirs: str) -> bool:
    """Whether both take one thing under one name or noun: `contact_id`, and the `id` of `/contacts/{id}/companies`."""
    if mine not in slots(target) or theirs not in slots(source):
        return False
    is_named = mine.lower() == theirs.lower() or slots(target)[mine].noun.text == slots(source)[theirs].noun.text
    return is_named and takes_same(target, mine, source, theirs)


def has_twins(values: Mapping[str, Json]) -> bool:
    """Return whether two parameters have one value: who says it for one may seem to say it for the other."""
    told = [encode(one) for one in values.values() if not isinstance(one, bool)]
    return len(set(told)) < len(told)


def is_overheard(tools: Sequence[Tool], values: Mapping[str, Json], *, about: str = "") -> bool:
    """Return whether a value of the first tool is a word of what the tools ask for: `file` of `file key`.

    `about` are words that are said besides.
    """
    nouns = "; ".join(slot.noun.text for tool in tools for slot in asked_slots(tool, parameters(tool)))
    plain = (one for one in known_values(tools[0], dict(values)) if isinstance(one.value, str))
    return any(mentions(f"{nouns}; {about}", one.value, one.slot.kind, today=None) for one in plain)


def api_state(tool: Tool, values: Mapping[str, Json], known: set[str]) -> ApiState:
    """Return the state that aims at a tool: values that are known, or that the schema fixes; the others empty texts."""
    fixed = values.keys() - set(parameters(tool))
    shown = {name: values[name] for name in values if name in known or name in fixed}
    filled = {name: encode(shown.get(name, "")) for name in tool.properties}
    optional = (name for name in tool.properties if name not in tool.required)
    return ApiState(
        api=tool.name,
        required=tuple(ParameterValue(name, filled[name]) for name in tool.required),
        optional=tuple(ParameterValue(name, filled[name]) for name in optional),
    )
