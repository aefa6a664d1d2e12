"""What a tool is about, as one says it of no single thing: `moorings`, `subscriptions of customers`, `music`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from callwright.catalog.chunks import DETERMINERS, PREPOSITIONS, Chunk
from callwright.catalog.gloss import gloss
from callwright.catalog.gloss_wording import GIVEN_NOUNS, PARTICULARS, SAYS_NOTHING, SET_OF_THING
from callwright.lang.english import is_adjective, is_countable, is_noun, plural, singular
from callwright.lang.lexicon import word_set
from callwright.lang.phrases import (
    PRONOUNS,
    has_plural_head,
    is_noun_phrase,
    is_opaque,
    is_participle,
    with_capitals,
    words_of_name,
)
from callwright.lang.tokens import STOP_WORDS
from callwright.records.tool import Tool

_MOST_WORDS: Final = 4
_MOST_OF_DOMAIN: Final = 2
_JOINS: Final = frozenset(("and", "or", "&"))
_OF_ANYTHING: Final = (
    word_set("aspects")
    | GIVEN_NOUNS
    | PARTICULARS
    | SAYS_NOTHING
    | SET_OF_THING
    | frozenset(
        "amount area cost copy count description entry expiration group item kind list location name number object "
        "part people person piece progress quantity query record request result series set thing title "
        "total type unit value work".split()
    )
)
"""Nouns that do not tell what it is about: `an item of a shopping list`, but `a food item`."""
_HELD_BY: Final = frozenset("of at on in with".split())
"""Prepositions before what a thing belongs to, also in general: `tables at restaurants`."""
_FOR_ONE: Final = frozenset("current latest default next last same entire whole previous available".split())
"""Words of one thing at one time, left out of what is said in general."""
_PRONOUNS: Final = STOP_WORDS | PRONOUNS


@lru_cache(maxsize=65536)
def subject(tool: Tool) -> str:
    """Return what the tool is about, as a plural or a mass noun; empty where no clean noun tells it.

    >>> subject(Tool(name="x", description="Books a table at a restaurant."))
    'tables at restaurants'
    >>> subject(Tool(name="x", description="Gets the status of an order.")), subject(Tool(name="playMusic"))
    ('orders', 'music')
    """
    chunks = gloss(tool).chunks
    general = [(at, _general(chunk.text)) for at, chunk in enumerate(chunks)]
    said = [one for one in general if one[1] and _tells(one[1]) and (not one[0] or _is_whole(chunks[one[0]]))]
    said.sort(key=lambda one: one[0] > 0 and chunks[one[0]].preposition != "of" and not _is_thing(chunks[one[0]]))
    if said and said[0][0] == 0 and chunks[1:]:
        return _with_what_it_belongs_to(said[0][1], chunks[1])
    if said:
        return _plural(said[0][1])  # `the status of order`
    words = words_of_name(tool.domain)
    text = _several(words, is_one=True) if len(words) <= _MOST_OF_DOMAIN else ""
    return text if text and _tells(text) else ""


def _tells(text: str) -> bool:
    """Whether a phrase tells what it is about: by its noun, or by another noun before that."""
    *before, head = text.lower().split()
    is_vague = head in _OF_ANYTHING or singular(head) in _OF_ANYTHING
    return not is_vague or not all(map(_is_quality, before))


def _is_quality(word: str) -> bool:
    return is_participle(word) or (is_adjective(word) and not is_noun(word))


def _is_whole(chunk: Chunk) -> bool:
    """Whether a phrase can stand alone: `for sale` cannot, `for training` can."""
    return chunk.preposition == "of" or _is_thing(chunk) or _plural(chunk.text) == chunk.text


def _is_thing(chunk: Chunk) -> bool:
    """Whether a phrase is of a thing: with an article, or of several."""
    words = chunk.text.split()
    return words[0].lower() in DETERMINERS or has_plural_head(words)


def _with_what_it_belongs_to(text: str, after: Chunk) -> str:
    """The first phrase with the next one where this says to what it belongs; persons are left for what they are in."""
    is_known, general = after.text.startswith("the "), _general(after.text)
    is_said = after.preposition in _HELD_BY and (after.preposition in ("of", "at") or _is_thing(after))
    if not is_said or not general or (after.preposition == "with" and not is_known):  # `lists with titles`
        return text
    if after.preposition == "in" and text.split()[-1].lower() in word_set("persons"):
        return general if _tells(general) else text
    return f"{text} {after.preposition} {after.text if is_known else general}"


def _general(text: str) -> str:
    """A phrase of a gloss in general: `a fault` becomes `faults`; empty where it is no clean noun phrase."""
    first = text.partition(" ")[0].lower()
    words = [word for word in text.split() if word.lower() not in DETERMINERS | _FOR_ONE]
    if len(words) > 1 and words[-1].lower() in GIVEN_NOUNS and is_noun(words[-2]) and not is_adjective(words[-2]):
        return _several(words[:-1], is_one=True)  # `file information`
    is_act = first == "the" and bool(words) and words[-1].endswith("ing")  # `the heating`
    is_one = first in DETERMINERS and not is_act
    joint = next((at for at, word in enumerate(words) if word in _JOINS), 0)
    if not joint:
        return _several(words, is_one=is_one)
    one, other = (_several(part, is_one=is_one) for part in (words[:joint], words[joint + 1 :]))
    return f"{one} {words[joint]} {other}" if one and other else ""


def _several(words: Sequence[str], *, is_one: bool) -> str:
    """The words as a clean noun phrase, in the plural where they are of one thing that can be counted; else nothing."""
    if not _is_clean(words):
        return ""
    text = with_capitals(" ".join(words))
    return _plural(text) if is_one else text


def _plural(text: str) -> str:
    is_one = is_countable(text) and text.split()[-1] not in word_set("particles")
    return plural(text) if is_one else text


def _is_clean(words: Sequence[str]) -> bool:
    """Whether the words are a short noun phrase that everybody reads: no code, no pronoun, no stray preposition."""
    small = [word for word in words if not word.isupper()]
    is_short = 0 < len(words) <= _MOST_WORDS and all(word.replace("-", "").isalpha() for word in words)
    if not is_short or not _PRONOUNS.isdisjoint(word.lower() for word in small):
        return False
    *before, last = words
    is_split = not PREPOSITIONS.isdisjoint(before) or (last in word_set("particles") and is_countable(before[-1]))
    return not is_split and is_noun_phrase(words) and not is_opaque(small)  # `time off` is whole, `boat off` is not
