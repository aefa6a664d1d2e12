"""Finds a tool that can replace another: the same action on the same object, with the given values."""

from __future__ import annotations

from collections.abc import Iterable

from callwright.catalog.slots import slots
from callwright.environment.returns import action_of, identity_of
from callwright.lang.tokens import content_stems, stem_set
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.records.tool import Tool

_QUALIFIERS = stem_set(
    "get detail info information data list result specific current real time latest english geographical global "
    "globally worldwide condition market"
)
"""Words that can be dropped from an object without changing its meaning for the user."""
_ALTERS = CREATES | CHANGES


def stand_in(tool: Tool, other: Tool, given: Iterable[str]) -> dict[str, str] | None:
    """Return the parameter of `other` for each `given` parameter of `tool`; None if it cannot replace `tool`.

    It can if both have the same action and object, and `other` requires no further parameter.
    """
    if not _does_the_same(tool, other):
        return None
    taken: dict[str, str] = {}
    for name in given:
        free = [one for one in other.properties if one not in taken.values()]
        twin = next((one for one in free if _is_twin(tool, name, other, one)), None)
        if twin is None:
            return None
        taken[name] = twin
    return taken if set(other.required) <= set(taken.values()) else None


def _does_the_same(tool: Tool, other: Tool) -> bool:
    thing, theirs = _thing(tool), _thing(other)
    verbs = [asked_gloss(one).verb.partition(" ")[0] for one in (tool, other)]
    looks = all(verb in LOOKUPS for verb in verbs) and not any(action_of(one)[0] in _ALTERS for one in (tool, other))
    return bool(thing) and thing == theirs and (looks or verbs[0] == verbs[1])


def _thing(tool: Tool) -> frozenset[str]:
    return frozenset(content_stems(asked_gloss(tool).object)) - _QUALIFIERS


def _is_twin(tool: Tool, name: str, other: Tool, theirs: str) -> bool:
    same = name == theirs or identity_of(tool, name) == identity_of(other, theirs)
    return same and slots(tool)[name].kind == slots(other)[theirs].kind
