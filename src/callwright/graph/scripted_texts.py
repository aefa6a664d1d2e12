"""`builtin/author` as the author of the texts of fields: plain words of what a prompt shows, for dry runs."""

from __future__ import annotations

from callwright.errors import BadDocument
from callwright.graph.field_texts import MOST_KEYWORDS
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import identifier_words
from callwright.records.jsontext import Json, parse

_MOST_WORDS = 3
"""Words of a field's name that stand in its phrase of five to seven."""


def scripted_texts(asked: str) -> dict[str, Json] | None:
    """Return keywords, descriptions and phrases for a prompt; None where it asks for something else."""
    try:
        shown = parse(asked) if asked.startswith("{") else None
    except BadDocument:
        return None
    match shown:
        case {"operation": {"name": str(name)}, "fields": [*fields]}:
            words = identifier_words(name) or ("tool",)
            told = [_texts(str(one["field"]), singular(words[-1])) for one in fields if isinstance(one, dict)]
            return {"keywords": list(dict.fromkeys(words))[:MOST_KEYWORDS], "fields": told}
    return None


def _texts(field: str, thing: str) -> Json:
    named = next((part for part in reversed(field.split("/")) if not part.isdigit()), "").rpartition(" ")[2]
    words = name_words(named)[-_MOST_WORDS:] or ("value",)
    phrase = f"the {' '.join(words)} of one {thing}"
    return {"field": field, "description": f"This is {phrase}.", "phrase": phrase}
