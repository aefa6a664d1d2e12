"""Values of a body that repeat one of the path: `/repos/{name}` and `repo.name`."""

from __future__ import annotations

from itertools import chain

from callwright.author.sent_places import PLACE_IN_PATH
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words
from callwright.records.tool import Tool


def repeated_in_path(slot: Slot, tool: Tool) -> str:
    """Return the parameter of the path that a value in the body repeats: `/repos/{name}` and `repo.name`."""
    before, _, last = slot.name.rpartition(".")
    words = name_words(last)
    if gloss(tool).act in _TO_ANOTHER or (ID_WORDS | _KEYS).isdisjoint(words[-1:]):
        return ""
    owner = name_words(before.rpartition(".")[2]) if ID_WORDS.issuperset(words) else ()
    placed = {one: name_words(one) for one in PLACE_IN_PATH.findall(tool.source) if one != slot.name}
    same = (one for one, named in placed.items() if named == words)
    of_owner = (one for one, named in placed.items() if owner and named[:-1] == owner and named[-1] in ID_WORDS)
    return next(chain(same, of_owner), "")  # `vaultUuid` and `vault.id`


_TO_ANOTHER = frozenset("rename move transfer copy".split())
"""Acts whose body names another thing than the path."""
_KEYS = frozenset("name slug code".split())
"""Last words of parameters by which a thing is found that has no identifier."""
