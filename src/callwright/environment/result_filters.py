"""Listed things as a call asked for them: days and numbers within its bounds, one of several values, in its order.

start_date "2026-11-20"          no earlier day in `start_date`, `date`, or the only field that holds a day
max_price 80                     no higher `price`
statuses ["open", "held"]        `status` is one of these
sort "-created_at"               the latest first
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import NamedTuple

from callwright.author.value_bank import values_about
from callwright.author.value_codes import THING_NAMES
from callwright.environment.echoes import Edit, formed
from callwright.environment.plain_values import written
from callwright.environment.tool_target import ToldPlace
from callwright.lang.dates import parse_moment
from callwright.lang.kinds import kind_of
from callwright.lang.schemas import name_words, plain_schema, singular, type_of
from callwright.lang.tokens import stem
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

Words = tuple[str, ...]
_LEAST = frozenset("start begin from since after min minimum oldest earliest gt gte lower".split())
_MOST = frozenset("end until before to till max maximum latest newest lt lte upper".split())
_OF_TIME = frozenset("date time datetime day at on utc timestamp period range".split())
_PAGED = frozenset("results items size page count limit rows records".split())
_SORTS = frozenset("sort order ordering orderby sortby".split())
_DOWN = frozenset("desc descending".split())
_DIRECTIONS = _DOWN | {"asc", "ascending"}
_SPAN = timedelta(days=10)


class AskedRange(NamedTuple):
    """The least and the most that a call asks for of a field; None for an open end."""

    about: Words
    least: Json = None
    most: Json = None


def bounds_of(arguments: Mapping[str, Json]) -> list[AskedRange]:
    """Return the bounds that arguments set, the two ends of one range together."""
    found: dict[Words, AskedRange] = {}
    for name, one in arguments.items():
        words = name_words(name)
        is_least, is_most = not _LEAST.isdisjoint(words), not _MOST.isdisjoint(words)
        about = tuple(word for word in words if word not in _LEAST | _MOST | _OF_TIME)
        if is_least == is_most or isinstance(one, (bool, dict, list)) or not _PAGED.isdisjoint(words):
            continue
        known = found.get(about, AskedRange(about))
        found[about] = known._replace(least=one) if is_least else known._replace(most=one)
    return list(found.values())


def filtered(arguments: Mapping[str, Json], items: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Yield what brings listed things within what a call asks for."""
    for bounds in bounds_of(arguments) if items else ():
        least, most = _moment(bounds.least), _moment(bounds.most)
        if least or most:
            yield from _dated(bounds, least, most, items)
        else:
            yield from _bounded(bounds, items)
    for name, one in arguments.items():
        listed = [part.strip() for part in one.split(",")] if isinstance(one, str) and "," in one else one
        words = tuple(map(stem, name_words(name)))
        if isinstance(listed, list) and listed and not isinstance(listed[0], (dict, list)):
            yield from _one_of(words, listed, items)


def _moment(value: Json) -> datetime | None:
    found = parse_moment(value) if isinstance(value, str) and value[:4].isdecimal() and "-" in value else None
    return found if found is None or isinstance(found, datetime) else datetime.combine(found, time())


def _dated(
    bounds: AskedRange, least: datetime | None, most: datetime | None, items: Sequence[ToldPlace]
) -> Iterator[Edit]:
    low = least.replace(tzinfo=None) if least else None
    high = most.replace(tzinfo=None) if most else None
    first = low or (high or datetime.max) - _SPAN
    last = max(high or first + _SPAN, first)
    for at, place in enumerate(items):
        name = _day_field(bounds.about, place)
        told = _moment(place.fields.get(name)) if name else None
        if told is None or first.date() <= told.date() <= last.date():
            continue
        schema = plain_schema(place.properties.get(name))
        moment = first + (last - first) * (at + 1) / (len(items) + 1)
        made = written(moment.replace(microsecond=0), schema, is_day=kind_of(name, schema) == "date")
        if made is not None:
            yield Edit(place.fields, name, made)


def _day_field(about: Words, place: ToldPlace) -> str:
    """The field whose day is bounded: that of the same words, else one called a day, else the only one."""
    days = [name for name, one in place.fields.items() if _moment(one) is not None]
    named = [name for name in days if about and set(about) <= set(name_words(name))]
    plain = [name for name in days if _OF_TIME.issuperset(name_words(name))]
    return next(iter((*named, *plain, *(days if len(days) == 1 else ()))), "")


def _bounded(bounds: AskedRange, items: Sequence[ToldPlace]) -> Iterator[Edit]:
    for place in items:
        for name, one in place.fields.items():
            if name_words(name) != bounds.about or not isinstance(one, (int, float)) or isinstance(one, bool):
                continue
            low = bounds.least if isinstance(bounds.least, (int, float)) else one
            high = bounds.most if isinstance(bounds.most, (int, float)) else max(one, low)
            made = min(max(one, low), high)
            yield Edit(place.fields, name, int(made) if isinstance(one, int) else made)


