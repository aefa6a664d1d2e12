"""Word lists that values are drawn from, and the choice of a list by what a parameter is about."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from random import Random

import msgspec

from callwright.lang.gazetteer import Country, countries
from callwright.lang.tokens import stem, words

NAME_WEIGHT = 4.0
DESCRIPTION_WEIGHT = 2.0
TOOL_WEIGHT = 1.0


class Topic(msgspec.Struct, frozen=True):
    """A list of values and the words of parameters and tools that call for it."""

    words: tuple[str, ...]
    values: tuple[str, ...]


class Names(msgspec.Struct, frozen=True):
    """Given and family names that go together, and the countries (ISO alpha-2) where they are common."""

    countries: tuple[str, ...]
    given: tuple[str, ...]
    family: tuple[str, ...]


@cache
def topics(bank: str) -> dict[str, Topic]:
    """Return the topics of `titles`, `texts` or `codes`. Do not change them."""
    return msgspec.json.decode(_bytes(bank), type=dict[str, Topic])


@cache
def names() -> dict[str, Names]:
    """Return names by region. Do not change them."""
    return msgspec.json.decode(_bytes("people"), type=dict[str, Names])


def _bytes(bank: str) -> bytes:
    return (files("callwright.author") / "data" / "values" / f"{bank}.json").read_bytes()


@lru_cache(maxsize=8192)
def values_about(bank: str, name: tuple[str, ...], described: str, tool: str) -> tuple[str, ...]:
    """Return the list whose words weigh most in a parameter's name and description and in its tool's text.

    Empty when no word of name or description calls for any list; the tool's text alone only decides between lists.
    """
    weights: dict[str, float] = {}
    for text, weight in ((tool, TOOL_WEIGHT), (described, DESCRIPTION_WEIGHT), (" ".join(name), NAME_WEIGHT)):
        for word in words(text):
            weights[stem(word)] = max(weight, weights.get(stem(word), 0.0))
    scores = {key: sum(weights.get(word, 0.0) for word in stems) for key, stems in _stems(bank).items()}
    best = max(scores, key=lambda key: scores[key])
    return topics(bank)[best].values if scores[best] > TOOL_WEIGHT or (bank == "texts" and scores[best] > 0) else ()


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
