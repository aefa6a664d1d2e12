"""Days that follow from what was said: `three nights from 12 April`, `the end of the month`, `the Monday after`.

Nobody says such a day itself. It lies some length of time from a day that is known, begins or ends a period that is
named, or has the weekday or the number that is named.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final

from callwright.lang.dates import WEEKDAYS, month_number, valid_date
from callwright.lang.numbers import ONES, WORDS, from_words
from callwright.lang.quantities import MONTH, Quantity

_COUNT: Final = rf"\d{{1,3}}|half an?|an?|the|that|this|last|past|next|following|previous|coming|{WORDS}"
_LENGTH: Final = re.compile(
    rf"\b(?P<n>{_COUNT})(?:\s(?:full|whole|more|other|good|next|following|last|past|coming))?[\s-]+"
    r"(?P<u>day|night|week|fortnight|month|year)s?\b",
    re.IGNORECASE,
)
_DAYS_IN: Final = {"day": 1, "night": 1, "week": 7, "fortnight": 14}
_MONTHS_IN: Final = {"month": 1, "year": 12}
_A_FEW: Final = {"a couple of": 2, "half a": 0.5, "half an": 0.5}
_NAMED_MONTH: Final = re.compile(rf"\b(?P<m>{MONTH})(?:\s+(?:of\s+)?(?P<y>(?:19|20)\d\d))?", re.IGNORECASE)
_NAMED_YEAR: Final = re.compile(r"\b((?:19|20)\d\d)\b")
_MONTHS: Final = re.compile(r"\bmonth", re.IGNORECASE)
_QUARTERS: Final = re.compile(r"\bquarter|\bQ[1-4]\b", re.IGNORECASE)
_YEARS: Final = re.compile(r"\byear", re.IGNORECASE)
_WEEKS: Final = re.compile(r"\bweek", re.IGNORECASE)
_WEEKDAY: Final = re.compile(r"\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(mon|tue|wed|thu|fri|sat|sun)\b", re.I)
_NUMBERED: Final = re.compile(
    r"(?:\b(?P<w>mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},?\s+)?(?:the\s+)?\b(?P<d>\d{1,2})(?:st|nd|rd|th)\b", re.I
)
_COUNTED: Final = re.compile(
    rf"\b(?P<n>first|second|third|fourth|last|1st|2nd|3rd|4th)\s(?P<w>mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}}\s(?:in|of)\s(?P<m>{MONTH})",
    re.IGNORECASE,
)
_TURN: Final = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3}
_DAY_AND_MONTH: Final = re.compile(r"\b(\d{1,2})([./])(\d{1,2})\b\.?(?![\d/])")
_FEASTS: Final = {
    "christmas": ((12, 24), (12, 25), (12, 26)), "xmas": ((12, 24), (12, 25), (12, 26)),
    "boxing day": ((12, 26),), "new year": ((12, 31), (1, 1)), "halloween": ((10, 31),), "valentine": ((2, 14),),
    "may day": ((5, 1),), "labour day": ((5, 1),), "midsummer": ((6, 21), (6, 24)),
}  # fmt: skip
_OF_EASTER: Final = {
    "good friday": (-2,), "easter": (-2, -1, 0, 1), "ascension": (39,), "whit": (49, 50), "pentecost": (49, 50),
}  # fmt: skip
_NEAR: Final = 45
"""Days from a known day within which a weekday is meant."""
_MID_MONTH: Final = 15
_LONGEST: Final = 1_000
"""Days, weeks or years in which people reckon."""


def follows(day: date, text: str, known: Collection[date]) -> bool:
    """Return whether `day` follows from `text`; `known` are today and the days that were said or returned.

    >>> follows(date(2027, 4, 15), "From 12 April, for three nights.", [date(2027, 4, 12)])
    True
    """
    return any(day in found for found in (_at_lengths(text, known), _at_borders(text, known))) or (
        _is_weekday_counted(day, text)
        or _is_weekday_named(day, text, known)
        or _is_number_named(day, text, known)
        or _is_feast(day, text)
    )


def is_shown_by(day: date, said: str) -> bool:
    """Return whether words for a day without its month may mean it: `Saturday`, `Friday the 16th`, `the 9th`."""
    number, weekdays = re.search(r"\d{1,2}", said), _weekdays(said)
    if number is None and not weekdays:
        return False
    return (number is None or day.day == int(number[0])) and (not weekdays or day.weekday() in weekdays)


def in_years(one: Quantity) -> list[date]:
    """Return the day of a quantity; also of the years beside where no year is said: `3 January`."""
    if isinstance(one.value, datetime) or not isinstance(one.value, date):
        return []
    years = (-1, 0, 1) if one.is_yearless else (0,)
    found = (valid_date(one.value.year + more, one.value.month, one.value.day) for more in years)
    return [day for day in found if day is not None]


def has_month(said: str) -> bool:
    """Return whether words for a day name a month, or have digits of one."""
    return _NAMED_MONTH.search(said) is not None or len(re.findall(r"\d+", said)) > 1


def _at_lengths(text: str, known: Collection[date]) -> set[date]:
    """Days so long before or after a known one; the first or last day of it may count or not."""
    found: set[date] = set()
    for length in _LENGTH.finditer(text):
        number, unit = _number(length["n"].lower()), length["u"].lower()
        for day in known:
            for sign in (1, -1):
                moved = _moved(day, sign * number, unit)
                found |= {moved + timedelta(aside) for aside in (-1, 0, 1)} if moved else set()
    return found


def _number(words: str) -> float:
    if words.isdigit():
        return int(words)
    if words in _A_FEW:
        return _A_FEW[words]
    is_number = words.split("-")[0].split(" ")[0] in ONES or "dozen" in words or words.split("-")[0].endswith("ty")
    return from_words(words) if is_number else 1


@lru_cache(maxsize=4096)
def _moved(day: date, number: float, unit: str) -> date | None:
    if abs(number) > _LONGEST:
        return None
    if unit in _DAYS_IN:
        return day + timedelta(round(number * _DAYS_IN[unit]))
    months = day.year * 12 + day.month - 1 + round(number * _MONTHS_IN[unit])
    year, month = divmod(months, 12)
    return next((one for back in range(4) if (one := valid_date(year, month + 1, day.day - back))), None)


def _at_borders(text: str, known: Collection[date]) -> set[date]:
    """The first and last days of the periods that are named, and the middle of months."""
    found: set[date] = set()
    years = {day.year + more for day in known for more in (-1, 0, 1)} | {int(one) for one in _NAMED_YEAR.findall(text)}
    for named in _NAMED_MONTH.finditer(text):
        month = month_number(named["m"])
        for year in {int(named["y"])} if named["y"] else years:
            found.update(_month(year, month) if month else ())
    if _MONTHS.search(text):
        found.update(edge for day in known for more in (-1, 0, 1) for edge in _month_beside(day, more))
    if _QUARTERS.search(text):
        found.update(edge for year in years for first in (1, 4, 7, 10) for edge in _quarter(year, first))
    if _YEARS.search(text) or _NAMED_YEAR.search(text):
        found.update(edge for year in years for edge in (date(year, 1, 1), date(year, 12, 31)))
    if _WEEKS.search(text):
        found.update(edge for day in known for more in (-1, 0, 1, 2) for edge in _week(day, more))
    return found


def _month(year: int, month: int) -> Iterator[date]:
    yield from (date(year, month, 1), date(year, month, _MID_MONTH))
    yield date(year + month // 12, month % 12 + 1, 1) - timedelta(1)


def _month_beside(day: date, more: int) -> Iterator[date]:
    year, month = divmod(day.year * 12 + day.month - 1 + more, 12)
    return _month(year, month + 1)


def _quarter(year: int, first: int) -> Iterator[date]:
    yield date(year, first, 1)
    yield date(year + (first + 2) // 12, (first + 2) % 12 + 1, 1) - timedelta(1)


def _week(day: date, more: int) -> Iterator[date]:
    """Monday, and the days with which a week or a weekend begins or ends."""
    monday = day - timedelta(day.weekday()) + timedelta(7 * more)
    yield from (monday + timedelta(ahead) for ahead in (0, 4, 5, 6))


def _weekdays(text: str) -> set[int]:
    named = {(one[0] or one[1])[:3].lower() for one in _WEEKDAY.findall(text)}
    return {at for at, name in enumerate(WEEKDAYS) if name[:3].lower() in named}


def _is_weekday_counted(day: date, text: str) -> bool:
    """Whether the day is named by its weekday in a month: `the first Saturday in July`."""
    for one in _COUNTED.finditer(text):
        turn, is_same = one["n"].lower(), WEEKDAYS[day.weekday()][:3].lower() == one["w"].lower()
        is_turn = (day + timedelta(7)).month != day.month if turn == "last" else (day.day - 1) // 7 == _TURN[turn]
        if is_same and is_turn and month_number(one["m"]) == day.month:
            return True
    return False


def _is_weekday_named(day: date, text: str, known: Collection[date]) -> bool:
    """Whether the weekday is named, without a number that is another day's."""
    if day.weekday() not in _weekdays(text) or not any(abs((day - one).days) <= _NEAR for one in known):
        return False
    return all(int(one["d"]) == day.day for one in _NUMBERED.finditer(text) if one["w"])


def _is_number_named(day: date, text: str, known: Collection[date]) -> bool:
    """Whether the number is named, and the month is one that is spoken of: `the 16th`, `12.4.`."""
    for one in _DAY_AND_MONTH.finditer(text):
        pair = int(one[1]), int(one[3])
        if (day.day, day.month) == pair or (one[2] == "/" and (day.month, day.day) == pair):
            return True
    months = {one.month for one in known} | {month_number(one["m"]) for one in _NAMED_MONTH.finditer(text)}
    named = (one for one in _NUMBERED.finditer(text) if int(one["d"]) == day.day)
    return day.month in months and any(one["w"] is None or day.weekday() in _weekdays(one["w"]) for one in named)


def _is_feast(day: date, text: str) -> bool:
    small = text.lower()
    if any(name in small and (day.month, day.day) in days for name, days in _FEASTS.items()):
        return True
    sunday = _easter(day.year)
    return any(name in small and (day - sunday).days in at for name, at in _OF_EASTER.items())


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the rule of Butcher and Meeus."""
    a, (b, c) = year % 19, divmod(year, 100)
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    month, day = divmod(h + k - 7 * ((a + 11 * h + 22 * k) // 451) + 114, 31)
    return date(year, month, day + 1)
