"""Reads values of a kind from a person's text: all forms of `callwright.lang.surface`, and other reasonable ones.

The most likely readings come first; several values of a text are in the order of the text. The schema's
layout (a Unix time, a code's pattern, a country as two letters) decides how a value is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time
from functools import cache
from typing import cast

from callwright.lang import dates
from callwright.lang.gazetteer import cities, countries, country_by_any, currencies, languages
from callwright.lang.kinds import Kind, kind_of
from callwright.lang.quantities import Quantity, scan
from callwright.lang.reading_words import (
    read_codes,
    read_names,
    read_others,
    read_parts,
    read_persons,
    read_texts,
    read_titles,
)
from callwright.lang.schemas import described_text, example_values, options_of, plain_schema, type_of
from callwright.lang.spotting import Found as Found
from callwright.lang.spotting import Reader, spots, without_inner
from callwright.lang.surface import forms
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
    layout = _layout_of(example) if example else _described_layout(schema)
    if kind == "currency":  # codes, where nothing says otherwise
        return "name" if layout == "name" and example else "alpha3"
    return "alpha2" if kind == "language" and layout == "alpha3" else layout


def _layout_of(example: str) -> str:
    if _LOCALES.match(example):
        return "alpha2"
    is_code = len(example) in (2, 3) and (example.isupper() or example.islower())
    return f"alpha{len(example)}" if is_code else "name"


_LOCALES = re.compile(r"[a-z]{2}[-_,][A-Za-z]{2}\b")
"""Languages with their countries, or several: `en-US`, `en-us,en,fr`."""


def _described_layout(schema: dict[str, Json]) -> str:
    described, pattern, longest = described_text(schema), str(schema.get("pattern", "")), schema.get("maxLength")
    for length, word in ((3, "three"), (2, "two")):
        is_named = f"alpha-{length}" in described or f"{word}-letter" in described
        if is_named or f"{{{length}}}" in pattern or longest == length:
            return f"alpha{length}"
    return "alpha2" if "code" in described or "iso " in described else "name"


def _written(key: str, kind: Kind, layout: str) -> str:
    if kind == "city" or layout == "alpha2" or (kind == "currency" and layout == "alpha3"):
        return key
    if kind == "country":
        country = country_by_any()[key.lower()]
        return country.alpha3 if layout == "alpha3" else country.name
    return languages()[key] if kind == "language" else currencies()[key].full


MAX_TEXT = 20_000
"""Longest text that is read, in characters; the rest is ignored."""


def read(text: str, kind: Kind, schema: dict[str, Json], *, today: date | None) -> tuple[Found, ...]:
    """Return the values of this kind in a text, each once."""
    seen: dict[str, Found] = {}
    for found in _READERS[kind](text[:MAX_TEXT], plain_schema(schema), today):
        seen.setdefault(repr(found.value), found)
    return tuple(seen.values())


def _dates(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    layout = dates.moment_layout(schema, "date")
    for q in scan(text, today):
        if (q.sort == "month" and dates.is_month(layout)) or (q.sort == "date" and isinstance(q.value, date)):
            yield Found(dates.write(cast(date, q.value), layout), q.start, q.end)
        elif q.sort == "datetime":
            yield Found(dates.write(cast(datetime, q.value).date(), layout), q.start, q.end)


_BETWEEN = re.compile(r",?\s*+(?:(?:at|on|by|from|around|,)\s*+)?")


def _datetimes(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    layout, as_text = dates.moment_layout(schema, "datetime"), type_of(schema) not in ("integer", "number")
    found = [q for q in scan(text, today) if q.sort in ("date", "datetime", "time")]
    used: set[int] = set()
    for n, q in enumerate(found):
        if n in used or q.sort == "time" or not isinstance(q.value, date):
            continue
        moment, start, end = q.value, q.start, q.end
        if not isinstance(moment, datetime):
            mate = next((m for m in (n + 1, n - 1) if m not in used and _belong(text, found, n, m)), None)
            clock = cast(time, found[mate].value) if mate is not None else time()
            moment = datetime.combine(moment, clock)
            if mate is not None:
                used.add(mate)
                start, end = min(start, found[mate].start), max(end, found[mate].end)
        yield Found(dates.write(moment, layout, as_text=as_text), start, end)


def _belong(text: str, found: list[Quantity], n: int, mate: int) -> bool:
    if not 0 <= mate < len(found) or found[mate].sort != "time":
        return False
    first, second = sorted((found[n], found[mate]), key=lambda q: q.start)
    return _BETWEEN.fullmatch(text, first.end, second.start) is not None


_BARE_HOUR = re.compile(r"\b(?:at|by|from|until|till|around|before|after)\s+$", re.IGNORECASE)


def _times(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    layout = dates.moment_layout(schema, "time")
    for q in scan(text, today):
        if q.sort == "time":
            yield Found(dates.write(cast(time, q.value), layout), q.start, q.end)
        elif q.sort == "number" and q.value in range(1, 13) and _BARE_HOUR.search(text, max(0, q.start - 8), q.start):
            yield Found(dates.write(time(dates.spoken_hour(int(cast(int, q.value)))), layout), q.start, q.end)


def _numbers(text: str, schema: dict[str, Json], today: date | None, *sorts: str) -> Iterable[Found]:
    """Yield numbers of the first sort, then of the next."""
    shape = type_of(schema)
    found = scan(text, today)
    for sort in sorts:
        for q in found:
            if q.sort == sort:
                number = cast(float, q.value)
                if shape == "integer" and not float(number).is_integer():
                    continue
                yield Found(_typed(number, shape, text[q.start : q.end]), q.start, q.end)


def _typed(number: float, shape: str, raw: str) -> Json:
    if shape == "number":
        return float(number)
    if shape != "string":
        return int(number) if float(number).is_integer() else number
    digits = "".join(c for c in raw if c.isdigit() or c in ".-").rstrip(".")
    return digits if _NUMERAL.fullmatch(digits) and float(digits) == number else str(number)


_NUMERAL = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)")


def _percents(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    top = schema.get("maximum", schema.get("exclusiveMaximum"))
    is_share = isinstance(top, (int, float)) and top <= 1
    for found in _numbers(text, schema, today, "percent", "number"):
        if is_share and isinstance(found.value, (int, float)) and found.value > 1:
            yield Found(round(found.value / 100, 6), found.start, found.end)
        else:
            yield found


_WRITTEN_YEAR = re.compile(r"\b(?:1[5-9]|20|21)\d\d\b")


def _years(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    shape = type_of(schema)
    for match in _WRITTEN_YEAR.finditer(text):
        yield Found(_typed(int(match[0]), shape, match[0]), match.start(), match.end())


_TRUTH = re.compile(
    r"\b(?:(?P<no>no|nope|not|don't|do not|without|false|never|skip)"
    r"|(?P<yes>yes|yeah|yep|sure|true|please do|go ahead|of course|definitely|with))\b",
    re.IGNORECASE,
)


def _booleans(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    for match in _TRUTH.finditer(text):
        yield Found(match["yes"] is not None, match.start(), match.end())


def _enums(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    values = options_of(schema) or tuple(example_values(schema))
    found: list[Found] = []
    lowered = text.lower()
    for value in values:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            found += [f for f in _numbers(text, schema, today, "number") if f.value == value]
        for form in forms(value, "enum") if isinstance(value, str) else ():
            found += [Found(value, start, start + len(form)) for start in spots(text, lowered, form, "enum")]
    return sorted(without_inner(found), key=lambda f: f.start)


def _by_sort(sort: str) -> Reader:
    def reader(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
        return (Found(text[q.start : q.end], q.start, q.end) for q in scan(text, today) if q.sort == sort)

    return reader


_PHONE = re.compile(r"\+?\(?\d[\d\s().-]{5,18}\d")


def _phones(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    yield from _by_sort("phone")(text, schema, today)
    for match in _PHONE.finditer(text):
        yield Found(match[0], match.start(), match.end())


def _lists(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    items = plain_schema(schema.get("items"))
    kind = kind_of("", items)
    found = list(read(text, kind if kind != "list" else "other", items, today=today))
    if kind in ("other", "title", "text"):
        found = list(read_parts(text)) or found
    if found:
        yield Found([f.value for f in found[:20]], min(f.start for f in found), max(f.end for f in found))


def _objects(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    """Read each sub-property by its kind; several of one kind take the text's values in order."""
    properties = schema.get("properties")
    value: dict[str, Json] = {}
    taken: dict[Kind, int] = {}
    spans: list[Found] = []
    for name, part in properties.items() if isinstance(properties, dict) else ():
        kind = kind_of(name, part if isinstance(part, dict) else {})
        if kind in ("object", "boolean"):
            continue
        found = read(text, kind, part if isinstance(part, dict) else {}, today=today)
        nth = taken.get(kind, 0)
        if nth < len(found):
            value[name], taken[kind] = found[nth].value, nth + 1
            spans.append(found[nth])
    if value:
        yield Found(value, min(f.start for f in spans), max(f.end for f in spans))


_READERS: dict[Kind, Reader] = {
    "date": _dates,
    "datetime": _datetimes,
    "time": _times,
    "money": lambda text, schema, today: _numbers(text, schema, today, "money", "number"),
    "percent": _percents,
    "count": lambda text, schema, today: _numbers(text, schema, today, "number"),
    "number": lambda text, schema, today: _numbers(text, schema, today, "number", "money"),
    "year": _years,
    "boolean": _booleans,
    "enum": _enums,
    "email": _by_sort("email"),
    "phone": _phones,
    "url": _by_sort("url"),
    "person": read_persons,
    "city": read_places("city"),
    "country": read_places("country"),
    "currency": read_places("currency"),
    "language": read_places("language"),
    "code": read_codes,
    "title": read_titles,
    "text": read_texts,
    "list": _lists,
    "object": _objects,
    "other": read_others,
}
