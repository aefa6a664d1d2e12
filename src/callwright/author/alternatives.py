"""Parameters of which a document says to give either: `by name or by number`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from callwright.author.mention_order import mention_rank
from callwright.author.unstated import unsayable
from callwright.catalog.slots import slots
from callwright.lang.schemas import name_words
from callwright.records.tool import Tool


def one_of_each(tool: Tool, wanted: Sequence[str]) -> list[str]:
    """Return the wanted values with one of those of which a document says to give either; both where both are needed.

    One joins where the document says that one is needed, or finds things by either.
    """
    found = list(wanted)
    for names, is_needed in _alternatives(tool):
        given = [name for name in found if name in names and name not in tool.required]
        given.sort(key=lambda name: len(name_words(name)))  # an item rather than an item group
        sayable = [name for name in names if not unsayable(slots(tool)[name], tool)]
        if is_needed and not given and sayable and not set(names) & set(found):
            found.append(min(sayable, key=lambda name: mention_rank(slots(tool)[name], tool)))
        found = [name for name in found if name not in given[1:]]
    return found


@lru_cache(maxsize=65536)
def _alternatives(tool: Tool) -> tuple[tuple[tuple[str, ...], bool], ...]:
    """Return the optional parameters of which a document says to give either, and whether one is needed."""
    by_path = slots(tool)
    known = [name for name in tool.properties if name in by_path and name not in tool.required]
    texts = [tool.description[:_READ], *(by_path[name].description[:_READ] for name in known)]
    found: dict[tuple[str, ...], bool] = {}
    for place, text in enumerate(texts):
        for either in _EITHER.finditer(text):
            said = f" {' '.join(name_words(re.sub(r'[^A-Za-z0-9_]+', '_', either[0])))} "
            names = tuple(name for name in known if f" {' '.join(name_words(name))} " in said)
            by_what = either[0].lower().startswith("by ")
            if len(names) == _PAIR and not (by_what and place):
                is_needed = by_what or _NEEDED.search(text[: either.end() + _NEAR_BY]) is not None
                found[names] = found.get(names, False) or is_needed
    return tuple(found.items())


_EITHER = re.compile(
    r"\b(?:either(?: an?| the)? [\w`'\"-]{1,40} or (?:by )?(?:an?|the)? ?[\w`'\"-]{1,40}"
    r"|one of [\w`'\"-]{1,40} (?:or|and) [\w`'\"-]{1,40}"
    r"|by (?:an?|the)? ?[\w`'\"-]{1,40} or by (?:an?|the)? ?[\w`'\"-]{1,40})",
    re.IGNORECASE,
)
_NEEDED = re.compile(r"\b(?:required|must|needs?|mandatory|has to|have to)\b", re.IGNORECASE)
_READ, _NEAR_BY, _PAIR = 1_500, 60, 2
