"""Words that may stand for one another in what a document shows: `the north side` for `the south side`.

contrasts.json
    anywhere       words of one set in any text: weekdays, numbers, trees
    names          those that stand for one another in names only: `Sales Policy`, `Finance Policy`
    before heads   those that do so before a noun that places are called by: `Main Dock`, `North Dock`
    before land    those before a noun for land: `Long Meadow`, `Far Meadow`
    before nouns   those before any noun: `the left wing`, and not `left the gate open`
    after the      those that stand for one another at the end of a phrase with `the`: `beside the church`
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from random import Random
from typing import Final

import msgspec

from callwright.author.proper_names import is_head, is_land
from callwright.lang.english import is_noun
from callwright.lang.lexicon import word_set

_WORD: Final = re.compile(r"(?<![\w'-])[A-Za-z]{2,12}(?![\w'-])")
_LETTERS: Final = ("A", "B", "C", "D", "E", "F")
_TIMED: Final = re.compile(r"\d ?$")
"""A number before `second`, which is then a time."""


def contrasted(rng: Random, example: str, own: Collection[str] = ()) -> str:
    """Return a text with other words of their sets for those that have one; empty where none has.

    Words of `own` stay: a tool that tunes pianos tunes no violins.

    >>> contrasted(Random(1), "leak on the north side")
    'leak on the south side'
    """
    taken = {word.casefold() for word in _WORD.findall(example)}
    parts: list[str] = []
    end = 0
    for found in _WORD.finditer(example):
        free = [one for one in _set_of(found) if one not in taken]
        if free and found[0].casefold() not in own:
            drawn = rng.choice(free)
            parts += [example[end : found.start()], _written(drawn, found[0])]
            taken.add(drawn)
            end = found.end()
    if _is_lettered(example, own):
        parts += [example[end:-1], rng.choice([letter for letter in _LETTERS if letter != example[-1]])]
        end = len(example)
    return "".join((*parts, example[end:])) if parts else ""


def _set_of(found: re.Match[str]) -> tuple[str, ...]:
    """The words that may stand where a word of a text stands."""
    word, before, rest = found[0].casefold(), found.string[: found.start()], found.string[found.end() :].split()
    following = rest[0] if rest else ""
    if found[0][0].isupper():
        if is_land(following) and word in _sets()["before land"]:
            return _sets()["before land"][word]
        if word in _sets()["before heads"]:
            return _sets()["before heads"][word] if is_head(following) else ()
        if word in _sets()["names"]:
            return _sets()["names"][word]
    if word in _sets()["before nouns"]:
        return _sets()["before nouns"][word] if following.isalpha() and is_noun(following) else ()
    if word in _sets()["after the"]:
        is_end = not following or following in word_set("prepositions")
        return _sets()["after the"][word] if is_end and before.endswith(" the ") else ()
    return () if _TIMED.search(before) else _sets()["anywhere"].get(word, ())


def _is_lettered(name: str, own: Collection[str]) -> bool:
    """Whether a name ends in a letter by which places, or things of its own noun, are told apart: `Studio B`."""
    *_, noun, letter = ("", "", *name.split())
    return letter in _LETTERS and noun[:1].isupper() and (is_head(noun) or noun.casefold() in own)


def _written(word: str, like: str) -> str:
    """A word with the capitals of another."""
    return word.upper() if like.isupper() else word.capitalize() if like[0].isupper() else word


@cache
def _sets() -> dict[str, dict[str, tuple[str, ...]]]:
    """Each word's set, by where it counts."""
    source = (files("callwright.author") / "data" / "values" / "contrasts.json").read_bytes()
    read = msgspec.json.decode(source, type=dict[str, dict[str, str]])
    return {
        place: {word: tuple(words.split()) for words in sets.values() for word in words.split()}
        for place, sets in read.items()
    }
