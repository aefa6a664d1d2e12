"""The thing that a tool acts on, as one noun."""

from __future__ import annotations

import re
from functools import lru_cache

from callwright.catalog.chunks import DETERMINERS
from callwright.catalog.gloss import gloss
from callwright.catalog.gloss_wording import FEW_WORDS, PARTICULARS, SET_OF_THING
from callwright.lang.english import is_plural, singular
from callwright.lang.lexicon import word_set
from callwright.lang.phrases import PRONOUNS, is_noun_phrase, words_of_name
from callwright.lang.tokens import stem
from callwright.records.tool import Tool


@lru_cache(maxsize=65536)
def thing_noun(tool: Tool) -> str:
    """Return what the tool acts on, as one singular noun: `short code`; of a long one its last two words.

    >>> thing_noun(Tool(name="listShortCodes"))
    'short code'
    """
    chunks, made = gloss(tool).chunks, _MADE.match(tool.source)
    bare = [[word for word in chunk.text.split() if word.lower() not in DETERMINERS] for chunk in chunks]
    told = bare[0] if bare else []
    is_aspect = len(told) == 1 and told[0] in PARTICULARS
    is_aspect |= 0 < len(told) <= FEW_WORDS and told[-1] in word_set("aspects") | SET_OF_THING
    if len(bare) > 1 and is_aspect and chunks[1].preposition in _OWNED_BY:
        bare = bare[1:]  # `the details of a payment policy`, `the latest state of an operation`
    said = bare[0] if bare else []
    said = said[:-1] if len(said) > 1 and said[-1] in PARTICULARS else said
    held = words_of_name(made[1]) if made and is_plural(made[1]) else ()
    if said and held and stem(singular(held[-1])) != stem(singular(said[-1].lower())) and is_noun_phrase(held):
        said = list(held)  # what is put into a collection: `POST /referrals` refers a patient
    said = said[-2:] if len(said) > _MOST_OF_THING else said
    return singular(" ".join(said)) if said and PRONOUNS.union(("and", "or")).isdisjoint(said) else ""


_MOST_OF_THING = 4
_OWNED_BY = frozenset(("of", "for", "about", "at", "on"))
_MADE = re.compile(r"POST /(?:[^/]+/)*([A-Za-z][\w-]*)$")
