"""Words that may stand for one another in what a document shows: `the north side` for `the south side`.

contrasts.json
    anywhere       words of one set in any text: weekdays, numbers, trees
    names          those that stand for one another in names only: `Sales Policy`, `Finance Policy`
    before heads   those that do so before a noun that places are called by: `Main Dock`, `North Dock`
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from random import Random
from typing import Final

import msgspec

from callwright.author.proper_names import is_head

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
        free = [one for one in _set_of(found) if one == found[0].casefold() or one not in taken]
        if len(free) > 1 and found[0].casefold() not in own:
            drawn = rng.choice(free)
            parts += [example[end : found.start()], _written(drawn, found[0])]
            taken.add(drawn)
            end = found.end()
    if _is_lettered(example, own):
        parts += [example[end:-1], rng.choice(_LETTERS)]
        end = len(example)
    return "".join((*parts, example[end:])) if parts else ""


def _set_of(found: re.Match[str]) -> tuple[str, ...]:
    """The words that may stand where a word of a text stands."""
    word, rest = found[0].casefold(), found.string[found.end() :].split()
    is_name = found[0][0].isupper()
    in_places = _sets()["before heads"].get(word, ())
    if is_name and in_places:
        return in_places if rest and is_head(rest[0]) else ()
    if _TIMED.search(found.string[: found.start()]):
        return ()
    return (_sets()["names"].get(word, ()) if is_name else ()) or _sets()["anywhere"].get(word, ())


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
