"""Writes values as people say them, and finds mentions of values in a text.

`forms` lists all forms, `say` picks one as a person would, `mentions` finds any of them, at token boundaries and
without confusing numbers with parts of dates, times and codes. `callwright.lang.reading` reads all forms back.
Booleans are only yes and no here; other modules word them as consequences.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time
from functools import lru_cache
from random import Random
from typing import Final

from callwright.lang.dates import MONTHS, date_forms, ordinal, parse_clock, parse_day, parse_moment, time_forms
from callwright.lang.day_layouts import month_and_day
from callwright.lang.english import any_verb, join_with, past_of
from callwright.lang.gazetteer import Currency, country_by_any, currencies, languages
from callwright.lang.kinds import Kind, kind_of_value
from callwright.lang.lexicon import lexicon
from callwright.lang.numbers import ONES, in_words
from callwright.lang.quantities import MONTH, PartialDate, Quantity, scan
from callwright.lang.schemas import name_words
from callwright.lang.spotting import is_spotted
from callwright.records.jsontext import Json

MAX_FORMS = 40
"""Most forms returned for one value."""

_QUANTIFIED = frozenset({"date", "datetime", "time", "money", "percent", "count", "number", "year"})
_MONTH_VALUE = re.compile(r"\d{4}[-/.]?\d\d|\d\d[/.-]\d{4}")


def say(value: Json, kind: Kind, *, rng: Random, today: date | None, currency: str = "") -> str:
    """Return `value` as a person says it.

    `currency` is the code of an amount's currency. Relative dates are used only with `today` and only where they are
    unambiguous.
    """
    if isinstance(value, list):
        return join_with([say(item, kind_of_value(item), rng=rng, today=today) for item in value]) or "none"
    if isinstance(value, dict):
        return _say_object(value, rng=rng, today=today)
    ways = forms(value, kind, today)
    spoken = _pick(ways, kind, rng)
    return _with_currency(value, spoken, currencies()[currency], rng) if currency else spoken


def say_clearly(value: Json, kind: Kind, *, rng: Random, today: date | None) -> str:
    """Return `value` as a person says it, a time of day so that nobody takes the morning for the evening.

    >>> say_clearly("08:45", "time", rng=Random(3), today=None), say_clearly("14:30", "time", rng=Random(3), today=None)
    ('quarter to nine in the morning', 'half past two in the afternoon')
    """
    return _clear(say(value, kind, rng=rng, today=today), value, kind)


def clear_forms(value: Json, kind: Kind, today: date | None = None) -> tuple[str, ...]:
    """Return all ways to say a value, with those of `say_clearly`."""
    ways = forms(value, kind, today)
    return tuple(dict.fromkeys((*ways, *(_clear(way, value, kind) for way in ways))))


def _clear(said: str, value: Json, kind: Kind) -> str:
    """What is said of a time of day, with the half of the day."""
    moment = None
    if kind in ("time", "datetime") and isinstance(value, (str, int, float)):
        moment = parse_clock(str(value)) or parse_moment(value)
    if not isinstance(moment, (time, datetime)):
        return said
    half = "morning" if moment.hour < _NOON else "afternoon" if moment.hour < _EVENING else "evening"
    if moment.hour == _NOON - 1:  # `quarter to twelve in the morning` is before midnight
        said = _TO_NOON.sub(f"{moment:%H:%M}", said)
    return _BARE_CLOCK.sub(r"0\g<0>", _OPEN_CLOCK.sub(rf"\g<0> in the {half}", said))


_NOON, _EVENING = 12, 18
_TO_NOON = re.compile(r"\bquarter to twelve\b")
_OPEN_CLOCK = re.compile(r"\b(?:(?:half|quarter) (?:past|to) \w+|\w+ o'clock)\b(?! in the\b)")
"""A time of day in words that may be in the morning or in the evening."""
_BARE_CLOCK = re.compile(r"(?<![\d:])\d:\d\d(?! ?[ap]m)(?![\d:])")
"""`9:30`, which `09:30` says of the morning."""


def _pick(ways: tuple[str, ...], kind: Kind, rng: Random) -> str:
    """Choose among forms, which are in order of naturalness; later ones are rarer."""
    if len(ways) == 1 or kind in ("title", "text", "person", "enum", "code"):
        return ways[0]
    if kind in ("country", "language"):
        return ways[0] if rng.random() < 0.95 else ways[1]
    natural = _without_year(ways) if kind in ("date", "datetime") else ways
    if natural is not ways and rng.random() < 0.04:
        return ways[-1]
    return natural[int(len(natural) * rng.random() ** 1.6)]


_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@lru_cache(maxsize=8192)
def _without_year(ways: tuple[str, ...]) -> tuple[str, ...]:
    """Return the forms of a date except ISO; with the year only if no shorter form is unambiguous."""
    return tuple(way for way in ways[:-1] if not _YEAR.search(way)) or ways[:-1] or ways


def _with_currency(value: Json, spoken: str, currency: Currency, rng: Random) -> str:
    if currency.symbol and spoken[0].isdigit() and rng.random() < 0.4:
        return currency.symbol + spoken
    return f"{spoken} {currency.one if value == 1 else currency.many}"


def _say_object(value: dict[str, Json], *, rng: Random, today: date | None) -> str:
    said = {key: say(item, kind_of_value(item), rng=rng, today=today) for key, item in value.items()
            if not isinstance(item, bool) and item is not None}  # fmt: skip
    return ", ".join(text if _speaks_for_itself(key) else f"{' '.join(name_words(key))} {text}"
                     for key, text in said.items())  # fmt: skip


def _speaks_for_itself(key: str) -> bool:
    words = set(name_words(key))
    return bool(words) and words <= {"name", "email", "phone", "city", "country", "address", "street"}


def forms(value: Json, kind: Kind, today: date | None = None) -> tuple[str, ...]:
    """Return all ways to say a value, the most natural first, `MAX_FORMS` at most.

    Lists and objects, whose forms multiply, have one.
    """
    if isinstance(value, (list, dict)):
        return (say(value, kind, rng=Random(0), today=today),)
    return _scalar_forms(value, kind, today)[:MAX_FORMS]


@lru_cache(maxsize=32768, typed=True)
def _scalar_forms(value: str | float | bool | None, kind: Kind, today: date | None) -> tuple[str, ...]:
    if isinstance(value, bool) or value is None:
        return ("yes", "true") if value else ("no", "false")
    if kind in ("date", "datetime"):
        return _moment_forms(value, today)
    if kind == "time":
        clock = parse_clock(str(value))
        return time_forms(clock) if clock else (str(value),)
    if kind in ("count", "number", "money", "percent"):
        number = as_number(value)
        return (str(value),) if number is None else _number_forms(number, kind)
    if isinstance(value, str):
        return _text_forms(value, kind)
    return (_digits(value),)


def _moment_forms(value: str | float, today: date | None) -> tuple[str, ...]:
    if isinstance(value, str) and (parts := month_and_day(value)):
        return _yearless_forms(value, *parts, today)
    moment = parse_moment(value)
    if moment is None:
        return (str(value),)
    if isinstance(value, str) and _MONTH_VALUE.fullmatch(value):
        return (f"{MONTHS[moment.month - 1]} {moment.year}", f"{MONTHS[moment.month - 1][:3]} {moment.year}")
    if not isinstance(moment, datetime):
        return date_forms(moment, today)
    days, clock = date_forms(moment.date(), today), moment.time().replace(second=0)
    if clock == moment.time() and clock.hour == clock.minute == 0:
        return days
    times = time_forms(clock) if clock == moment.time() else (moment.time().isoformat(),)
    spoken = [f"{day} at {times[n % len(times)]}" for n, day in enumerate(days[:-1])]
    spoken += [f"{times[n % len(times)]} on {day}" for n, day in enumerate(days[:-1]) if day[0].isupper()]
    return (*spoken, f"{days[-1]} {clock:%H:%M}" if clock == moment.time() else f"{days[-1]} {times[0]}")


def _yearless_forms(value: str, month: int, day: int, today: date | None) -> tuple[str, ...]:
    """The ways to say a day without a year: as any day near today, else its month and number; last as written."""
    if (near := parse_day(value, today)) is not None:
        return (*_without_year(date_forms(near, today)), value)
    name = MONTHS[month - 1]
    return (f"{name} {day}", f"{name[:3]} {day}", f"{day} {name}", f"{name} {ordinal(day)}", value)


_LARGEST = 10**300
"""Largest whole number that is one; a larger one has no float, and is said as it is written."""


def as_number(value: Json) -> float | int | None:
    """Return a number given as a number or in digits in a text; None for anything else."""
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) > _LARGEST):
        return None
    if isinstance(value, (int, float)):
        return value
    try:
        number = float(str(value).replace(",", ""))
    except ValueError:
        return None
    return number if abs(number) < 1e15 else None


def _digits(number: float, *, grouped: bool = False) -> str:
    if isinstance(number, int):
        return f"{number:,}" if grouped else str(number)
    if float(number).is_integer() and abs(number) < 1e15:
        return f"{int(number):,}" if grouped else str(int(number))
    text = f"{number:,}" if grouped else repr(number)
    return text if "e" not in text else f"{number:.10f}".rstrip("0")


def _number_forms(number: float, kind: Kind) -> tuple[str, ...]:
    if kind == "percent":
        return _percent_forms(number)
    plain, grouped = _digits(number), _digits(number, grouped=True)
    if kind == "money":
        return _money_forms(number, plain, grouped)
    whole = float(number).is_integer()
    if kind == "number" or not whole or number < 0:
        return (plain,) if plain == grouped else (plain, grouped)
    if number <= 12:
        return (in_words(int(number)), plain)
    spoken = (in_words(int(number)),) if number <= 20 or number in (30, 40, 50, 60, 100) else ()
    return tuple(dict.fromkeys((plain, grouped, *spoken)))


def _money_forms(number: float, plain: str, grouped: str) -> tuple[str, ...]:
    cents = f"{number:,.2f}"
    if not float(number).is_integer():
        return (cents, cents.replace(",", "")) if float(cents.replace(",", "")) == number else (grouped, plain)
    ways = [grouped, plain] if number >= 1000 else [plain]
    whole = int(number)
    if number >= 10_000 and whole % 1000 == 0 and number < 1_000_000:
        ways.append(f"{whole // 1000}k")
    if whole in (100, 200, 250, 300, 500, 1000, 1500, 2000, 5000):
        ways.append(in_words(whole))
    return tuple(ways)


def _percent_forms(number: float) -> tuple[str, ...]:
    shown = _digits(round(number * 100, 6) if 0 < number < 1 else number)
    words = (f"{in_words(int(shown))} percent",) if shown.isdigit() and int(shown) <= 30 else ()
    return (f"{shown}%", f"{shown} percent", *words)


def _text_forms(value: str, kind: Kind) -> tuple[str, ...]:
    if kind == "enum":
        return _enum_forms(value)
    if kind == "currency":
        known = currencies().get(value.upper())
        return (known.many, value, known.full) if known and len(value) == 3 else (value,)
    if kind == "country":
        country = country_by_any().get(value.lower()) if len(value) <= 3 else None
        return (country.name, value) if country else (value,)
    if kind == "language":
        name = languages().get(value.lower()) if len(value) == 2 else None
        return (name, value) if name else (value,)
    if kind == "text":
        return _sentence_forms(value)
    parts = value.split(",") if kind == "code" else []
    if len(parts) > 1 and all(_ONE_CODE.fullmatch(part) for part in parts):
        return (join_with(parts), value)
    return (value,)


_ONE_CODE = re.compile(r"[\w-]{2,40}")
"""An identifier in a text that has several with commas: people say `C1 and C2`."""


_PATHLIKE = re.compile(r"[a-z][./][A-Za-z]+[A-Z./]")
"""A choice that is spelled as it is: `Acme.Web/publishingUsers`."""


@lru_cache(maxsize=4096)
def _enum_forms(value: str) -> tuple[str, ...]:
    if written := lexicon()["short"].get(value.lower()):
        return (written, value)
    is_acronym = (
        value.isupper()
        and value.isalpha()
        and len(value) <= 4
        and not any_verb(value.lower())
        and not past_of(value.lower())
    )
    if is_acronym or any(letter.isdigit() for letter in value) or _PATHLIKE.search(value):
        return (value,)
    spaced = re.sub(r"[_\s]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[a-z]A)(?=[A-Z][a-z])", " ", value)).strip()
    spaced = spaced.replace(" A ", " a ")  # `twiceAMonth`
    words = " ".join(word if _is_acronym(word, value) else word.lower() for word in spaced.split(" "))
    return tuple(dict.fromkeys((words or value, value)))


def _is_acronym(word: str, value: str) -> bool:
    return word.isupper() and len(word) <= 3 and not value.isupper()


def _sentence_forms(value: str) -> tuple[str, ...]:
    """Return free text unchanged, and without its last full stop and first capital for use inside a sentence."""
    bare = value.rstrip(" .")
    small = bare[:1].lower() + bare[1:] if bare[1:2].islower() else bare
    return tuple(dict.fromkeys((value, bare, small)))


def mentions(text: str, value: Json, kind: Kind, *, today: date | None) -> bool:
    """True when the text carries this value in any of its forms.

    A list or an object is mentioned if all its members are, except booleans. Empty values never are.
    """
    if isinstance(value, (list, dict)):
        return _mentions_all(text, value, today)
    if kind in _QUANTIFIED and not isinstance(value, bool):
        return _mentions_quantity(text, value, kind, today)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _mentions_id(text, str(value), today)
    if kind in ("code", "enum") and isinstance(value, str) and value.isdigit():
        return _mentions_id(text, value, today)
    if kind == "currency" and isinstance(value, str):
        text = _without_other_currencies(text, value.upper())
    lowered = text.lower()
    forms_ = _small_forms(value, kind)
    return any(small in lowered and is_spotted(text, lowered, form, kind) for form, small in forms_)


def spotted_forms(value: Json, kind: Kind) -> tuple[tuple[str, str], ...]:
    """Return the forms of which a text has one if and only if it mentions the value, each also in lower case.

    None where the value is read otherwise. A currency's form may be part of another's, so `mentions` decides.
    """
    if not isinstance(value, str) or kind in _QUANTIFIED or value.isdigit():
        return ()
    return _small_forms(value, kind)


def is_read_as_quantity(value: Json, kind: Kind) -> bool:
    """Whether only a text with a quantity (see `scan`) mentions the value."""
    if kind not in _QUANTIFIED or not isinstance(value, (str, int, float)) or isinstance(value, bool):
        return False
    if kind in ("date", "datetime"):
        is_yearless = isinstance(value, str) and month_and_day(value) is not None
        return parse_moment(value) is not None or is_yearless
    return kind == "time" or as_number(value) is not None


_MOMENT_SORTS: Final = frozenset({"date", "datetime", "month", "near a month"})
_SORTS: Final[dict[Kind, frozenset[str]]] = {
    "date": _MOMENT_SORTS,
    "datetime": _MOMENT_SORTS,
    "time": frozenset({"time", "datetime", "at"}),
    "percent": frozenset({"percent"}),
    "money": frozenset({"number", "money"}),
}
_MONTH_STARTS: Final = tuple(month[:3].lower() for month in MONTHS)


def needed_sorts(value: Json, kind: Kind) -> frozenset[str]:
    """Return for a quantity what `said_sorts` tells of a text that mentions it, one of it; empty of other values."""
    if not is_read_as_quantity(value, kind):
        return frozenset()
    is_yearless = kind in ("date", "datetime") and isinstance(value, str) and month_and_day(value) is not None
    return frozenset({"any"}) if is_yearless else _SORTS.get(kind, frozenset({"number"}))


def said_sorts(text: str, today: date | None) -> frozenset[str]:
    """Return the sorts of a text's quantities (see `scan`), a sieve before `mentions` for many values.

    `any` is always there, `at` and `near a month` stand for what is read otherwise.
    """
    lowered = text.lower()
    others = ("any", *(("at",) if "at " in lowered else ()))
    near = ("near a month",) if any(map(lowered.__contains__, _MONTH_STARTS)) else ()
    return frozenset((*others, *near, *(one.sort for one in scan(text, today))))


@lru_cache(maxsize=32768, typed=True)
def _small_forms(value: str | bool | None, kind: Kind) -> tuple[tuple[str, str], ...]:
    """The forms of a value, each with itself in lower case."""
    return tuple((form, form.lower()) for form in _scalar_forms(value, kind, None))


def _mentions_all(text: str, value: list[Json] | dict[str, Json], today: date | None) -> bool:
    pairs = [("", item) for item in value] if isinstance(value, list) else list(value.items())
    said = [(key, item) for key, item in pairs if not isinstance(item, bool) and item is not None]
    return bool(said) and all(
        _is_labelled(text, key, item) or mentions(text, item, kind_of_value(item), today=today) for key, item in said
    )


@lru_cache(maxsize=256)
def _longer_names(code: str) -> tuple[str, ...]:
    """Return names of other currencies that contain this one's: `Canadian dollars` are not `dollars`."""
    known = currencies().get(code)
    own = {known.one.lower(), known.many.lower()} if known else set()
    names = {name.lower() for other, c in currencies().items() if other != code for name in (c.one, c.many, c.full)}
    return tuple(sorted(name for name in names if any(f" {part}" in name for part in own)))


