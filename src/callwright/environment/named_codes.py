"""Things of the world that are known by a code: each once in a list, where it was asked for, and found by its code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Final

from callwright.author.value_bank import known_countries
from callwright.environment.echoes import Edit, Words
from callwright.environment.tool_target import ToldPlace, own_field
from callwright.lang.gazetteer import cities
from callwright.lang.schemas import name_words, singular
from callwright.records.jsontext import Json

_CODES = frozenset("code symbol ticker iata icao".split())
_AIRPORTS = {
    "New York": "JFK", "Los Angeles": "LAX", "London": "LHR", "Frankfurt": "FRA", "Amsterdam": "AMS", "Paris": "CDG",
    "Madrid": "MAD", "Singapore": "SIN", "Tokyo": "HND", "Dubai": "DXB", "Toronto": "YYZ", "Sydney": "SYD",
    "Vienna": "VIE", "Lisbon": "LIS",
}  # fmt: skip
_LATITUDES, _LONGITUDES = frozenset(("latitude", "lat")), frozenset(("longitude", "lon", "lng", "long"))
_SEARCHES: Final = frozenset(("query", "q", "search", "keyword", "term"))


def code_field(place: ToldPlace) -> str:
    """Return the field by whose code a thing without an identifier is known: `airport_code`; empty without one."""
    if own_field(place.fields, place.holder):
        return ""
    found = [name for name, one in place.fields.items() if isinstance(one, str) and _is_code(name, place.holder)]
    return found[0] if len({place.fields[name] for name in found if isinstance(place.fields[name], str)}) == 1 else ""


def _is_code(name: str, holder: str) -> bool:
    words = name_words(name)
    of_it = {singular(word) for word in name_words(holder)}
    return words[-1:] != () and words[-1] in _CODES and (len(words) == 1 or not of_it.isdisjoint(words[:-1]))


def each_code_once(items: Sequence[Json], listed: Sequence[ToldPlace]) -> list[Json]:
    """Return the items of a list without those whose code stands before them."""
    codes = {id(place.fields): place.fields.get(code_field(place)) for place in listed}
    told = [codes.get(id(one)) for one in items]
    return [one for at, one in enumerate(items) if told[at] is None or told[at] not in told[:at]]


def found_by_code(asked: Mapping[Words, Json], listed: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Yield the code that was searched for, for the one thing that a search for it finds."""
    texts = {one for words, one in asked.items() if isinstance(one, str) and not _SEARCHES.isdisjoint(words)}
    codes = [one for one in texts if re.fullmatch(r"[A-Z][A-Z0-9]{1,4}", one)]
    for place in listed[:1]:
        name = code_field(place)
        if len(codes) == 1 and name and len(str(place.fields[name])) == len(codes[0]):
            yield Edit(place.fields, name, codes[0])


def airports(asked: Mapping[Words, Json], listed: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Yield code and name of airports: in the city or country that is asked for, else the name of one that is known."""
    said = [one for one in asked.values() if isinstance(one, str)]
    towns = [one for one in said if one in cities()]
    towns += [town for one in said if one in known_countries() for town in known_countries()[one].cities]
    homes = {code: town for town, code in _AIRPORTS.items()}
    for at, place in enumerate(listed):
        field = code_field(place)
        if not field or "airport" not in {*name_words(field), singular(place.holder.lower())}:
            continue
        if not towns:
            home = homes.get(str(place.fields[field]), "")
            yield from (Edit(place.fields, name, f"{home} Airport") for name in place.fields if home and name == "name")
            continue
        town = towns[at % len(towns)]
        letters = re.sub(r"[^A-Z]", "", town.upper()) + "XQZ"
        again = at // len(towns)
        code = _AIRPORTS.get(town, "") if not again else ""
        yield Edit(place.fields, field, code or f"{letters[:2]}{letters[2 + again]}")
        for name in place.fields:
            if name_words(name)[-1:] == ("name",):
                yield Edit(
                    place.fields, name, f"{town} {('Airport', 'International Airport', 'City Airport')[again % 3]}"
                )


def near(arguments: Mapping[str, Json], places: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Yield coordinates close to those that things are asked for by."""
    steps = count(1)
    for axis in (_LATITUDES, _LONGITUDES):
        given = [spot for name, one in arguments.items() if (spot := _degrees(name, one, axis)) is not None]
        for place in places if len(given) == 1 else ():
            for name, told in place.fields.items():
                if _degrees(name, told, axis) is not None and abs(float(str(told)) - given[0]) > 1:
                    made = round(given[0] + next(steps) / 100, 2)
                    yield Edit(place.fields, name, str(made) if isinstance(told, str) else made)


def _degrees(name: str, value: Json, axis: frozenset[str]) -> float | None:
    is_axis = name_words(name)[-1:] != () and name_words(name)[-1] in axis
    text = str(value) if is_axis and not isinstance(value, bool) else ""
    return float(text) if re.fullmatch(r"-?\d{1,3}(?:\.\d{1,12})?", text) else None