def _one_of(words: Words, listed: Sequence[Json], items: Sequence[ToldPlace]) -> Iterator[Edit]:
    for at, place in enumerate(items):
        name = next((name for name in place.fields if tuple(map(stem, name_words(name))) == words), "")
        told = place.fields.get(name)
        if not name or isinstance(told, (dict, list)) or told in listed:
            continue
        made = formed(listed[at % len(listed)], plain_schema(place.properties.get(name)))
        if made is not None:
            yield Edit(place.fields, name, made)


def _grouping(arguments: Mapping[str, Json]) -> tuple[str, str]:
    """The argument that says by what figures are grouped, and its value; empty texts where none does."""
    for name, one in arguments.items():
        words = name_words(name)
        if isinstance(one, str) and words and (words[0] in _GROUPS or words in _SPLITS) and _GROUPED.issuperset(words):
            return name, one
    return "", ""


_GROUPS = frozenset("group grouping grouped groupby".split())
_GROUPED = _GROUPS | frozenset("by type key dimension dimensions breakdown split field".split())
_SPLITS = (("dimension",), ("breakdown",), ("split", "by"), ("breakdown", "by"))


def tells_groups(arguments: Mapping[str, Json], value: Json) -> bool:
    """Whether a result tells of the groups that were asked for: rows of a `team`; also where none were."""
    _, by = _grouping(arguments)
    words = name_words(by)
    wanted = {words, (*words[:-1], singular(words[-1]))} if words else set()
    names = [name_words(name) for name in _field_names(value, 0)] if wanted else []
    return not wanted or any(_begins(name, one) for name in names for one in wanted)


def _field_names(value: Json, depth: int) -> Iterator[str]:
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _field_names(inner, depth + 1) if depth < _DEEPEST else ()
    yield from value if isinstance(value, dict) else ()


_DEEPEST = 6


def grouped(tool: Tool, arguments: Mapping[str, Json], place: ToldPlace) -> Iterator[Edit]:
    """Yield what tells by what a result is grouped; nothing in it tells of the groups that were not asked for."""
    name, by = _grouping(arguments)
    offered = plain_schema(tool.properties.get(name)).get("enum") if name else None
    others = {name_words(str(one)) for one in offered if one != by} if isinstance(offered, list) else set()
    for field, one in place.fields.items() if by else ():
        words = name_words(field)
        if isinstance(one, str) and words and (words[0] in _GROUPS or words in _SPLITS) and _GROUPED.issuperset(words):
            made = formed(by, plain_schema(place.properties.get(field)))
            yield from (Edit(place.fields, field, made) for _ in range(made is not None))
        elif any(_begins(words, other) for other in others) and not _begins(words, name_words(by)):
            yield Edit(place.fields, field, None, is_gone=True)


def named_groups(arguments: Mapping[str, Json], items: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Yield the names of the groups that a call asks for, for rows that may tell them and tell no field of these."""
    by = name_words(_grouping(arguments)[1])
    for at, place in enumerate(items if by else ()):
        fields = [field for field in place.properties if _begins(name_words(field), by)]
        called = [field for field in fields if name_words(field)[len(by) :] in ((), ("name",), ("title",))]
        texts = [one for one in called if type_of(plain_schema(place.properties[one])) == "string"]
        names = values_about("titles", by) or THING_NAMES
        if texts and not any(field in place.fields for field in fields):
            yield Edit(place.fields, texts[0], names[at % len(names)])


def _begins(words: Words, first: Words) -> bool:
    return bool(first) and words[: len(first)] == first


def put_in_order(arguments: Mapping[str, Json], items: list[Json]) -> None:
    """Sort listed things by the field that a call names, the highest first where it says so."""
    wished = next((one for name, one in arguments.items() if not _SORTS.isdisjoint(name_words(name)[:1])), None)
    field = next((one for name, one in arguments.items() if name_words(name)[-1:] == ("by",)), wished)
    named = name_words(field) if isinstance(field, str) else ()
    is_down = isinstance(field, str) and field.startswith("-")
    is_down = is_down or any(not _DOWN.isdisjoint(name_words(str(one))) for one in arguments.values())
    by = tuple(word for word in named if word not in _DIRECTIONS)
    held = [one for one in items if isinstance(one, dict)]
    name = next((name for name in held[0] if name_words(name) == by), "") if by and len(held) == len(items) > 1 else ""
    column = [one.get(name) for one in held]
    if not name or len({type(one) for one in column}) > 1 or not isinstance(column[0], (str, int, float)):
        return
    items.sort(key=lambda one: one[name] if isinstance(one, dict) else "", reverse=is_down)