def _without_other_currencies(text: str, code: str) -> str:
    names = [name for name in _longer_names(code) if name in text.lower()]
    return re.sub("|".join(map(re.escape, names)), "-", text, flags=re.IGNORECASE) if names else text


def _is_labelled(text: str, key: str, item: Json) -> bool:
    """Return whether an item follows its key, as in `imprint default`, so that it cannot be another word."""
    return bool(key) and isinstance(item, str) and f"{' '.join(name_words(key))} {item}".lower() in text.lower()


def _mentions_quantity(text: str, value: str | float, kind: Kind, today: date | None) -> bool:
    if kind in ("date", "datetime"):
        if isinstance(value, str) and (parts := month_and_day(value)):
            near = parse_day(value, today)
            said = (q.value for q in scan(text, today) if q.sort == "date")
            return value in text or any(q in (near, PartialDate(*parts)) for q in said)
        moment = parse_moment(value)
        return (
            str(value) in text if moment is None else _mentions_moment(text, moment, today, is_month=_is_month(value))
        )
    if kind == "time":
        clock = parse_clock(str(value))
        return clock is not None and _says_clock(text, clock, today)
    found = scan(text, today)
    number = as_number(value)
    if number is None:
        return is_spotted(text, text.lower(), str(value), kind)
    if kind == "percent":
        wanted = (number, round(number * 100, 6)) if 0 < number < 1 else (number,)
        return any(q.value in wanted for q in found if q.sort == "percent")
    sorts = ("number", "money") if kind == "money" else ("number",)
    return any(q.value == number for q in found if q.sort in sorts)


