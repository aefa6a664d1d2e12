"""Word lists that values are drawn from, and the choice of a list by what a parameter is about."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from random import Random

import msgspec

from callwright.lang.gazetteer import Country, countries
from callwright.lang.schemas import singular
from callwright.lang.tokens import stem, stem_set, words

NAME_WEIGHT = 4.0
DESCRIPTION_WEIGHT = 2.0
TOOL_WEIGHT = 1.0
GENERIC_WEIGHT = 0.5
_GENERIC = frozenset(
    ("query", "queries", "keyword", "keywords", "search", "term", "name", "title", "value", "symbol", "data")
)
"""Words that say little, since anything can be searched for or has a title; the tool's own words tell more then."""


class Topic(msgspec.Struct, frozen=True):
    """A list of values and the words of parameters and tools that call for it."""

    words: tuple[str, ...]
    values: tuple[str, ...]


class NounSenses(msgspec.Struct, frozen=True):
    """Words of several senses by topic, and the words of a tool with which (or without which) they have its sense."""

    only: dict[str, dict[str, tuple[str, ...]]]
    unless: dict[str, dict[str, tuple[str, ...]]]


class Names(msgspec.Struct, frozen=True):
    """Given and family names that go together, and the countries (ISO alpha-2) where they are common."""

    countries: tuple[str, ...]
    given: tuple[str, ...]
    family: tuple[str, ...]


@cache
def topics(bank: str) -> dict[str, Topic]:
    """Return the topics of `titles`, `things`, `texts`, `codes` or `answers`. Do not change them."""
    return msgspec.json.decode(_bytes(bank), type=dict[str, Topic])


@cache
def names() -> dict[str, Names]:
    """Return names by region. Do not change them."""
    return msgspec.json.decode(_bytes("people"), type=dict[str, Names])


def _bytes(bank: str) -> bytes:
    return (files("callwright.author") / "data" / "values" / f"{bank}.json").read_bytes()


@lru_cache(maxsize=8192)
def score_topics(bank: str, name: tuple[str, ...], described: str, tool: str) -> tuple[float, tuple[str, ...]]:
    """Return the greatest weight of a topic's words in a parameter's name, description and tool, and its values."""
    weights: dict[str, float] = {}
    is_vague = _GENERIC.issuperset(name)
    texts = ((tool if is_vague else "", TOOL_WEIGHT), (described, DESCRIPTION_WEIGHT), (" ".join(name), NAME_WEIGHT))
    for text, weight in texts:
        for word in words(text):
            usual = GENERIC_WEIGHT if word in _GENERIC else weight
            weights[stem(word)] = max(usual, weights.get(stem(word), 0.0))
    scores = {key: sum(weights.get(word, 0.0) for word in stems) for key, stems in _stems(bank).items()}
    best = max(scores, key=lambda key: scores[key])
    return scores[best], topics(bank)[best].values


def values_about(bank: str, name: tuple[str, ...], described: str = "", tool: str = "") -> tuple[str, ...]:
    """Return the list whose words weigh most; empty when no list is called for."""
    score, values = score_topics(bank, name, described, tool)
    return values if score >= GENERIC_WEIGHT else ()


@lru_cache(maxsize=8192)
def names_of(thing: str, about: str, banks: tuple[str, ...]) -> tuple[str, ...]:
    """Return what things of this noun are called, or say; empty where no list is for them. A program is no programming.

    Of several lists that is taken which shares most words with `about`, then the one whose words have it foremost.
    A word of several senses has a list only where `about` speaks of that trade: a `carrier` of flights or of parcels.
    """
    said = frozenset(stem(word) for word in words(about))
    for bank in banks:
        named = {key: [singular(word) for word in topic.words] for key, topic in topics(bank).items()}
        ranks = {
            key: (len(said & _stems(bank)[key]), -listed.index(thing))
            for key, listed in named.items()
            if thing in listed and _is_meant(key, thing, said)
        }
        if ranks:
            return topics(bank)[max(ranks, key=lambda key: ranks[key])].values
    return ()


def _is_meant(topic: str, thing: str, said: frozenset[str]) -> bool:
    """Whether a noun has a topic's sense in a tool of these stems."""
    only, unless = (known.get(topic, {}).get(thing) for known in _senses())
    return (only is None or not said.isdisjoint(only)) and (unless is None or said.isdisjoint(unless))


@cache
def _senses() -> tuple[dict[str, dict[str, frozenset[str]]], ...]:
    read = msgspec.json.decode(_bytes("senses"), type=NounSenses)
    return tuple(
        {topic: {word: stem_set(" ".join(with_)) for word, with_ in known.items()} for topic, known in one.items()}
        for one in (read.only, read.unless)
    )


@lru_cache(maxsize=8192)
def answers_to(noun: str) -> tuple[str, ...]:
    """Return what is told when such a thing is asked for: a joke, a blood type; empty for what has only a name.

    The noun may be the end of a word: `lifestory`.
    """
    asked = singular(noun.replace("_", "").replace(" ", "").lower())
    listed = [(word, topic.values) for topic in topics("answers").values() for word in topic.words]
    exact = next((values for word, values in listed if word == asked), None)
    ends = (values for word, values in listed if len(word) >= _SHORTEST_END and asked[_SHORTEST_START:].endswith(word))
    return exact or next(ends, ())


_SHORTEST_END, _SHORTEST_START = 5, 3


@cache
def _stems(bank: str) -> dict[str, frozenset[str]]:
    return {key: frozenset(stem(word) for word in topic.words) for key, topic in topics(bank).items()}


def general(bank: str) -> tuple[str, ...]:
    """Return the list for parameters that no topic claims."""
    return topics(bank)["general"].values


@cache
def _regions() -> dict[str, Names]:
    return {alpha2: region for region in names().values() for alpha2 in region.countries}


@cache
def known_countries() -> dict[str, Country]:
    """Return English name and alpha-2 code to country. Do not change it."""
    return {key: country for country in countries() for key in (country.name, country.alpha2)}


def draw_name(rng: Random, country: Country | None) -> tuple[str, str]:
    """Return a given and a family name, as common in a country; None stands for anywhere."""
    region = _regions().get(country.alpha2) if country else None
    if region is None:
        region = rng.choice(tuple(names().values()))
    return rng.choice(region.given), rng.choice(region.family)
