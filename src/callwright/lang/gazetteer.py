"""Countries with their cities and currencies, currency names and language names, read once from data files."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import msgspec


class Country(msgspec.Struct, frozen=True):
    """The properties of a country that values need."""

    alpha2: str
    alpha3: str
    name: str
    currency: str
    """ISO 4217 code."""
    language: str
    """ISO 639-1 code."""
    dial: str
    """Telephone prefix without `+`."""
    spot: tuple[float, float]
    """Latitude and longitude of the first of the cities, in degrees."""
    cities: tuple[str, ...]
    regions: tuple[str, ...]
    """State, province or county of each city."""


class Currency(msgspec.Struct, frozen=True):
    """A currency's names; `symbol` is empty when people do not use one."""

    one: str
    many: str
    full: str
    symbol: str


@cache
def countries() -> tuple[Country, ...]:
    """Return all known countries."""
    return msgspec.json.decode(_bytes("places.json"), type=tuple[Country, ...])


@cache
def currencies() -> dict[str, Currency]:
    """Return ISO 4217 code to names. Do not change it."""
    return msgspec.json.decode(_bytes("currencies.json"), type=dict[str, Currency])


@cache
def languages() -> dict[str, str]:
    """Return ISO 639-1 code to English name. Do not change it."""
    found: dict[str, str] = json.loads(_bytes("languages.json"))
    return found


@cache
def cities() -> dict[str, Country]:
    """Return city name to its country. Do not change it."""
    return {city: country for country in countries() for city in country.cities}


@cache
def regions() -> dict[str, str]:
    """Return city name to its state, province or county. Do not change it."""
    return {
        city: region for country in countries() for city, region in zip(country.cities, country.regions, strict=True)
    }


@cache
def country_by_any() -> dict[str, Country]:
    """Return lower-case name or code to country. Do not change it."""
    by: dict[str, Country] = {}
    for country in countries():
        for key in (country.alpha2, country.alpha3, country.name):
            by[key.lower()] = country
    for alias, code in (("uk", "gb"), ("usa", "us"), ("the us", "us"), ("czechia", "cz"), ("britain", "gb")):
        by.setdefault(alias, by[code])
    return by


def _bytes(name: str) -> bytes:
    return (files("callwright.lang") / "data" / name).read_bytes()
