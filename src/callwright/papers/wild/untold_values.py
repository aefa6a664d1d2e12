"""Which values of a call or a closing nobody has told: no word of the user, no result, and nothing that follows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from functools import cached_property
from typing import Final

import msgspec

from callwright.author.spoken_codes import is_spoken
from callwright.author.worked_out_days import follows, has_month, in_years, is_shown_by
from callwright.author.worked_out_numbers import (
    all_numbers,
    clocks_spelled,
    is_rounded,
    is_same_clock,
    is_working_out,
    lengths_between,
    number_follows,
)
from callwright.catalog.slots import leaves, slots
from callwright.environment.result_faults import made_calls, nodes_of, value_of
from callwright.lang.dates import parse_clock, parse_moment
from callwright.lang.kinds import Kind
from callwright.lang.quantities import PartialDate, Quantity, scan
from callwright.lang.schemas import name_words
from callwright.lang.surface import mentions
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

FIRM: Final[frozenset[Kind]] = frozenset(("code", "email", "phone", "url", "date", "datetime", "time", "money"))
"""Kinds whose values nobody infers: they are said, or a result holds them."""
_SMALL: Final = 13
"""Numbers below are said and returned by chance."""
_OF_TIME: Final = re.compile(
    r"\b(?:days?|nights?|weeks?|fortnights?|months?|years?|weekend|times?|hours?|later|earlier|after|before)\b", re.I
)
_SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?])\s")
_SPEECHES: Final = 2
"""Last messages of the user from which a day may follow: a request, and the answer to a question about it."""


def said_by_user(dialogue: Dialogue) -> str:
    """Return all words of the user."""
    return "\n".join(turn.text for turn in dialogue.turns if dialogue.role(turn) == "user")


class _Told(msgspec.Struct, frozen=True, dict=True):
    """What a conversation has told so far."""

    dialogue: Dialogue
    also: str = ""
    """Words that are not in it yet."""

    @cached_property
    def today(self) -> date | None:
        return self.dialogue.day

    @cached_property
    def results(self) -> list[Json]:
        return [value_of(result) for _, result in made_calls(self.dialogue)]

    @cached_property
    def nodes(self) -> list[Json]:
        """All values in results and calls."""
        called = (call.values for call, _ in made_calls(self.dialogue))
        return [node for value in (*self.results, *called) for node in nodes_of(value)]

    @cached_property
    def scalars(self) -> list[str]:
        return [str(node) for node in self.nodes if not isinstance(node, dict | list)]

    @cached_property
    def texts(self) -> list[str]:
        """All that was said, and all plain values."""
        counts = [str(len(node)) for node in self.nodes if isinstance(node, list)]
        clocks = [clock for value in self.results for clock in _clocks(value)]
        turns = (turn.text for turn in self.dialogue.turns)
        return [*turns, self.also, *self.scalars, *counts, self.dialogue.today, *clocks]

    @cached_property
    def quantities(self) -> list[Quantity]:
        return [one for text in self.texts for one in scan(text, self.today)]

    @cached_property
    def days(self) -> frozenset[date]:
        """Today, and all full days that were said or returned."""
        found = (_full_day(one.value) for one in self.quantities)
        return frozenset(day for day in (self.today, *found) if day is not None)

    @cached_property
    def clocks(self) -> list[time]:
        times = [one.value.time() if isinstance(one.value, datetime) else one.value for one in self.quantities]
        spelled = [clock for text in self.texts for _, _, clock in clocks_spelled(text)]
        return [one for one in times if isinstance(one, time)] + spelled

    @cached_property
    def numbers(self) -> list[float]:
        """All numbers, those that follow from one result among them."""
        found = [number for text in self.texts for number in sorted(all_numbers(text, self.today))]
        return [*found, *(number for value in (*self.results, self.results) for number in _worked_out(value))]

    @cached_property
    def last_words(self) -> str:
        """What the user said last."""
        said = [turn.text for turn in self.dialogue.turns if self.dialogue.role(turn) == "user"]
        return "\n".join((*said[-_SPEECHES:], self.also))


# -- calls -----------------------------------------------------------------------------------------------------------


def unfounded_values(
    name: str, arguments: Mapping[str, Json], dialogue: Dialogue, tools: Mapping[str, Tool], also: str = ""
) -> Iterator[tuple[str, Json]]:
    """Yield the firm values of a call, by path, that the user (or `also`) did not say and no call or result holds."""
    by_path, told = slots(tools[name]), _Told(dialogue, also)
    held = {encode(node) for node in told.nodes}
    said = f"{said_by_user(dialogue)}\n{also}"
    for path, value in leaves(tools[name], arguments).items():
        if path not in by_path or by_path[path].kind not in FIRM or encode(value) in held or value == dialogue.today:
            continue
        if isinstance(value, str) and value[:1].isalpha() and value in by_path[path].description:
            continue  # the document gives it a meaning: "last-used"
        kind = by_path[path].kind
        is_said = mentions(said, value, kind, today=told.today) or is_spoken(said, value, kind)
        if not (is_said or any(str(value) in one for one in held) or _follows(value, told)):
            yield path, value


def _follows(value: Json, told: _Told) -> bool:
    """Whether a day, time or amount follows from what the user said last and the conversation holds."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    if isinstance(value, int | float):
        numbers = all_numbers(told.last_words, told.today)
        return float(value) in numbers or (
            is_working_out(told.last_words) and number_follows(float(value), 2, [*told.numbers, *numbers])
        )
    moment, clock = parse_moment(value), parse_clock(value)
    if moment is not None:
        day, at = _full_day(moment), moment.time() if isinstance(moment, datetime) else time()
        is_day = day is not None and (follows(day, told.last_words, told.days) or day in told.days)
        return is_day and (at in (time(), time(23, 59), time(23, 59, 59)) or _is_clock_told(at, told))
    return clock is not None and _is_clock_told(clock, told)


