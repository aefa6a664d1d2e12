"""The things that the calls of a chat tell of: whether `the same file` or `that invoice` can mean one thing only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from callwright.catalog.chunks import Chunk
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.environment.tool_target import WRAPPERS, target_of
from callwright.lang.english import is_adjective, is_noun
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import stem
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

BY_KEY: Final = re.compile(r"\s(?:IDs?|code|key|number|reference|identifier)$")
"""The end of a noun by which a thing is told apart from others."""
_NAMED: Final = re.compile(r"\s(?:name|title|label|subject)$")
_KEYS: Final = ID_WORDS | {"key", "keys"}
_PARTIES: Final = ("to", "from")


class ToldThing(NamedTuple):
    """One identifier in an argument or a result."""

    noun: str
    """The stem of one word: `file`."""
    value: str
    is_listed: bool = False
    """Whether it stands in an item of a list."""


def noun_of(tool: Tool, parameter: str) -> str:
    """Return the stem of the last word of what a parameter identifies: `file` of `source file ID`."""
    return _head(BY_KEY.sub("", slots(tool)[parameter].noun.text))


def _head(text: str) -> str:
    return stem(singular(text.partition(" of ")[0].lower().split()[-1]))


def means_one(noun: str, value: Json, tool: Tool, values: Mapping[str, Json], result: Json) -> bool:
    """Whether a call and its result speak of no other thing of this noun than the one of this value.

    Another one is named in an argument or told in the result, also as an item of a list; and a call that makes or looks
    up such a thing without this identifier is about another one.
    """
    given = {name: noun_of(tool, name) for name in values}
    things = [ToldThing(given[name], str(one)) for name, one in values.items() if slots(tool)[name].kind == "code"]
    things += told_things(tool, result)
    akin = [one for one in things if one.noun == noun]
    if any(one.value != str(value) for one in akin):
        return False
    named = {_head(_NAMED.sub("", slots(tool)[name].noun.text)) for name in values}
    return bool(akin) or noun not in {stem(target_of(tool).noun), *named}


def told_things(tool: Tool, result: Json) -> tuple[ToldThing, ...]:
    """Return the things that a result identifies; a plain `id` is that of what holds it."""
    return tuple(_walked(result, target_of(tool).noun, is_listed=False))


def _walked(value: Json, holder: str, *, is_listed: bool) -> Iterator[ToldThing]:
    if isinstance(value, list):
        for one in value:
            yield from _walked(one, holder, is_listed=True)
    elif isinstance(value, dict):
        for name, one in value.items():
            words = name_words(name)
            owner = [word for word in words if word not in _KEYS]
            own = holder if not owner or name.lower() in WRAPPERS else singular(owner[-1])
            if isinstance(one, (dict, list)) or (len(owner) < len(words) and type(one) in (str, int)):
                yield from _walked(one, own, is_listed=is_listed)
    elif type(value) in (str, int):
        yield ToldThing(stem(singular(holder)), str(value), is_listed)


@lru_cache(maxsize=65536)
def are_apart(source: Tool, target: Tool, noun: str) -> bool:
    """Whether two tools tell things of one noun apart: an invoice to a customer, a supplier invoice."""
    one, other = _kinds(source, noun), _kinds(target, noun)
    return bool(one) and bool(other) and one.isdisjoint(other)


def _kinds(tool: Tool, noun: str) -> frozenset[str]:
    """The stems of the nouns before a noun, and of whom its thing is to or from."""
    chunks = gloss(tool).chunks
    found: set[str] = set()
    for at, chunk in enumerate(chunks):
        *before, last = chunk.text.lower().split()
        if stem(singular(last)) == noun:
            after = [one for one in chunks[at + 1 : at + 2] if one.preposition in _PARTIES]
            found |= {stem(singular(word)) for word in (*before, *map(_last, after)) if _is_plain_noun(word)}
    return frozenset(found)


def _last(chunk: Chunk) -> str:
    return chunk.text.lower().split()[-1]


def _is_plain_noun(word: str) -> bool:
    return is_noun(word) and not is_adjective(word)