def _is_month(value: str | float) -> bool:
    return isinstance(value, str) and _MONTH_VALUE.fullmatch(value) is not None


def _mentions_moment(text: str, moment: date | datetime, today: date | None, *, is_month: bool) -> bool:
    found = scan(_with_whole_days(text), today)
    if is_month:
        return any(q.sort == "month" and q.value == moment for q in found)
    if not isinstance(moment, datetime):
        return any(_same_day(q, moment, today) for q in found)
    if any(q.sort == "date" and isinstance(q.value, datetime) and q.value == moment for q in found):
        return True
    if not any(_same_day(q, moment.date(), today) for q in found):
        return False
    clock = moment.time()
    return clock.hour == clock.minute == 0 or _says_clock(text, clock, today)


_JOINED = r"(?:\s?[-–]\s?|\s(?:to|until|till|through|and)\s(?:the\s)?)"
_FROM_DAY = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?({_JOINED}\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?)({MONTH})", re.IGNORECASE
)
_TO_DAY = re.compile(rf"\b({MONTH})(\s\d{{1,2}}(?:st|nd|rd|th)?{_JOINED})(\d{{1,2}}(?:st|nd|rd|th)?\b)", re.IGNORECASE)
_BARE_HOUR = re.compile(r"\bat (\d{1,2}|[a-z]{3,6})\b(?![:.]?\d|%)", re.IGNORECASE)
_HALF_OF_DAY = re.compile(r"[ap]\.?m|morning|afternoon|evening|night", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _with_whole_days(text: str) -> str:
    """The text with the month beside both days of "the 1st to the 31st of January" and "January 1 to 31"."""
    return _TO_DAY.sub(r"\1\2\1 \3", _FROM_DAY.sub(r"\1 \3\2\3", text))


def _says_clock(text: str, clock: time, today: date | None) -> bool:
    """Whether a text says a time of day; "at three" and "half past three" may be in the afternoon."""
    for one in scan(text, today):
        said = _clock_of(one) if one.sort in ("time", "datetime") else None
        if said == clock:
            return True
        is_open = isinstance(said, time) and not _HALF_OF_DAY.search(text[one.start : one.end])
        if is_open and ":" not in text[one.start : one.end] and _is_twelve_on(said, clock):  # type: ignore[arg-type]
            return True
    hours = [ONES.index(word) if word in ONES else int(word) if word.isdigit() else 0 for word in _bare_hours(text)]
    return any(0 < hour < 24 and clock in (time(hour), time((hour + 12) % 24)) for hour in hours)


def _is_twelve_on(said: time, clock: time) -> bool:
    return said.hour < 12 and clock == said.replace(hour=said.hour + 12)


def _bare_hours(text: str) -> list[str]:
    return [match[1].lower() for match in _BARE_HOUR.finditer(text)]


def _same_day(quantity: Quantity, day: date, today: date | None) -> bool:
    return quantity.sort in ("date", "datetime") and quantity.may_be(day, today)


def _clock_of(quantity: Quantity) -> object:
    return quantity.value.time() if isinstance(quantity.value, datetime) else quantity.value


def _mentions_id(text: str, digits: str, today: date | None) -> bool:
    """Return whether digits occur in the text unchanged, and not inside a date, a time or another code."""
    if digits not in text:
        return False
    return any(
        text[q.start : q.end].lstrip("#+") == digits for q in scan(text, today) if q.sort in ("number", "code", "phone")
    )
