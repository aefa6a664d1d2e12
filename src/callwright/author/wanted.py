"""Which parameters a user has a value for: the required ones, and what the act makes no sense without.

Real documents often require nothing. Nobody deletes "a reminder" without saying which, or updates a folder without
saying what shall be new; a dialogue that ends in such a call would teach the wrong thing.
"""

from __future__ import annotations

from functools import lru_cache

from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, slots
from callwright.lang.tokens import content_stems, identifier_words, stem
from callwright.records.tool import Tool

_MOST_IDENTIFIERS = 2
_CHANGES = frozenset("update change edit set modify rename correct adjust".split())
_WHOLE_LISTS = frozenset("list search find show count".split())
_SETTINGS = frozenset("limit offset page marker cursor fields sort direction order locale token version".split())
_NEW_VALUES = frozenset(("title", "text", "enum", "date", "datetime", "count", "money", "email", "city", "number"))


@lru_cache(maxsize=65536)
def wanted_parameters(tool: Tool) -> tuple[str, ...]:
    """Return the parameters that get a gold value, required ones first.

    Where nothing is required, up to two identifiers of the thing the act is about join; an update of which only
    identifiers are known gets one new value.
    """
    by_name = slots(tool)
    wanted = list(tool.required)
    optional = [slot for name, slot in by_name.items() if name not in wanted and not _is_setting(slot)]
    verb = gloss(tool).verb.split(" ")[0]
    if not wanted and verb not in _WHOLE_LISTS:
        wanted += [slot.name for slot in optional if _identifies(slot, tool)][:_MOST_IDENTIFIERS]
    if verb in _CHANGES and all(by_name[name].kind == "code" for name in wanted):
        wanted += [slot.name for slot in optional if slot.kind in _NEW_VALUES and slot.name not in wanted][:1]
    return tuple(wanted)


def _is_setting(slot: Slot) -> bool:
    return not _SETTINGS.isdisjoint(identifier_words(slot.name))


def _identifies(slot: Slot, tool: Tool) -> bool:
    """Whether the parameter names the thing that the tool acts on."""
    words = {stem(word) for word in identifier_words(slot.name)} | set(content_stems(slot.noun.text))
    return slot.kind in ("code", "title", "person", "email") and not words.isdisjoint(gloss(tool).object_stems)
