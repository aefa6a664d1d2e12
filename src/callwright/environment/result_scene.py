"""What the arguments of a call say about its result: the place, what was searched for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from random import Random

from callwright.author.value_bank import known_countries
from callwright.author.value_scene import Scene
from callwright.catalog.slots import slots
from callwright.environment.returns import action_of
from callwright.lang.gazetteer import cities
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import stem, stem_set
from callwright.lang.verbs_of_acts import SEARCHES
from callwright.records.jsontext import Json
from callwright.records.persona import Persona
from callwright.records.tool import Tool


def scene_of(tool: Tool, arguments: Mapping[str, Json], rng: Random, persona: Persona, today: date) -> Scene:
    """Return a scene for a result: in the city or country that the call is about, if it is about one."""
    scene = Scene(rng, persona, today)
    for name, value in arguments.items():
        kind = slots(tool)[name].kind if name in slots(tool) else "other"
        if not isinstance(value, str):
            continue
        if kind == "city" and value in cities():
            scene.country, scene.town = cities()[value], value
            return scene
        if kind == "country" and value in known_countries():
            scene.country = known_countries()[value]
    return scene


_QUERIES = frozenset(("query", "keyword", "keywords", "q", "term", "search", "phrase"))
_HITS = ("{}", "{} 2", "{} 3", "{} 4")
_WRITINGS = ("{}", "more on {}", "notes on {}", "the year in {}")
_OWN_NAMES = stem_set("author company user city country hotel restaurant location team address")
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
        for pattern, item in zip(_HITS, items, strict=False):
            if isinstance(item, dict):
                yield item, pattern.format(query)