def _is_clock_told(clock: time, told: _Told) -> bool:
    """Whether a time was said in other words, or follows from another one by a length that was said."""
    if any(is_same_clock(clock, one, "") for one in told.clocks):
        return True
    numbers = {round(number * unit) for number in told.numbers if number < _LONGEST for unit in (1, 60)}
    minutes = {(clock.hour - one.hour) * 60 + clock.minute - one.minute for one in told.clocks}
    return any(abs(one) in numbers for one in minutes)


_LONGEST: Final = 1_440
"""Minutes of a day."""


def may_be_worked_out(value: Json, dialogue: Dialogue) -> bool:
    """Return whether a day or time may follow from the user's last words, as from "the week after" and "same time"."""
    if parse_moment(value) is None and parse_clock(str(value)) is None:
        return False
    last = next(turn.text for turn in reversed(dialogue.turns) if dialogue.role(turn) == "user")
    days = [last[one.start : one.end] for one in scan(last, dialogue.day) if _days(one.value)]
    is_exact = any(any(map(str.isdigit, said)) for said in days)
    return not is_exact and bool(days or _OF_TIME.search(last))


# -- closings --------------------------------------------------------------------------------------------------------


def unfounded_words(text: str, dialogue: Dialogue) -> Iterator[tuple[str, bool]]:
    """Yield dates, codes, addresses and numbers of a text that the conversation does not hold, nor lets one work out.

    The second is whether a number may be worked out, though no word says so, or a day is said without its month.
    """
    told = _Told(dialogue)
    whole = "\n".join(told.texts).casefold()
    spelled = list(clocks_spelled(text))
    for start, end, clock in spelled:
        if not any(is_same_clock(clock, one, text[:start]) for one in told.clocks):
            yield text[start:end], False
    for one in scan(text, told.today):
        said = text[one.start : one.end].strip("#").casefold()
        is_spelled = any(start <= one.start < end for start, end, _ in spelled)
        if is_spelled or said in whole or any(_is_same(one, said, known) for known in told.quantities):
            continue
        if isinstance(one.value, int | float) and one.sort != "code":
            if (is_possible := _is_number_told(one, text, told)) is not True:
                yield text[one.start : one.end], is_possible is None
            else:
                told.numbers.append(one.value)  # "249 a head, so 83 a day"
        elif not _is_moment_told(one, text, told):
            is_day = _full_day(one.value) is not None and not has_month(text[one.start : one.end])
            yield text[one.start : one.end], is_day  # the day of the next lesson goes by the weekday


