"""Which things a list shows: none that is gone or otherwise than asked for, and those that the session knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import cycle
from random import Random

from callwright.environment.call_keys import address_of, segment_of
from callwright.environment.echoes import Words
from callwright.environment.membership import collection_of, filters_of, lists_all
from callwright.environment.told_counts import told_number
from callwright.environment.tool_target import ToolTarget, target_of
from callwright.environment.world_memory import IDENTIFIED, CreatedThing, WorldMemory
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words
from callwright.lang.tokens import stem
from callwright.lang.verbs_of_acts import CHECKS, LOOKUPS, SEARCHES
from callwright.records.jsontext import Json
from callwright.records.tool import Tool


def choose(
    memory: WorldMemory,
    rng: Random,
    items: list[Json],
    tool: Tool,
    arguments: Mapping[str, Json],
    asked: Mapping[Words, Json],
) -> list[CreatedThing]:
    """Cut a drawn list to what is shown: nothing that is gone or known to be otherwise, and room for what was
    created, which stands at the end."""
    target = target_of(tool)
    held = [one for one in items if isinstance(one, dict)]
    own = memory.own_field(held[0], target.noun) if held else ""
    above = address_of(tool, arguments)
    most = min((rng.randint(*_SHOWN), *most_asked(arguments)))
    if target.act in ("create", "change", "delete"):
        given = [one for one in arguments.values() if isinstance(one, list) and one and isinstance(one[0], dict)]
        items[:] = items[: len(given[0]) if given else 1]
        return []
    if _is_act(tool, target):
        items[:] = items[: max((len(one) for one in arguments.values() if isinstance(one, list)), default=1) or 1]
        return []
    kept = [one for one in items if not isinstance(one, dict) or memory.is_shown(str(one.get(own)), above, asked)]
    kept.sort(key=lambda one: isinstance(one, dict) and memory.is_namesake(target.noun, one, arguments))
    is_below_new = memory.is_below_new(arguments.values())
    above_it = {words: one for words, one in asked.items() if words[-1:] in IDENTIFIED or words[-1:] == ("key",)}
    read = [one for one in memory.read if memory.is_in(one.key, above_it)] if target.act == "list" else []
    collection = collection_of(tool, arguments)
    there = memory.members.of(collection) if target.act == "list" else {}
    filters = {} if memory.members.is_whole(collection) else filters_of(tool, arguments)
    told = {name_words(name): one for name, one in filters.items()}
    found = [key for key in there if key in memory.things and memory.is_told(key, told)]
    found += [key for key in there if key not in found and memory.members.is_found(collection, key, filters)]
    members = [CreatedThing(target.noun, name_words(own), key, "") for key in found if key in memory.things]
    created = [one for one in memory.created if memory.is_below(one.key, above_it)]
    waiting = [
        one for one in (*read, *created) if one.key not in there and _is_such(one, target.noun, own, segment_of(tool))
    ]
    unnamed = memory.unnamed.get(collection, ()) if held and not filters and target.act == "list" else ()
    waiting = [*([*members, *waiting] if own else ()), *unnamed]
    made = [one for one in waiting if memory.is_shown(one.key, above, asked) and memory.is_found(one.key, asked)]
    if kept and len(made) > len(kept):  # what is known of them is laid over
        kept += [deepcopy(one) for one, _ in zip(cycle(kept), made[len(kept) :], strict=False)]
    most = min((max(most, len(made)), len(kept), *most_asked(arguments)))
    made = made[-most:] if most else []
    is_whole = is_below_new or memory.members.is_whole(collection)
    number = told_number(collection, memory.things, memory.empty) if collection and not is_whole else -1
    if is_whole or number == 0:  # nothing is there but what was told or put there
        most = len(made)
    elif number > 0 and lists_all(tool, arguments):
        most = max(min(number, len(kept), *most_asked(arguments)), len(made))
    items[:] = _in_places(kept, own, made, most)
    return made


def _in_places(drawn: Sequence[Json], own: str, made: Sequence[CreatedThing], most: int) -> list[Json]:
    """Return the items that are shown, those in whose places known things are laid at the end, each in its own."""
    keys = [str(one.get(own)) if isinstance(one, dict) else "" for one in drawn]
    told = {one.key: keys.index(one.key) for one in made if one.key in keys}
    others = [at for at in range(len(drawn)) if at not in told.values()]
    fresh = others[: most - len(made)]
    spare = iter(others[len(fresh) :])
    return [drawn[at] for at in (*fresh, *(told[one.key] if one.key in told else next(spare) for one in made))]


def _is_act(tool: Tool, target: ToolTarget) -> bool:
    """Whether a list tells what one act gave, and not what there is: the file of which the parts were committed."""
    if target.act == "read":
        return not tool.source.startswith("GET ") and target.verb not in LOOKUPS
    looks = LOOKUPS | SEARCHES | CHECKS
    is_look = target.verb in looks or not looks.isdisjoint(name_words(tool.name))
    return tool.source.startswith(("POST ", "PUT ", "PATCH ")) and not is_look


def without_twins(
    memory: WorldMemory, items: list[Json], made: Sequence[CreatedThing], target: ToolTarget
) -> list[Json]:
    """Leave out what a name that was drawn again made to one of the known things at the end."""
    keys, fresh = {one.key for one in made}, len(items) - len(made)
    held = [one if isinstance(one, dict) else {} for one in items]
    owns = [str(one.get(memory.own_field(one, target.noun))) for one in held]
    return [one for at, one in enumerate(items) if at >= fresh or owns[at] not in keys]


def _is_such(made: CreatedThing, noun: str, own: str, segment: Words) -> bool:
    words = name_words(own)
    is_plain = ID_WORDS.issuperset(words) or ID_WORDS.issuperset(made.field)
    if is_plain and segment and made.segment and segment[-1] == made.segment[-1]:
        return segment == made.segment  # no build hook is among the hooks
    return stem(noun) == stem(made.noun) if is_plain else words == made.field


_DIGITS = 5
"""From how many digits on a text is no number of items."""
_LIMITS = frozenset("limit per page size max maximum results top count take rows".split())


def most_asked(arguments: Mapping[str, Json]) -> Iterator[int]:
    """The most items that a call asks for."""
    for name, one in arguments.items():
        words = name_words(name)
        most = int(one) if isinstance(one, str) and one.isdecimal() and len(one) < _DIGITS else one
        if words and _LIMITS.issuperset(words) and words != ("page",) and isinstance(most, int) and most > 0:
            yield most


_SHOWN = (2, 4)
"""Fewest and most items of a list."""
