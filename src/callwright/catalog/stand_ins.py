"""Which tool can do what another was asked for: the same action on the same thing, with the values that were said."""

from __future__ import annotations

from collections.abc import Iterable

from callwright.catalog.asked import asked_gloss
from callwright.catalog.returns import CHANGES, CREATES, LOOKUPS, action_of, identity_of
from callwright.catalog.slots import slots
from callwright.lang.tokens import content_stems, stem_set
from callwright.records.tool import Tool

_QUALIFIERS = stem_set(
    "get detail info information data list result specific current real time latest english geographical global "
    "globally worldwide condition market"
)
"""Words of a thing without which it is still the same thing to who asks for it."""
_ALTERS = CREATES | CHANGES


def stand_in(tool: Tool, other: Tool, given: Iterable[str]) -> dict[str, str] | None:
    """Return the parameter of `other` for each of those `given` of `tool`; None where it cannot do the same.

    It can where both do the same to the same thing and `other` requires nothing beyond what is given.
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
