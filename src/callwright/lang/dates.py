"""Dates and times of day: spoken forms, their meaning on a given day, and the layouts of schemas.

An incomplete phrase is read by one rule, and written only if that rule gives the date back:

    `Nov 5`            the occurrence nearest to today
    `Thursday the 5th` the match within sixty days that lies nearest, the future first
    `the 5th`          the next such day, today included
    `Thursday`         the next one after today; `next` means the coming week, `last` the week before
    `half past two`    hours from one to six without am or pm are in the afternoon
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from callwright.lang.day_layouts import day_layout, month_and_day, month_layout, run_layout
from callwright.lang.numbers import in_words
from callwright.lang.schemas import described_text, type_of
from callwright.records.jsontext import Json

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTH_BY_PREFIX = {name[:3].lower(): n for n, name in enumerate(MONTHS, start=1)}
_HOURS = {in_words(n): n for n in range(1, 13)}

Layout = str
"""A key of `_STRFTIME`, `unix`, or a pattern of `strftime` that a description writes in letters."""

_STRFTIME: dict[str, str] = {
    "iso": "%Y-%m-%d",
    "compact": "%Y%m%d",
    "month": "%Y-%m",
    "rfc3339": "%Y-%m-%dT%H:%M:%SZ",
    "iso_minutes": "%Y-%m-%dT%H:%M",
    "space": "%Y-%m-%d %H:%M:%S",
    "hm": "%H:%M",
    "hms": "%H:%M:%S",
    "hmsz": "%H:%M:%SZ",
}
_COMPACT = re.compile("yyyymmdd")
_MONTH_ONLY = re.compile(r"\byyyy-mm\b(?!-)")
_UNIX = re.compile(r"\b(?:unix|epoch)\b|(?<!\d)1[4-9]\d{8}(?:\d{3})?(?!\d)|\btimestamp in (?:milli)?seconds\b")
_ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d))?(?:Z|[+-]\d\d:?\d\d)?")


def moment_layout(schema: dict[str, Json], kind: str) -> Layout:
    """Return how a schema writes its dates (`date`), dates with time (`datetime`) or times of day (`time`)."""
    described, has_format = described_text(schema), "format" in schema
    if kind == "time":
        if has_format:
            return "hmsz"
        return "hms" if re.search(r"hh:mm:ss|\b\d\d:\d\d:\d\d\b", described) else "hm"
    if kind == "date":
        compact = run_layout(described) or ("compact" if _COMPACT.search(described) else None)
        month = "month" if _MONTH_ONLY.search(described) else month_layout(described)
        return compact or day_layout(described) or month or "iso"
    if type_of(schema) in ("integer", "number") or _UNIX.search(described):
        return "unix"
    if not has_format and (row := run_layout(described)):
        return row
    if not has_format and re.search(r"yyyy-mm-dd hh:mm|\d{4}-\d\d-\d\d \d\d:\d\d", described):
        return "space"
    if not has_format and re.search(r"yyyy-mm-ddthh:mm\b(?!:ss)|\d{4}-\d\d-\d\dt\d\d:\d\d(?![:\d])", described):
        return "iso_minutes"
    return "rfc3339"


def is_month(layout: Layout) -> bool:
    """Whether a layout has no day: `%m/%Y`."""
    written = _STRFTIME.get(layout, layout)
    return "%m" in written and "%d" not in written


def write(moment: date | datetime | time, layout: Layout, *, as_text: bool = True) -> Json:
    """Return a date or time in a schema's layout; Unix seconds are a number unless `as_text`."""
    if layout == "unix":
        if not isinstance(moment, datetime):
            day = moment if isinstance(moment, date) else date(1970, 1, 1)
            moment = datetime(day.year, day.month, day.day)
        seconds = int(moment.replace(tzinfo=UTC).timestamp())
        return str(seconds) if as_text else seconds
    return moment.strftime(_STRFTIME.get(layout, layout))


