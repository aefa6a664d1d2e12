"""Free texts of a call in which a model says what the user said, in fewer or other of the user's words than gold."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize

from callwright.lang.tokens import content_stems, spaced_words, stem_set
from callwright.match.arguments import is_free_text, is_phrase
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

_ARTICLE: Final = re.compile(r"^(?:an?|the|some) ")
_SHARED: Final = 0.5
"""Share of the gold text's words that a text of the user's own words has as well."""

_SAID: Final = 0.7
"""Share of the words of a reworded text that the user said, or that the gold text has."""


def is_in_own_words(value: Json, gold: Json, parameter: str, tool: Tool, said: str) -> bool:
    """Whether a free text holds nothing but what the user `said`, and at least half of what the gold text tells.

    A value of no known kind may be longer than the gold one by words that the user said with it.
    """
    if not (isinstance(value, str) and isinstance(gold, str)):
        return False
    own, wanted = stem_set(value), stem_set(gold)
    if not is_free_text(gold, parameter, tool):
        is_told = spaced_words(_ARTICLE.sub("", value)) in spaced_words(said) and bool(wanted) and wanted <= own
        return is_told and is_phrase(value, parameter, tool)
    return bool(own) and own <= stem_set(said) and len(own & wanted) >= _SHARED * len(wanted)


def is_spelled_otherwise(value: Json, gold: Json) -> bool:
    """Whether two texts differ in accents, capitals, blanks and signs alone: `Zürich` and `Zurich`."""
    return isinstance(value, str) and isinstance(gold, str) and bool(_bare(gold)) and _bare(value) == _bare(gold)


def _bare(text: str) -> str:
    return "".join(letter for letter in normalize("NFKD", text.casefold()) if letter.isalnum())


def is_reworded(value: Json, gold: Json, parameter: str, tool: Tool, said: str) -> bool:
    """Whether a free text tells in words of its own what the user `said` in other words than the gold text.

    Where the user says the gold text itself, only a text near it or a part of it is right.
    """
    if not (isinstance(value, str) and isinstance(gold, str) and is_free_text(gold, parameter, tool)):
        return False
    own, wanted, heard = (frozenset(content_stems(text)) for text in (value, gold, said))
    if not own or wanted <= heard:
        return False
    return len(own & (heard | wanted)) >= _SAID * len(own) and not own.isdisjoint(heard)
