"""Free texts of a call in which a model says what the user said, in fewer or other of the user's words than gold."""

from __future__ import annotations

from typing import Final

from callwright.lang.tokens import stem_set
from callwright.match.arguments import is_free_text
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

_SHARED: Final = 0.5
"""Share of the gold text's words that a text of the user's own words has as well."""


def is_in_own_words(value: Json, gold: Json, parameter: str, tool: Tool, said: str) -> bool:
    """Whether a free text holds nothing but what the user `said`, and at least half of what the gold text tells."""
    if not (isinstance(value, str) and isinstance(gold, str) and is_free_text(gold, parameter, tool)):
        return False
    own, wanted = stem_set(value), stem_set(gold)
    return bool(own) and own <= stem_set(said) and len(own & wanted) >= _SHARED * len(wanted)
