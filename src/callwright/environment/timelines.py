"""Times of a whole and of what belongs to it, over all results of a session.

What belongs to a thing, by its path or by a reference, was made no earlier than the thing. Of what lies in the thing
by its path, nothing happened after the last change that is told of the thing. A thing that is told after its parts was
made no later than the first of them, and last changed no earlier than the last one was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from callwright.environment.echoes import Edit, Words, plain_words
from callwright.environment.membership import identifies
from callwright.environment.plain_values import written
from callwright.environment.returns import path_of
from callwright.environment.settling import moment_of, stage_of
from callwright.environment.told_fields import BEGINS, CHANGED, act_of_moment, is_moment_of, is_moment_within
from callwright.environment.told_owners import key_of
from callwright.environment.tool_target import ToldPlace, ToolTarget, noun_stem, own_field
from callwright.lang.kinds import ID_WORDS, kind_of
from callwright.lang.schemas import name_words, plain_schema, singular
from callwright.lang.tokens import stem, stem_set
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

Facts = Mapping[str, Mapping[Words, Json]]
"""What is known of each thing, by its identifier and the words of its fields."""
_LATEST = CHANGED | stem_set("touched activity")
"""Stems of the moments at which something was last done to a thing."""
_LAST = stem_set("last most recent latest recently")
_OWN = frozenset("latest last current previous next default published active head".split())
"""First words of references to what came later than the thing that refers to it."""
_NAMING = ID_WORDS | {"key"}
_SHORT = 2
"""Most words of the moment at which the thing itself was made: `created_at`."""
_STEP = timedelta(hours=3)


class _Span(NamedTuple):
    """The first moment of the parts of a thing, and the last one of those that lie in it."""

    first: datetime | None = None
    last: datetime | None = None


class _Holder(NamedTuple):
    """What a thing belongs to; `is_around` says that the thing lies in it."""

    key: str
    is_around: bool


class Timelines:
    """The spans in which the parts of things were made and changed, as far as results told."""

    def __init__(self, tools: tuple[Tool, ...]) -> None:
        """`tools` are those of the session, whose paths say what lies in what."""
        self._tools = tools
        self._spans: dict[str, _Span] = {}
        self._made: dict[str, datetime] = {}
        """When calls of the session made things, whether or not results tell it."""
        self._nested: dict[str, frozenset[tuple[str, str]]] = {}
        """`nested_nouns` of each service; one for all forks."""

    def fork(self) -> Timelines:
        """Return one that knows the same and goes its own way from here."""
        other = Timelines(self._tools)
        other._spans, other._made, other._nested = dict(self._spans), dict(self._made), self._nested
        return other

    def nested(self, service: str) -> frozenset[tuple[str, str]]:
        """Return what lies in what in a service (`nested_nouns`)."""
        if service not in self._nested:
            self._nested[service] = nested_nouns(service, self._tools)
        return self._nested[service]

    def keep(
        self,
        tool: Tool,
        target: ToolTarget,
        arguments: Mapping[str, Json],
        places: Sequence[ToldPlace],
        called: datetime,
    ) -> None:
        """Keep the moments of things for what they belong to; `called` is that of a call which makes or changes one."""
        for place in places if target.act == "create" else ():
            key = key_of(place, target, arguments) if place.role == "thing" else None
            if isinstance(key, (str, int)) and key not in arguments.values():
                self._made[str(key)] = called
        for place in places if target.act in ("read", "list") else ():
            told = [moment for _, moment in _moments(place)]
            first = min(told, default=None)  # it was made before, though that moment may be untold
            for holder in self._holders(tool, target, arguments, place) if told else ():
                known = self._spans.get(holder.key, _Span())
                firsts = [one for one in (known.first, first) if one is not None]
                lasts = [one for one in (known.last, *(told if holder.is_around else ())) if one is not None]
                self._spans[holder.key] = _Span(min(firsts, default=None), max(lasts, default=None))

    def agreed(
        self,
        known: Facts,
        tool: Tool,
        target: ToolTarget,
        arguments: Mapping[str, Json],
        places: Sequence[ToldPlace],
        now: datetime,
    ) -> Iterator[Edit]:
        """Yield the moments of a result as they go with those of what its things belong to, and of their parts."""
        moved = 0
        for place in places:
            key = key_of(place, target, arguments) if place.role in ("thing", "item") else None
            own = known.get(str(key), {})
            told = [(name, one) for name, one in _moments(place) if plain_words(name) not in own]
            holders = list(self._holders(tool, target, arguments, place)) if told else []
            begun = [_begun(known.get(one.key, {})) or self._made.get(one.key) for one in holders]
            low = max((one for one in begun if one is not None), default=None)
            around = [known.get(one.key, {}) for one in holders if one.is_around and target.act in ("read", "list")]
            high = min((one for facts in around if (one := _changed(facts)) is not None), default=None)
            made = _within(told, low, high if low is None or high is None or low <= high else None, now, moved)
            span = self._spans.get(str(key), _Span())
            made = _around(made, span, now) if target.act != "create" else made
            changed = [(name, one) for (name, one), (_, before) in zip(made, told, strict=True) if one != before]
            moved += bool(changed)
            for name, moment in changed:
                schema = plain_schema(place.properties.get(name))
                is_day = kind_of(name, schema) == "date" or len(str(place.fields[name])) == _DAY
                value = written(moment, schema, is_day=is_day)
                yield from (Edit(place.fields, name, value) for _ in range(value is not None))

    def _holders(
        self, tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], place: ToldPlace
    ) -> Iterator[_Holder]:
        """Yield what a thing belongs to, by the call and by its own fields."""
        if place.role not in ("thing", "item"):
            return
        key = str(key_of(place, target, arguments))
        for name, one in arguments.items():
            is_other = name != target.own and str(one) != key and isinstance(one, (str, int))
            if is_other and name in tool.properties and identifies(tool, name):
                yield _Holder(str(one), is_around=True)
        noun = noun_stem(place.holder) or stem(singular(target.noun))
        pairs = self.nested(tool.service)
        own = own_field(place.fields, place.holder)
        for name, one in place.fields.items():
            words = name_words(name)
            inner = own_field(one, name) if isinstance(one, dict) else ""
            is_named = len(words) > 1 and words[-1] in _NAMING and name != own
            found = one[inner] if inner and isinstance(one, dict) else one if is_named else None
            other = stem(singular(words[-1] if inner else words[-2])) if found is not None else ""
            is_later = words[:1] and words[0] in _OWN
            if isinstance(found, (str, int)) and str(found) != key and (noun, other) not in pairs and not is_later:
                yield _Holder(str(found), is_around=(other, noun) in pairs)


_DAY = len("2026-05-04")


def nested_nouns(service: str, tools: tuple[Tool, ...]) -> frozenset[tuple[str, str]]:
    """Return the stems of a thing and of what lies in it, as paths of a service say: `file`, `version`."""
    found = (pair for one in tools if one.service == service for pair in _NESTED.findall(path_of(one)))
    stems = ((noun_stem(outer), noun_stem(inner)) for outer, inner in found)
    return frozenset((one, other) for one, other in stems if one and other)


_NESTED = re.compile(r"(?<=/)([\w.-]+)/\{\w+\}/(?=([\w.-]+))")


def _moments(place: ToldPlace) -> list[tuple[str, datetime]]:
    """The moments in the life of a thing, from its making on."""
    told = ((name, moment_of(one)) for name, one in place.fields.items() if _is_of_life(name_words(name)))
    return [(name, one) for name, one in told if one is not None]


def _is_of_life(words: Words) -> bool:
    return stage_of(words) is not None or is_moment_within(words, BEGINS | CHANGED)


def _is_first(name: str) -> bool:
    words = name_words(name)
    return is_moment_of(words, BEGINS) and len(words) <= _SHORT


def _is_latest(words: Words) -> bool:
    acts = act_of_moment(words) - _LAST
    return len(words) > 1 and bool(acts) and acts <= _LATEST


def _begun(facts: Mapping[Words, Json]) -> datetime | None:
    told = (moment_of(one) for words, one in facts.items() if is_moment_of(words, BEGINS) and len(words) <= _SHORT)
    return max((one for one in told if one is not None), default=None)


def _changed(facts: Mapping[Words, Json]) -> datetime | None:
    told = (moment_of(one) for words, one in facts.items() if _is_latest(words))
    return max((one for one in told if one is not None), default=None)


def _within(
    told: Sequence[tuple[str, datetime]], low: datetime | None, high: datetime | None, now: datetime, moved: int
) -> list[tuple[str, datetime]]:
    """Move the moments of one thing between two moments, in their order; `moved` things were moved before it."""
    if not told or (low is None and high is None):
        return list(told)
    moments = [one for _, one in told]
    if high is not None and max(moments) > high:
        over = max(moments) - high + moved * _STEP
        moments = [one - over for one in moments]
    if low is not None and min(moments) < low:
        late = sorted({one for one in moments if one < low})
        end = min((one for one in moments if one >= low), default=now)
        end = min(end, high or end)
        steps = {one: max(low, min(low + (at + 1 + moved) * _STEP, end)) for at, one in enumerate(late)}
        moments = [steps.get(one, one) for one in moments]
    return [(name, one) for (name, _), one in zip(told, moments, strict=True)]


def _around(told: Sequence[tuple[str, datetime]], span: _Span, now: datetime) -> list[tuple[str, datetime]]:
    """Move the making of a thing before its first part, and its last change after the last moment of one."""
    first = span.first
    made = [
        (name, first - _STEP if first is not None and _is_first(name) and one > first else one) for name, one in told
    ]
    last = span.last
    after = min(last + _STEP, max(now, last)) if last is not None else None
    return [
        (name, after if after is not None and last is not None and _is_latest(name_words(name)) and one < last else one)
        for name, one in made
    ]
