"""Reads cities, countries, currencies and languages by their names and codes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cache

from callwright.lang.gazetteer import cities, countries, country_by_any, currencies, languages, place_layout
from callwright.lang.kinds import Kind
from callwright.lang.reading_words import read_names
from callwright.lang.schemas import described_text, example_values
from callwright.lang.spotting import Found, Reader, spots, without_inner
from callwright.records.jsontext import Json


@cache
def _place_words(kind: Kind) -> tuple[tuple[str, str, Kind], ...]:
    """Return (words, key, kind by which they are spotted) of all known places, currencies or languages."""
    if kind == "city":
        return tuple((name, name, kind) for name in cities())
    if kind == "language":
        return tuple((name, code, kind) for code, names in languages().items() for name in (names, code))
    if kind == "country":
        known = [(alias, c.alpha2) for alias, c in country_by_any().items() if len(alias) > 3]
        coded = [(word, c.alpha2) for c in countries() for word in (c.alpha2, c.alpha3)]
        return tuple((words, code, kind) for words, code in (*known, *coded, ("UK", "GB"), ("USA", "US")))
    return tuple(
        (words, code, kind)
        for code, currency in currencies().items()
        for words in dict.fromkeys((currency.full, currency.many, currency.one, code, currency.symbol))
        if words
    )


def read_places(kind: Kind) -> Reader:
    """Return the reader of `city`, `country`, `currency` or `language`; also reads unknown capitalised names."""

    def reader(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
        lowered, found = text.lower(), []
        for words, key, spotted in _place_words(kind):
            if words.lower() not in lowered:
                continue
            layout = places_layout(schema, kind)
            if words in "$€£¥₹₩₪":
                found.append(Found(_written(key, kind, layout), lowered.find(words), lowered.find(words) + 1))
            for start in spots(text, lowered, words, spotted):
                found.append(Found(_written(key, kind, layout), start, start + len(words)))
        yield from sorted(without_inner(found), key=lambda f: f.start)
        if kind == "city" or (kind == "country" and places_layout(schema, kind) == "name"):
            yield from (name for name in read_names(text) if kind == "country" or name.value not in _country_names())

    return reader


@cache
def _country_names() -> frozenset[str]:
    return frozenset(country.name for country in countries())


def places_layout(schema: dict[str, Json], kind: Kind) -> str:
    """Return how a schema writes countries, languages or currencies: `alpha2`, `alpha3` or `name`."""
    example = next((e for e in example_values(schema) if isinstance(e, str)), "")
    length = schema.get("maxLength")
    layout = place_layout(
        described_text(schema),
        pattern=str(schema.get("pattern", "")),
        max_length=length if isinstance(length, int) else 0,
        example=example,
    )
    if kind == "currency":
        return "name" if layout == "name" and example else "alpha3"
    return "alpha2" if kind == "language" and layout == "alpha3" else layout


def _written(key: str, kind: Kind, layout: str) -> str:
    if kind == "city" or layout == "alpha2" or (kind == "currency" and layout == "alpha3"):
        return key
    if kind == "country":
        country = country_by_any()[key.lower()]
        return country.alpha3 if layout == "alpha3" else country.name
    return languages()[key] if kind == "language" else currencies()[key].full