@lru_cache(maxsize=4096)
def parse_moment(value: str | float) -> date | datetime | None:
    """Return the date, or date with time, that a schema value stands for; None when it is neither.

    >>> parse_moment("2026-11-05"), parse_moment("05/11/2026")
    (datetime.date(2026, 11, 5), datetime.date(2026, 11, 5))
    """
    if isinstance(value, str) and (found := _IN_A_ROW.fullmatch(value)) and (moment := _day_in_a_row(found)):
        return moment
    if isinstance(value, (int, float)) or (value.isdigit() and 9 <= len(value) <= 13):
        number = float(value)
        number = number / 1000 if number > 1e11 else number
        return datetime.fromtimestamp(number, tz=UTC).replace(tzinfo=None) if 0 < number < 1e11 else None
    try:
        if found := _ISO_DATE.fullmatch(value):
            year, month, day = int(found[1]), int(found[2]), int(found[3])
            if found[4] is None:
                return date(year, month, day)
            return datetime(year, month, day, int(found[4]), int(found[5]), int(found[6] or 0))
        if len(value) == 8 and value.isdigit():
            return date(int(value[4:]), int(value[2:4]), int(value[:2]))
        if found := re.fullmatch(r"(\d{4})[-/.]?(\d\d)", value):
            return date(int(found[1]), int(found[2]), 1)
        if found := re.fullmatch(r"(\d\d)[/.-](\d{4})", value):
            return date(int(found[2]), int(found[1]), 1)
        if found := re.fullmatch(r"(\d{4})[/.](\d\d)[/.](\d\d)", value):
            return date(int(found[1]), int(found[2]), int(found[3]))
        if found := re.fullmatch(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})", value):
            first, second, year = int(found[1]), int(found[2]), int(found[3])
            return date(year, second, first) if second <= 12 else date(year, first, second)
    except ValueError:
        return None
    return None


_IN_A_ROW = re.compile(r"(\d{8})(?:[Tt_ -]?(\d\d)(?::?(\d\d)(?::?(\d\d))?)?)?Z?")


def _day_in_a_row(found: re.Match[str]) -> date | datetime | None:
    """Return the moment that digits in a row stand for, the year first: `2027061508`; None for other numbers."""
    day = valid_date(int(found[1][:4]), int(found[1][4:6]), int(found[1][6:]))
    hour, minute, second = (int(part or 0) for part in found.groups()[1:])
    if day is None or not _FIRST_YEAR <= day.year <= _LAST_YEAR or max(minute, second) >= _SIXTY or hour >= _DAY:
        return None
    return day if found[2] is None else datetime(day.year, day.month, day.day, hour, minute, second)


_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_DAY, _SIXTY = 24, 60


def parse_day(value: str | float, today: date | None) -> date | None:
    """Return the day that a value stands for, without a year the nearest to today: `09-15`."""
    parts = month_and_day(value) if isinstance(value, str) else None
    if parts is not None:
        return resolve_month_day(*parts, today) if today else None
    return parse_moment(value)


@lru_cache(maxsize=1024)
def parse_clock(value: str) -> time | None:
    """Return the time of day that a schema value such as `09:30` or `14:00:00Z` stands for, or None."""
    found = _CLOCK.fullmatch(value)
    if not found or int(found[1]) > 23 or int(found[2]) > 59 or int(found[3] or 0) > 59:
        return None
    return time(int(found[1]), int(found[2]), int(found[3] or 0))


@lru_cache(maxsize=256)
def calendar_names(like: str) -> tuple[str, ...]:
    """Return all weekdays or months, written as one of them is; empty for another word.

    >>> calendar_names("TUE")[:3], calendar_names("May")[:3], calendar_names("soon")
    (('MON', 'TUE', 'WED'), ('January', 'February', 'March'), ())
    """
    for names in (WEEKDAYS, MONTHS):
        for written in (names, tuple(name[:3] for name in names)):
            if like.title() in written:
                change = str.upper if like.isupper() else str.lower if like.islower() else str
                return tuple(map(change, written))
    return ()


def month_number(word: str) -> int:
    """Return 1 to 12 for a month's name or abbreviation, 0 for another word."""
    return _MONTH_BY_PREFIX.get(word[:3].lower(), 0)


def weekday_number(word: str) -> int:
    """Return 0 (Monday) to 6 for a weekday's name or abbreviation.  Raises StopIteration for another word."""
    return next(n for n, name in enumerate(WEEKDAYS) if name[:3].lower() == word[:3].lower())


def resolve_month_day(month: int, day: int, today: date) -> date | None:
    """Return the occurrence of a month and day nearest to today; None for 30 February."""
    near = [found for year in (today.year - 1, today.year, today.year + 1) if (found := valid_date(year, month, day))]
    return min(near, key=lambda found: abs((found - today).days), default=None)


def resolve_weekday_day(weekday: int, day: int, today: date) -> date | None:
    """Return the date nearest to today, the future first, that is this weekday and this day of the month."""
    for distance in range(61):
        for found in (today + timedelta(distance), today - timedelta(distance)):
            if found.day == day and found.weekday() == weekday:
                return found
    return None


def resolve_day(day: int, today: date) -> date | None:
    """Return the next day of that number, today included."""
    return next((found for n in range(62) if (found := today + timedelta(n)).day == day), None)


def resolve_weekday(weekday: int, today: date, *, which: str = "") -> date:
    """Return the weekday meant by a bare name or by `this`, `next` or `last` and a name."""
    monday = today - timedelta(today.weekday())
    if which == "next":
        return monday + timedelta(7 + weekday)
    if which == "last":
        ahead = weekday >= today.weekday()
        return monday + timedelta(weekday - 7 if ahead else weekday)
    return today + timedelta((weekday - today.weekday() - 1) % 7 + 1)