def _is_number_told(one: Quantity, text: str, told: _Told) -> bool | None:
    """Whether a number follows from others; None where it may, and no word says that it is worked out."""
    assert isinstance(one.value, int | float)
    said = text[one.start : one.end]
    if is_rounded(one.value, text[: one.start], told.numbers) or float(one.value) in lengths_between(told.days):
        return True
    digits = min(3, len(re.sub(r"\D+$", "", said).partition(".")[2]))
    if not number_follows(one.value, digits, told.numbers):
        return False
    sentence = next(part for part in _SENTENCE_ENDS.split(text) if said in part)
    return True if is_working_out(sentence) else None


def _is_moment_told(one: Quantity, text: str, told: _Told) -> bool:
    """Whether a day or a time is one that was told in other words, or follows."""
    said = text[one.start : one.end]
    clock = one.value.time() if isinstance(one.value, datetime) else one.value
    if isinstance(clock, time):
        return any(is_same_clock(clock, known, text[: one.start]) for known in told.clocks) or _is_clock_told(
            clock, told
        )
    if one.sort == "month":
        return any((day.year, day.month) == (one.value.year, one.value.month) for day in told.days)  # type: ignore[union-attr]
    day = _full_day(one.value)
    if day is None:
        return False
    if any(number in lengths_between(told.days) for number in all_numbers(said.partition(" ")[2], None)):
        return True  # "in 68 days" is no day here, but how many there are between two
    if not has_month(said):
        spoken_of = told.days if any(map(str.isdigit, said)) else told.days - {told.today}
        if any(is_shown_by(known, said) for known in spoken_of):
            return True
    return any(follows(near, told.last_words, told.days) for near in in_years(one))


def _clocks(value: Json) -> Iterator[str]:
    """Yield times on the clock and weekdays that a result writes shorter: `{"mon": {"startTime": 900}}`."""
    for node in nodes_of(value):
        for name, one in node.items() if isinstance(node, dict) else ():
            words = name_words(name)
            if type(one) is int and _OF_CLOCK & set(words) and 0 <= one < _MIDNIGHT and one % 100 < _HOUR:
                yield f"{one // 100}:{one % 100:02}"
            yield from (day for day in _WEEKDAYS if words == (day[: len(name)].lower(),) and len(name) >= _SHORTEST)


_OF_CLOCK: Final = frozenset("time start end open opens close closes opening closing from to until".split())
_MIDNIGHT, _HOUR = 2400, 60
_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SHORTEST: Final = 3


def _worked_out(value: Json) -> Iterator[float]:
    """Yield the numbers that follow from those of a result: without sign, in hundreds or thousands, and summed up."""
    for node in nodes_of(value):
        columns: dict[str, list[float]] = {}
        for row in node if isinstance(node, list) else [node]:
            for name, one in row.items() if isinstance(row, dict) else ():
                if type(one) in (int, float):
                    columns.setdefault(name, []).append(one)
        for numbers in columns.values():
            last = (sum(numbers[-count:]) for count in range(2, len(numbers) + 1))
            for one in (*numbers, *last):
                yield from (round(abs(one) / scale, 3) for scale in (1, 100, 1000))


def _is_same(one: Quantity, said: str, known: Quantity) -> bool:
    if isinstance(one.value, int | float):
        if abs(one.value) < _SMALL and one.sort != "money":
            return True
        digits = len(said.partition(".")[2])
        return isinstance(known.value, int | float) and abs(round(known.value, digits) - one.value) < 1e-9
    mine, theirs = _days(one.value), _days(known.value)
    return bool(mine & theirs) if mine or theirs else one.value == known.value


def _days(value: object) -> set[object]:
    """A day, with and without its year."""
    day = _full_day(value)
    if day is not None:
        return {day, PartialDate(day.month, day.day)}
    return {value} if isinstance(value, PartialDate) else set()


def _full_day(value: object) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else None
