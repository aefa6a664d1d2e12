"""Days that a later call changes: what is put off comes later than was told, and an end after its beginning.

Told are the days of calls and results about the same thing: an identifier of the later call stands in them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from random import Random
from typing import Final, NamedTuple

from callwright.author.value_days import edge_of, tense_of
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.environment.tool_target import target_of
from callwright.lang.dates import moment_layout, parse_moment, write
from callwright.lang.english import base_verb
from callwright.lang.kinds import kind_of_value
from callwright.lang.schemas import name_words, type_of
from callwright.lang.tokens import words
from callwright.lang.verbs_of_acts import CHANGES, LOOKUPS
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

_LATER: Final = frozenset("defer delay extend lengthen postpone prolong renew snooze".split())
_EARLIER: Final = frozenset("advance expedite hasten".split())
_MOVES_BACK: Final = (frozenset("move push put".split()), frozenset(("back", "off")))
_MOVES_UP: Final = (frozenset(("bring", "move")), frozenset(("forward", "up")))
"""Verbs that say it only with another word: to put a meeting off, to bring it forward."""
_PLAIN: Final = frozenset("new date day time datetime at on the to".split())
"""Words that do not tell which day of a thing it is."""
_GAPS: Final = (1, 2, 3, 5, 7, 10, 14)
DATES: Final = ("date", "datetime")


class EarlierCall(NamedTuple):
    """A call that was made, with what it returned."""

    tool: Tool
    values: Mapping[str, Json]
    returned: Json


class _Told(NamedTuple):
    name: tuple[str, ...]
    day: date


def with_moved_days(
    rng: Random, tool: Tool, values: Mapping[str, Json], earlier: Iterable[EarlierCall], kept: Collection[str] = ()
) -> dict[str, Json]:
    """Return the arguments of a call with days that fit what earlier calls told of its thing; those `kept` stay."""
    found, told = dict(values), list(_told_days(tool, values, earlier))
    for name in sorted(values, key=lambda one: edge_of(name_words(one)) == "end"):
        moment = parse_moment(value) if isinstance(value := found[name], str | int | float) else None
        if name in kept or slots(tool)[name].kind not in DATES or moment is None:
            continue
        bounds = _Bounds.of(tool, name_words(name), told)
        day = bounds.nearest(rng, _day(moment))
        if day != _day(moment):
            found[name] = _written(tool, name, day, moment)
    return found


class _Bounds(NamedTuple):
    """Where a new day lies."""

    after: date | None
    before: date | None
    unlike: frozenset[date]

    @classmethod
    def of(cls, tool: Tool, name: tuple[str, ...], told: Sequence[_Told]) -> _Bounds:
        same = {one.day for one in told if _is_same(name, one.name)} if _changes(tool) else set[date]()
        way = way_of(tool)
        starts = {one.day for one in told if edge_of(name) == "end" and edge_of(one.name) == "start"}
        after = max((same if way == "later" else set()) | starts, default=None)
        return cls(after, min(same, default=None) if way == "earlier" else None, frozenset(same))

    def nearest(self, rng: Random, day: date) -> date:
        """Return the day, or one that fits."""
        if self.after is not None and day <= self.after:
            day = self.after + timedelta(rng.choice(_GAPS))
        if self.before is not None and day >= self.before:
            day = self.before - timedelta(rng.choice(_GAPS[:4]))
        while day in self.unlike:
            day += timedelta(-1 if self.before is not None else 1)
        return day


def way_of(tool: Tool) -> str:
    """Return whether a call puts a thing `later` or `earlier`; empty where its verb does not say."""
    told = words(tool.description.partition(".")[0]) or words(gloss(tool).phrase)
    acts, said = {gloss(tool).act, target_of(tool).verb, base_verb(told[0])}, set(told)
    for way, alone, (verbs, after) in (("later", _LATER, _MOVES_BACK), ("earlier", _EARLIER, _MOVES_UP)):
        if acts & alone or (acts & verbs and said & after):
            return way
    return ""


def _changes(tool: Tool) -> bool:
    act = gloss(tool).act
    return act not in LOOKUPS and (bool(way_of(tool)) or act in CHANGES or target_of(tool).act == "change")


def _is_same(name: tuple[str, ...], told: tuple[str, ...]) -> bool:
    """Whether two names may be of one day of a thing: `new date` and `date`, not `start date` and `due date`."""
    one, other = set(name) - _PLAIN, set(told) - _PLAIN
    return not one or not other or bool(one & other)


def _told_days(tool: Tool, values: Mapping[str, Json], earlier: Iterable[EarlierCall]) -> Iterator[_Told]:
    """The days that calls about a thing of this call told; when it was made or changed aside."""
    own = {str(value) for name, value in values.items() if slots(tool)[name].kind == "code"}
    for call in earlier:
        about = list(_about(call.returned, own))
        if about or not own.isdisjoint(map(str, call.values.values())):
            about.append({name: one for name, one in call.values.items() if slots(call.tool)[name].kind in DATES})
        for name, value in (pair for fields in about for pair in fields.items()):
            is_day = isinstance(value, str) and kind_of_value(value) in DATES
            moment = parse_moment(value) if is_day and isinstance(value, str) else None
            if moment is not None and tense_of(" ".join(name_words(name)), "", "") == "ahead":
                yield _Told(name_words(name), _day(moment))


def _about(value: Json, own: Collection[str]) -> Iterator[dict[str, Json]]:
    """The objects of a result that hold one of these identifiers."""
    if isinstance(value, list):
        for one in value:
            yield from _about(one, own)
    elif isinstance(value, dict):
        if any(type(one) in (str, int) and str(one) in own for one in value.values()):
            yield value
        for one in value.values():
            yield from _about(one, own)


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _written(tool: Tool, name: str, day: date, before: date) -> Json:
    """The day in the layout of the parameter, with the time of day that was there."""
    schema, kind = tool.properties[name], slots(tool)[name].kind
    moment = datetime.combine(day, before.timetz()) if isinstance(before, datetime) else day
    return write(moment, moment_layout(schema, kind), as_text=type_of(schema) not in ("integer", "number"))
