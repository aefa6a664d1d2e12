"""Whether a result supplies the identifier that a parameter takes."""

from __future__ import annotations

from callwright.catalog.slots import slots
from callwright.environment.returns import identity_of
from callwright.environment.told_outputs import Output, is_same_thing
from callwright.environment.told_results import is_secret
from callwright.environment.tool_target import own_field, target_of
from callwright.lang.kinds import Kind
from callwright.lang.schemas import name_words, type_of
from callwright.lang.tokens import stem
from callwright.records.jsontext import decode
from callwright.records.tool import Tool

_MISSED: frozenset[Kind] = frozenset(("code", "email", "phone", "url"))
"""Kinds of values that somebody may lack who knows which thing is meant."""


def identifies(source: Tool, output: Output, target: Tool, parameter: str) -> bool:
    """Return whether a field of the result identifies what the parameter takes: the same sort of thing."""
    slot = slots(target)[parameter]
    if (
        slot.kind not in _MISSED
        or is_secret(parameter)
        or type_of(decode(output.schema)) != type_of(target.properties[parameter])
    ):
        return False
    if is_same_thing(slot.kind, output.identity, identity_of(target, parameter)):
        return True
    words = name_words(output.name)
    return len(words) > 1 and words == name_words(parameter)


def is_own_output(source: Tool, output: Output) -> bool:
    """Return whether a field identifies the very thing that the source looks up or lists."""
    target = target_of(source)
    own = own_field([output.name], target.noun)
    about = all(key == "*" or target.is_about(key) for key in output.path[:-1])
    return about and (bool(own) or stem(target.noun) in output.identity[0])
