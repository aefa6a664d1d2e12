"""The values that a user has in mind: those that a call needs, and those without which the act has no sense.

Real documents often require nothing. Nobody deletes "a reminder" without saying which, updates a folder without saying
what shall be new, or searches for nothing; a dialogue that ends in such a call would teach the wrong thing.
"""

from __future__ import annotations

from functools import lru_cache

from callwright.author.alternatives import one_of_each
from callwright.author.mention_order import (
    MAKES,
    NAMES_OF_PEOPLE,
    NAMING_WORDS,
    NEVER,
    SETTING,
    TELLING,
    label_words,
    mention_rank,
)
from callwright.author.required_values import required_paths
from callwright.author.sent_places import ENDS_ACTS, PLACE_IN_PATH, is_write, outside_body
from callwright.author.spare_values import spare_slots
from callwright.author.wished_values import (
    JOINS,
    MOST_REQUIRED,
    counted_things,
    identifiers_beside,
    identifies_thing,
    is_changed_value,
    is_joined,
    is_named_in_act,
    is_own_id,
    is_said_aloud,
    is_said_to_be_required,
)
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, slots
from callwright.lang.kinds import Kind
from callwright.lang.verbs_of_acts import CHANGES, CREATES, SEARCHES
from callwright.records.tool import Tool

_MOST_IDENTIFIERS = 2
_MOST_NEW = 2
"""Most optional values of a write."""
LISTS = frozenset(("list", "show", "count"))
ALTERS = frozenset("update edit modify change replace rename".split())
"""Acts that have no sense where nothing can be sent with them."""


@lru_cache(maxsize=65536)
def wanted_parameters(tool: Tool) -> tuple[str, ...]:
    """Return the paths of the values that a gold call has, required ones first.

    Where nothing is required, up to two identifiers of the thing the act is about join. A write of which only
    identifiers are known gets what a person would mention first, and so does a search.
    """
    by_path = slots(tool)
    wanted = list(required_paths(tool))
    spare = spare_slots(tool, wanted)
    verb = gloss(tool).act
    is_search = verb in SEARCHES - LISTS and not tool.source.endswith("}")
    is_new = verb in MAKES and "existing" not in tool.description.split(". ")[0]
    if verb in ALTERS and "{" not in tool.source and not any(by_path[path].kind == "code" for path in wanted):
        wanted += [slot.name for slot in slots(tool).values() if is_own_id(slot, tool)][:1]
    if not wanted and not is_new:
        named = [slot.name for slot in spare if is_named_in_act(slot, tool)][:1]
        identifying = [slot.name for slot in spare if verb not in LISTS and identifies_thing(slot, tool)]
        wanted += (named if is_write(tool) is False or not identifying else []) or identifying[:_MOST_IDENTIFIERS]
    if verb in JOINS and is_write(tool):
        wanted += [slot.name for slot in spare if slot.name not in wanted and is_joined(slot, tool, wanted)][:1]
    outside = frozenset(PLACE_IN_PATH.findall(tool.source)) if is_search else outside_body(tool)
    inside = [slot for path in wanted if path not in outside and mention_rank(slot := by_path[path], tool) < SETTING]
    if not inside if is_search else is_write(tool) and not _has_content(inside, verb):
        is_due = not wanted or (verb not in ENDS_ACTS and (not inside or verb in CHANGES))
        more = [slot for slot in spare if slot.name not in (*wanted, *outside)]
        last = NEVER if verb in CREATES | CHANGES else SETTING
        more = [slot for slot in more if mention_rank(slot, tool) < (last if is_due else TELLING)]
        most = 1 if is_search or verb in CHANGES or " either " in tool.description else _MOST_NEW
        wanted += [one.name for one in more[:1]]
        heads = {label_words(one)[-1:] for one in more[:1] if label_words(one)[-2:] not in NAMES_OF_PEOPLE}
        wanted += [
            one.name for one in more[1:most] if mention_rank(one, tool) < TELLING and label_words(one)[-1:] not in heads
        ]
        wanted += counted_things(tool, wanted, spare)
    elif is_write(tool) and not any(slot.kind == "text" for slot in inside):
        wanted += [slot.name for slot in spare if is_said_aloud(slot)][:1]
    wanted += [slot.name for slot in spare if slot.name not in wanted and is_said_to_be_required(slot)][:MOST_REQUIRED]
    wanted += [
        path for path in identifiers_beside(tool, (*wanted, *required_paths(tool, wanted))) if path not in wanted
    ]
    if is_write(tool) and verb in CHANGES - ENDS_ACTS:
        wanted += [slot.name for slot in spare if slot.name not in wanted and is_changed_value(slot, tool)][:1]
    wanted = one_of_each(tool, wanted)
    return tuple(dict.fromkeys((*wanted, *required_paths(tool, wanted))))


def _has_content(inside: list[Slot], verb: str) -> bool:
    """Whether something is known beside which thing is meant; a link of two things is content, and a thing to end."""
    if any(slot.kind not in _REFERENCES or NAMING_WORDS.issuperset(label_words(slot)[-1:]) for slot in inside):
        return True
    return len(inside) > (verb not in ENDS_ACTS) + (verb in CHANGES)


_REFERENCES: frozenset[Kind] = frozenset(("code", "title", "person", "email", "city"))
"""Kinds of values that say which thing is meant, unless the parameter is a name to be given."""
