"""Kinds of things whose names are known, and what people search for among them: a city by its name or its beginning."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from callwright.author.value_subject import Maker, Subject
from callwright.lang.gazetteer import cities, countries, currencies, languages
from callwright.lang.schemas import singular
from callwright.lang.verbs_of_acts import CREATES

_KNOWN: dict[str, Callable[[], tuple[str, ...]]] = {
    "city": lambda: tuple(cities()),
    "town": lambda: tuple(cities()),
    "country": lambda: tuple(one.name for one in countries()),
    "currency": lambda: tuple(one.full for one in currencies().values()),
    "language": lambda: tuple(languages().values()),
}
"""The names of all known things, by the noun of one."""
SOUGHT = frozenset("q query search keyword keywords term terms text phrase".split())
"""Words of parameters that take what is searched for."""
_BEGINNING = 3
"""Letters of a beginning by which people search."""


@cache
def known_names(noun: str) -> tuple[str, ...]:
    """Return the names of the things of a noun, in whatever number; empty where they may have any name."""
    named = _KNOWN.get(singular(noun.rpartition(" ")[2].lower()))
    return tuple(dict.fromkeys(named())) if named else ()


def is_beginning(words: tuple[str, ...]) -> bool:
    """Whether a parameter takes the beginning of a name: `namePrefix`, `starts_with`."""
    return "prefix" in words[-1:] or words[-2:] in (("starts", "with"), ("begins", "with"))


def found_names(noun: str, query: str, *, is_start: bool = False) -> tuple[str, ...]:
    """Return the known names that hold the words searched for, or begin so; the one that is just these words first.

    >>> found_names("countries", "united", is_start=True)[0]
    'United States'
    """
    sought = query.casefold()
    names = [one for one in known_names(noun) if one.casefold().find(sought) in ((0,) if is_start else range(len(one)))]
    return tuple(sorted(names, key=lambda one: one.casefold() != sought))


def sought_maker(subject: Subject) -> Maker | None:
    """Return how to draw what is searched for among things of known names; None for anything else."""
    names = known_names(subject.thing) if subject.kind in ("title", "text", "other") else ()
    is_start, is_plain = is_beginning(subject.words), subject.words == ("name",) or SOUGHT.issuperset(subject.words)
    if not names or not (is_start or is_plain) or not CREATES.isdisjoint(subject.about.split()[:1]):
        return None
    drawn = [one[:_BEGINNING] for one in names if one[:_BEGINNING].isalpha()] if is_start else names
    return lambda scene: scene.rng.choice(drawn)
