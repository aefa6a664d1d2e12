"""What the arguments of a call say about its result: the place, the year, what was searched for, the word meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from ipaddress import ip_network
from random import Random

import msgspec

from callwright.author.value_bank import known_countries
from callwright.author.value_scene import SPOTS, Scene
from callwright.catalog.slots import slots
from callwright.environment.returns import SEARCHES, action_of
from callwright.lang.gazetteer import cities
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import stem
from callwright.records.jsontext import Json
from callwright.records.persona import Persona
from callwright.records.tool import Tool

SPOT_CITIES = (
    "Berlin", "Paris", "Barcelona", "New York", "London", "Stockholm", "Lisbon", "Tokyo", "Shanghai", "Hamburg",
    "Milan", "Prague", "Cairo", "Mexico City",
)  # fmt: skip
"""The city at each of the places that coordinates are drawn from."""

_PAIR = re.compile(r"(-?\d+(?:\.\d+)?), ?(-?\d+(?:\.\d+)?)")


def scene_of(tool: Tool, arguments: Mapping[str, Json], rng: Random, persona: Persona, today: date) -> Scene:
    """Return a scene for a result: in the city or country that the call is about, if it is about one."""
    scene = Scene(rng, persona, today)
    for name, value in arguments.items():
        kind = slots(tool)[name].kind if name in slots(tool) else "other"
        if not isinstance(value, str):
            continue
        town = value if kind == "city" and value in cities() else _town_at(value)
        if town in cities():
            scene.country, scene.town = cities()[town], town
            return scene
        if kind == "country" and value in known_countries():
            scene.country = known_countries()[value]
    return scene


def _town_at(text: str) -> str:
    found = _PAIR.fullmatch(text)
    if found is None:
        return ""
    one, other = float(found[1]), float(found[2])
    spots = zip(SPOTS, SPOT_CITIES, strict=True)
    return next((town for spot, town in spots if spot in ((one, other), (other, one))), "")


def in_its_year(arguments: Mapping[str, Json], value: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Yield the days of a result, moved into the year that the call is about."""
    year = next((str(one) for name, one in arguments.items() if name_words(name) == ("year",)), "")
    for key, day in value.items() if re.fullmatch(r"\d{4}", year) else ():
        if isinstance(day, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", day) and day[5:] != "02-29":
            yield key, year + day[4:]


def network_of(arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Return the network of an address and a mask, where a call is about these."""
    given = {word: one for name, one in arguments.items() for word in name_words(name) if isinstance(one, str)}
    try:
        network = ip_network(f"{given['ip']}/{given['mask']}", strict=False)
    except (KeyError, ValueError):
        return {}
    return {"network": str(network.network_address), "hosts": max(network.num_addresses - 2, 0)}


def of_its_length(arguments: Mapping[str, Json], value: Mapping[str, Json]) -> dict[str, Json]:
    """Return the generated string of a result in the length that the call asks for."""
    length = arguments.get("length")
    made = {key: one for key, one in value.items() if name_words(key)[-1:] == ("string",) and isinstance(one, str)}
    if isinstance(length, bool) or not isinstance(length, int) or not 0 < length <= 64:
        return {}
    return {key: (one * length)[:length] for key, one in made.items() if isinstance(one, str)}


# -- what was searched for -------------------------------------------------------------------------------------------

_QUERIES = frozenset(("query", "keyword", "keywords", "q", "term", "search", "phrase"))
_HITS = ("{}", "{} 2", "{} 3", "{} 4")
_WRITINGS = ("{}", "more on {}", "notes on {}", "the year in {}")
_GOODS = ("{}, standard", "{}, large", "{}, set of two", "{}, refurbished")
_POSTS = ("{}", "senior {}", "junior {}", "{} (part-time)")
_PATTERNS = {
    **{stem(word): _GOODS for word in ("product", "item", "part")},
    **{stem(word): _POSTS for word in ("job", "vacancy", "position")},
    **{stem(word): _WRITINGS for word in "article news book dataset document post video newspaper paper".split()},
}
_OWN_NAMES = frozenset(
    stem(word)
    for word in "artist author company user player city country station hotel restaurant venue location stock coin "
    "quote poem school team address".split()
)
"""Things whose names are their own whatever was searched for."""


def hits(tool: Tool, arguments: Mapping[str, Json], value: Mapping[str, Json]) -> Iterator[tuple[dict[str, Json], str]]:
    """Yield the items that a search found, each with a title that what was searched for occurs in."""
    if action_of(tool)[0] not in SEARCHES:
        return
    asked = [arguments[name] for name in arguments if _QUERIES & set(name_words(name))]
    query = next((one for one in asked if isinstance(one, str) and 2 < len(one) <= 40), None)
    for key, items in value.items():
        if query is None or not isinstance(items, list) or stem(singular(key)) in _OWN_NAMES:
            continue
        patterns = _PATTERNS.get(stem(singular(key)), _HITS)
        for pattern, item in zip(patterns, items, strict=False):
            if isinstance(item, dict):
                yield item, pattern.format(query)


# -- words -----------------------------------------------------------------------------------------------------------


class Word(msgspec.Struct, frozen=True):
    """A word as a dictionary has it."""

    definitions: tuple[str, ...]
    part_of_speech: str
    synonyms: tuple[str, ...]
    stress: str


@cache
def lexicon() -> dict[str, Word]:
    """Return the words that are known, in small letters. Do not change it."""
    text = files("callwright.environment").joinpath("data/lexicon.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Word])


def looked_up(arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Return what a dictionary says of the word that a call is about; nothing where none is."""
    texts = (value.lower() for value in arguments.values() if isinstance(value, str))
    word = next((lexicon()[text] for text in texts if text in lexicon()), None)
    if word is None:
        return {}
    senses = [{"definition": one, "part_of_speech": word.part_of_speech} for one in word.definitions]
    return {
        "definition": word.definitions[0],
        "definitions": senses,
        "part_of_speech": word.part_of_speech,
        "synonyms": list(word.synonyms),
        "stress": word.stress,
    }
