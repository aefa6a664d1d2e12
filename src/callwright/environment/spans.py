"""Moments of listed things lie in the span of which a tool's description says that it lists no others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from callwright.environment.echoes import Edit
from callwright.environment.plain_values import written
from callwright.environment.settling import moment_of
from callwright.environment.told_fields import CHANGED, is_moment_of
from callwright.environment.tool_target import ToldPlace
from callwright.lang.kinds import kind_of, kind_of_value
from callwright.lang.schemas import name_words, plain_schema
from callwright.lang.tokens import stem_set
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

_SPAN = re.compile(
    r"[^.]{0,200}\b(?:within|in|from|over|during|for|of) (?:the )?(?:last|past|previous) "
    r"(?:(\d{1,3}|two|three|four|five|six|seven|ten|twelve|thirty) )?(hour|day|week|month|year)s?\b",
    re.IGNORECASE,
)
_DATED = ("date", "datetime")
_DAYS = {"hour": 1 / 24, "day": 1, "week": 7, "month": 30, "year": 365}
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10, "twelve": 12, "thirty": 30}


class _Told(NamedTuple):
    moment: datetime
    place: ToldPlace
    name: str


@lru_cache(maxsize=8192)
def span_of(tool: Tool) -> tuple[timedelta, bool] | None:
    """Return how far back a tool's things go, and whether it is by their last change; None where nothing says so.

    >>> span_of(Tool(name="list_calls", description="Returns all calls made within the last two weeks."))
    (datetime.timedelta(days=14), False)
    """
    found = _SPAN.search(tool.description)
    if found is None:
        return None
    count = int(found[1]) if (found[1] or "").isdecimal() else _NUMBERS.get((found[1] or "").lower(), 1)
    return timedelta(days=count * _DAYS[found[2].lower()]), not CHANGED.isdisjoint(stem_set(found[0]))


def in_span(tool: Tool, arguments: Mapping[str, Json], places: Sequence[ToldPlace], now: datetime) -> Iterator[Edit]:
    """Yield moments in the span for those before it, in the same order; a call that gives moments says another span."""
    span = span_of(tool)
    if span is None or any(kind_of_value(one) in _DATED for one in arguments.values()):
        return
    length, is_of_change = span
    told = sorted(_told(places, is_of_change=is_of_change), key=lambda one: one.moment)
    early = [one for one in told if one.moment < now - length]
    ends = min((one.moment for one in told if now - length <= one.moment <= now), default=now)
    for at, one in enumerate(early):
        schema = plain_schema(one.place.properties.get(one.name))
        moved = now - length + (ends - now + length) * ((at + 1) / (len(early) + 1))
        made = written(_to_minutes(moved), schema, is_day=kind_of(one.name, schema) == "date")
        yield from (Edit(one.place.fields, one.name, value) for value in (made,) if value is not None)


def _told(places: Sequence[ToldPlace], *, is_of_change: bool) -> Iterator[_Told]:
    """Yield the moments of the listed things, of those without any the moments of their parts."""
    items = [place for place in places if place.role == "item"]
    whole = list(_moments(items, is_of_change=is_of_change))
    yield from whole or _moments([place for place in places if place.role == "part"], is_of_change=is_of_change)


def _moments(places: Sequence[ToldPlace], *, is_of_change: bool) -> Iterator[_Told]:
    for place in places:
        for name, one in place.fields.items():
            moment, words = moment_of(one), name_words(name)
            schema = plain_schema(place.properties.get(name))
            is_dated = kind_of(name, schema) in _DATED or (isinstance(one, str) and kind_of_value(one) in _DATED)
            is_meant = is_moment_of(words, CHANGED) if is_of_change else _AHEAD.isdisjoint(stem_set(" ".join(words)))
            if moment is not None and is_dated and is_meant:
                yield _Told(moment, place, name)


_AHEAD = stem_set("due expiry expires expiration birth born renewal next end")


def _to_minutes(moment: datetime) -> datetime:
    return moment.replace(minute=moment.minute - moment.minute % 5, second=0, microsecond=0)