def valid_date(year: int, month: int, day: int) -> date | None:
    """Return the date, or None if it does not exist."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def ordinal(number: int) -> str:
    """Return `1st`, `2nd`, `11th` ..."""
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


@lru_cache(maxsize=8192)
def date_forms(day: date, today: date | None) -> tuple[str, ...]:
    """Return the ways to say a date, the closest to speech first; the last is ISO.

    Without `today`, or far from it, all forms have the year.
    """
    month, short, number = MONTHS[day.month - 1], MONTHS[day.month - 1][:3], ordinal(day.day)
    forms: list[str] = []
    if today is not None:
        forms += _relative_forms(day, today)
        if abs((day - today).days) <= 170:
            forms += [f"{month} {day.day}", f"{short} {day.day}", f"{day.day} {month}", f"{month} {number}"]
            forms += [f"the {number} of {month}", f"{day.day} {short}"]
    forms += [f"{month} {day.day}, {day.year}", f"{day.day} {month} {day.year}", f"{short} {day.day}, {day.year}"]
    forms.append(day.isoformat())
    return tuple(dict.fromkeys(forms))


def _relative_forms(day: date, today: date) -> list[str]:
    distance = (day - today).days
    near = {0: ["today"], 1: ["tomorrow"], 2: ["the day after tomorrow"], -1: ["yesterday"]}
    forms = list(near.get(distance, ()))
    weekday = day.weekday()
    name = WEEKDAYS[weekday]
    if 3 <= distance <= 6:
        forms.append(f"in {in_words(distance)} days")
    if 2 <= distance <= 6 and weekday > today.weekday():
        forms += [name, f"this {name}"]
    if distance > 1 and weekday <= today.weekday() and resolve_weekday(weekday, today, which="next") == day:
        forms.append(f"next {name}")
    if distance < -1 and weekday >= today.weekday() and resolve_weekday(weekday, today, which="last") == day:
        forms.append(f"last {name}")
    if -6 <= distance <= -2:
        forms.append(f"{in_words(-distance)} days ago")
    weeks, rest = divmod(abs(distance), 7)
    if rest == 0 and 1 <= weeks <= 3:
        span = "a week" if weeks == 1 else f"{in_words(weeks)} weeks"
        forms.append(f"{span} from today" if distance > 0 else f"{span} ago")
    if abs(distance) <= 21 and resolve_weekday_day(weekday, day.day, today) == day:
        forms.append(f"{name} the {ordinal(day.day)}")
    if 2 <= distance <= 21:
        forms.append(f"the {ordinal(day.day)}")
    return forms


@lru_cache(maxsize=1024)
def time_forms(moment: time) -> tuple[str, ...]:
    """Return the ways to say a time of day, the closest to speech first; the last is `HH:MM`."""
    hour, minute = moment.hour, moment.minute
    half, twelve = ("am" if hour < 12 else "pm"), (hour % 12 or 12)
    part = " in the afternoon" if hour >= _PAST_NOON else ""  # `half past five` alone may be in the morning
    forms: list[str] = []
    if (hour, minute) in ((12, 0), (0, 0)):
        forms.append("noon" if hour else "midnight")
    elif minute == 0:
        forms += [f"{twelve} {half}", f"{twelve}{half}"]
        forms += [f"{in_words(twelve)} o'clock{part}"] * (spoken_hour(twelve) == hour)
    elif minute in (15, 30) and spoken_hour(twelve) == hour:
        forms.append(f"{'half' if minute == 30 else 'quarter'} past {in_words(twelve)}{part}")
    elif minute == 45 and spoken_hour(twelve % 12 + 1) == hour + 1:
        forms.append(f"quarter to {in_words(twelve % 12 + 1)}{part}")
    if minute:
        forms += [f"{twelve}:{minute:02} {half}"]
        if spoken_hour(twelve) == hour < _PAST_NOON:
            forms.append(f"{twelve}:{minute:02}")
    forms.append(f"{hour:02}:{minute:02}")
    return tuple(dict.fromkeys(forms))


_PAST_NOON = 13


def spoken_hour(hour: int, half: str = "") -> int:
    """Return the hour from 0 to 23 of an hour with or without `am` or `pm`.

    >>> spoken_hour(2), spoken_hour(9), spoken_hour(9, "pm")
    (14, 9, 21)
    """
    if half == "pm":
        return hour if hour >= 12 else hour + 12
    if half == "am":
        return hour % 12
    return hour + 12 if 1 <= hour <= 6 else hour


def hour_word(word: str) -> int:
    """Return 1 to 12 for an hour in words or digits, 0 for another word."""
    if word.isdigit():
        return int(word) if 0 < int(word) <= 12 else 0
    return _HOURS.get(word.lower(), 0)
