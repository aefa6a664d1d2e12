"""Finds all dates, times, numbers and codes in a text, each exactly once.

`5` in `Nov 5`, `PO-5512`, `5th` or `9:05` is not a number here: each match belongs to one quantity.
Reading values and finding mentions both use this list.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from callwright.lang import dates
from callwright.lang.numbers import ONES, TENS, WORDS, from_words


class PartialDate(NamedTuple):
    """A month and day whose year is unknown, because today's date is unknown."""

    month: int
    day: int


Sort = Literal["date", "month", "datetime", "time", "percent", "money", "number", "email", "url", "phone", "code"]
Content: TypeAlias = date | time | float | str | PartialDate


class Quantity(NamedTuple):
    """One find: kind, value, and half-open span in the text."""

    sort: Sort
    value: Content
    start: int
    end: int
    is_yearless: bool = False
    """Whether a day was said without its year, and `value` is the nearest to today."""

    def may_be(self, day: date, today: date | None) -> bool:
        """Whether a date is `day`; one without a year is that of any year within twelve months of today."""
        if isinstance(self.value, PartialDate):
            return self.value == (day.month, day.day)
        if not isinstance(self.value, date):
            return False
        own = self.value.date() if isinstance(self.value, datetime) else self.value
        is_near = self.is_yearless and today is not None and abs((day - today).days) <= _YEAR_OF_DAYS
        return own == day or (is_near and (own.month, own.day) == (day.month, day.day))


_YEAR_OF_DAYS = 366

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may(?! be\b| have\b| not\b| need\b)|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_ANY_WEEKDAY = rf"(?:{_WEEKDAY}|mon|tues?|wed|thu|thurs?|fri|sat|sun)\b"
_YEAR = r"(?:19|20)\d\d\b"
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_HOUR = f"(?:{'|'.join(ONES[1:13])})"
_FEW = rf"(?:\d{{1,3}}|an?|{_HOUR})"
_HALF = r"(?:\s?[ap]m\b|\s?[ap]\.m\.|\sin the (?:morning|afternoon|evening)|\sat night)"
_CURRENCY = (
    r"(?:(?:us |canadian |australian )?dollars?|bucks|euros?|pounds?(?: sterling)?|(?:swiss )?francs?|yen|zlotys?"
    r"|rupees?|yuan|won|usd|eur|gbp|chf|jpy|cad|aud|nzd|sek|nok|dkk|pln|czk|huf|inr|cny|sgd|hkd|mxn|brl|zar)\b"
)
_SUFFIX = r"(?:st|nd|rd|th)\b"
_FIRST_DAYS = tuple(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth".split()
)
_DAYS_IN_WORDS = {
    **{word: day for day, word in enumerate(_FIRST_DAYS, start=1)},
    **{f"twenty-{word}": day for day, word in enumerate(_FIRST_DAYS[:9], start=21)},
    "thirtieth": 30,
    "thirty-first": 31,
}
_DAY_WORD = (
    "(?:t(?:wenty|hirty)[ -](?:" + "|".join(_FIRST_DAYS[:9]) + ")|" + "|".join((*_FIRST_DAYS, "thirtieth")) + ")"
)
_ALONE = r"(?![\w@])(?![.,:/-]\w)"
_AFTER_DAY = (
    r"(?=\s*(?:$|[.,;:!?)]|(?:at|in|to|until|till|through|and|or|for|from|if|please|is|of (?:this|next)|then"
    r"|instead|as|works|would|not|but|by)\b))"
)
_UNIT = (
    r"(?:km|kg|cm|mm|ml|lbs?|hrs?|h|mins?|gb|mb|tb)\b|"
    r"-(?:day|night|week|month|year|hour|minute|person|seat|page)s?\b"
)

_ALTERNATIVES: dict[str, str] = {
    "url": r"""https?://[^\s<>"']*[^\s<>"'.,;:!?)]|www\.[^\s<>"']*[^\s<>"'.,;:!?)]""",
    "email": r"[\w.+-]{1,300}@[\w-]+(?:\.[\w-]+)+",
    "iso": rf"\d{{4}}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)?)?{_ALONE}",
    "slash": rf"\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{4}}{_ALONE}",
    "md": (
        rf"(?:{_ANY_WEEKDAY},?\s+)?(?P<md_m>{MONTH})\s+(?:(?:the\s+)?(?P<md_d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)"
        rf"|the\s+(?P<md_w>{_DAY_WORD}){_AFTER_DAY})"
        rf"(?:,?\s+(?P<md_y>{_YEAR}))?"
    ),
    "dm": (
        rf"(?:{_ANY_WEEKDAY},?\s+)?(?:the\s+)?"
        rf"(?:(?P<dm_d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?|(?P<dm_w>{_DAY_WORD})\s+of\s+)(?P<dm_m>{MONTH})"
        rf"(?:,?\s+(?P<dm_y>{_YEAR}))?"
    ),
    "month": rf"(?P<mo_m>{MONTH})\s+(?:of\s+)?(?P<mo_y>{_YEAR})",
    "wd": rf"(?P<wd_w>{_ANY_WEEKDAY}),?\s+(?:the\s+)?(?P<wd_d>\d{{1,2}}){_SUFFIX}",
    "near": r"(?:the day after tomorrow|the day before yesterday|today|tonight|tomorrow|yesterday)\b",
    "ahead": rf"in\s+(?P<ah_n>{_FEW})\s+(?P<ah_u>days?|weeks?)\b(?:'s? time)?",
    "off": rf"(?P<of_n>{_FEW})\s+(?P<of_u>days?|weeks?)\s+(?P<of_w>from (?:today|now|tomorrow)|ago)\b",
    "which": rf"(?:(?P<wh_w>next|this|last|coming)\s+)?(?P<wh_d>{_WEEKDAY})\b",
    "dom": rf"the\s+(?P<do_d>\d{{1,2}}){_SUFFIX}{_AFTER_DAY}",
    "past": rf"(?P<pa_q>half past|quarter past|quarter to)\s+(?P<pa_h>{_HOUR}\b|\d{{1,2}}\b)(?P<pa_a>{_HALF})?",
    "clock": rf"(?P<cl_h>\d{{1,2}}):(?P<cl_m>\d\d)(?::(?P<cl_s>\d\d))?(?![\w:])z?(?P<cl_a>{_HALF})?|"
    rf"(?P<ck_h>\d{{1,2}}):(?P<ck_m>\d\d)(?P<ck_a>[ap]m\b)",
    "hour": rf"(?P<ho_h>\d{{1,2}}|{_HOUR})(?P<ho_a>\s?o'clock(?:{_HALF})?|{_HALF})",
    "noon": r"(?:noon|midnight|midday)\b",
    "phone": r"(?:\+\d[\d\s().-]{5,18}\d|\(\d{3}\)\s?\d{3}[-.]\d{4}|\d{3}[-.]\d{3}[-.]\d{4})(?![\w-])",
    "percent": rf"(?P<pe_n>{_NUMBER}|{WORDS})\s?(?:%|(?:percent|per cent|pct)\b)",
    "sign": rf"[$€£¥₹]\s?(?P<si_n>{_NUMBER})(?P<si_k>k)?{_ALONE}",
    "money": rf"(?P<mo_n>{_NUMBER}|{WORDS})(?P<mo_k>k)?\s?(?:[€£₹$](?!\w)|{_CURRENCY})",
    "ordinal": rf"\d+{_SUFFIX}",
    "unit": rf"(?P<un_n>\d+(?:\.\d+)?)(?:{_UNIT})",
    "number": rf"[+-]?(?P<nu_n>{_NUMBER})(?P<nu_k>k)?{_ALONE}",
    "code": r"\#?(?=[\w./\#:-]{0,300}\d)\w+(?:[./\#:-]+\w+)*",
    "words": rf"(?P<minus>minus )?(?P<wo_n>{WORDS})(?![\w-])",
}
_NUMBER_WORD = f"(?:{'|'.join((*ONES, *TENS, 'minus'))})"
_GUARD = (  # cheap, and false at most words: without it every alternative is tried at each of them
    rf"(?=[^\sa-z]{{0,100}}\d|[#\w./:+-]{{0,300}}[\d@]|[$€£¥₹]|https?:|www\.|\(\d|{_NUMBER_WORD}\b|{MONTH}|{_ANY_WEEKDAY}"
    rf"|the (?:\d|day )|(?:the )?[efnst][a-z -]{{1,12}}(?:st|nd|rd|th) of |in {_FEW} "
    rf"|an? (?:day|week|hundred|thousand|million|dozen|couple)|half |quarter |noon|midn"
    rf"|midd|to(?:day|night|morrow)|yesterday|(?:next|this|last|coming) {_WEEKDAY})"
)
_PATTERN = re.compile(
    rf"(?<![\w@]){_GUARD}(?:" + "|".join(f"(?P<{name}>{source})" for name, source in _ALTERNATIVES.items()) + ")"
)
"""Matches text in lower case, which takes a fifth of the time of ignoring case."""
_WORTH_READING = re.compile(
    r"\d|@|day|week|noon|midnight|tonight|tomorrow|www|half past|quarter|o'clock|"
    rf"\b(?:{'|'.join((*ONES, *TENS))}|hundred|thousand|million|dozen|couple)\b|ty-|mid"
    r"|[tdh] of [jfmasond]| the [efnst]\w{1,12}(?:st|nd|rd|th)\b"  # "ninth of April", "April the ninth"
)
_NOT_ONE_BEFORE = re.compile(
    r"\b(?:the|that|this|no|any|which|each|every|another|other|some|right|wrong|new|old|same|last|first|second|good|"
    r"whole|just the|only|either|neither|correct|my|your|first)\s$",
    re.IGNORECASE,
)
_NOT_ONE_AFTER = re.compile(
    r"\s(?:of|that|who|for|more|in|at|on|from|with|to|is|was|by|and|or|thing|moment|sec|second|i|we|you|which"
    r"|called|as|way|last|again|after|before|day|another|has|will|would|should|can|if|the|too|instead)\b|'",
    re.IGNORECASE,
)


_VERBATIM: dict[str, Sort] = {"email": "email", "url": "url", "phone": "phone", "code": "code"}

_ONE_CLOSES = re.compile(r"\s*(?:$|[,.!?;:]|(?:please|pls|then|thanks)\b)", re.IGNORECASE)
_ONE_AS_ANSWER = re.compile(
    r"(?:^\W*|\b(?:it|it's|just|only|for|say|be|to|is|quantity|exactly|number)\s)$", re.IGNORECASE
)


@lru_cache(maxsize=4096)
def scan(text: str, today: date | None) -> tuple[Quantity, ...]:
    """Return all quantities of a text in order, without overlaps.

    Relative dates need `today`; without it they are left out, and a month and day without a year are a `PartialDate`.
    """
    lowered = _small(text)
    if not _WORTH_READING.search(lowered):
        return ()
    found = (_quantity(match, text, today) for match in _PATTERN.finditer(lowered))
    return tuple(quantity for quantity in found if quantity is not None)


@lru_cache(maxsize=65536)
def hints_at_quantity(word: str) -> bool:
    """Whether a word (see `tokens.words`) may be of a quantity; with `hints_between_words` a sieve for many texts."""
    return _WORTH_READING.search(f" the {word} past ") is not None


def hints_between_words(lowered: str) -> bool:
    """Whether a text in lower case may have a quantity by what is between its words.

    A text in which neither this nor `hints_at_quantity` of a word is true has no quantity.
    """
    if "@" in lowered or "_" in lowered or "ty-" in lowered or not lowered.isascii():
        return True
    return " of " in lowered and ("t of " in lowered or "d of " in lowered or "h of " in lowered)


def _small(text: str) -> str:
    return text.replace("İ", "I").lower()  # the only letter that becomes two


def _quantity(match: re.Match[str], text: str, today: date | None) -> Quantity | None:
    name = match.lastgroup or ""
    start, end = match.span()
    if name in _VERBATIM:
        return Quantity(_VERBATIM[name], text[start:end].removeprefix("#"), start, end)
    if name in _RELATIVE:
        day = _RELATIVE[name](match, today) if today else None
        return None if day is None else Quantity("date", day, start, end)
    if name in _DATES:
        value = _DATES[name](match, today)
        is_yearless = name in ("md", "dm") and not match[f"{name}_y"] and isinstance(value, date)
        sort: Sort = "month" if name == "month" else "date"
        return None if value is None else Quantity(sort, value, start, end, is_yearless)
    if name == "iso":
        moment = dates.parse_moment(text[start:end])
        sort = "datetime" if isinstance(moment, datetime) else "date"
        return None if moment is None else Quantity(sort, moment, start, end)
    if name in _TIMES:
        clock = _TIMES[name](match)
        return None if clock is None else Quantity("time", clock, start, end)
    return _number(name, match, text)


_LONGEST_NUMBER = 300
"""Characters; what is longer has no float, and from 4,300 digits on Python reads no number."""


def _number(name: str, match: re.Match[str], text: str) -> Quantity | None:
    start, end = match.span()
    if end - start > _LONGEST_NUMBER:
        return Quantity("code", text[start:end], start, end)
    if name == "percent":
        return Quantity("percent", _value(match["pe_n"]), start, end)
    if name in ("sign", "money"):
        digits, thousands = (match["si_n"], match["si_k"]) if name == "sign" else (match["mo_n"], match["mo_k"])
        return Quantity("money", _value(digits) * (1000 if thousands else 1), start, end)
    if name == "unit":
        return Quantity("number", _value(match["un_n"]), start, end)
    if name == "number":
        value = _value(match["nu_n"]) * (1000 if match["nu_k"] else 1)
        return Quantity("number", -value if match[0][0] == "-" else value, start, end)
    if name != "words" or _is_pronoun(match[0], text, start, end):
        return None
    value = _value(match["wo_n"])
    return Quantity("number", -value if match["minus"] else value, start, end)


def _value(digits_or_words: str) -> float:
    if not digits_or_words[0].isdigit():
        return from_words(digits_or_words)
    digits = digits_or_words.replace(",", "")
    return float(digits) if "." in digits else int(digits)


def _is_pronoun(word: str, text: str, start: int, end: int) -> bool:
    """Return True for `one` in `that one`, `one of them`; a bare answer `one` is a number."""
    if word != "one":
        return False
    if _ONE_CLOSES.match(text, end):
        return not _ONE_AS_ANSWER.search(text, 0, start)
    return bool(_NOT_ONE_BEFORE.search(text, max(0, start - 12), start)) or bool(_NOT_ONE_AFTER.match(text, end))


def _month_day(month: str, day: str, year: str | None, today: date | None) -> Content | None:
    month_number = dates.month_number(month)
    day_number = int(day) if day.isdigit() else _DAYS_IN_WORDS[day.replace(" ", "-")]
    if year:
        return dates.valid_date(int(year), month_number, day_number)
    if today is None:
        return PartialDate(month_number, day_number)
    return dates.resolve_month_day(month_number, day_number, today)


_NEAR = {
    "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1,
    "the day after tomorrow": 2, "the day before yesterday": -2,
}  # fmt: skip


def _days(number: str, unit: str) -> timedelta:
    count = 1 if number in ("a", "an") else int(number) if number.isdigit() else from_words(number)
    return timedelta(count * (7 if unit.startswith("week") else 1))


def _off(match: re.Match[str], today: date) -> date:
    distance, anchor = _days(match["of_n"], match["of_u"]), match["of_w"]
    return today - distance if anchor == "ago" else today + distance + timedelta("tomorrow" in anchor)


_DATES: dict[str, Callable[[re.Match[str], date | None], Content | None]] = {
    "md": lambda match, today: _month_day(match["md_m"], match["md_d"] or match["md_w"], match["md_y"], today),
    "dm": lambda match, today: _month_day(match["dm_m"], match["dm_d"] or match["dm_w"], match["dm_y"], today),
    "slash": lambda match, today: dates.parse_moment(match[0].replace(".", "/")),
    "month": lambda match, today: dates.valid_date(int(match["mo_y"]), dates.month_number(match["mo_m"]), 1),
}
_RELATIVE: dict[str, Callable[[re.Match[str], date], date | None]] = {
    "wd": lambda match, today: dates.resolve_weekday_day(
        dates.weekday_number(match["wd_w"]), int(match["wd_d"]), today
    ),
    "near": lambda match, today: today + timedelta(_NEAR[match[0]]),
    "ahead": lambda match, today: today + _days(match["ah_n"], match["ah_u"]),
    "off": _off,
    "which": lambda match, today: dates.resolve_weekday(
        dates.weekday_number(match["wh_d"]), today, which=match["wh_w"] or ""
    ),
    "dom": lambda match, today: dates.resolve_day(int(match["do_d"]), today),
}
"""Dates that are known only where today is."""


def _half_of_day(words: str | None) -> str:
    words = (words or "").replace(".", "")
    if "am" in words or "morning" in words:
        return "am"
    return "pm" if "pm" in words or "afternoon" in words or "evening" in words or "night" in words else ""


def _clock(match: re.Match[str]) -> time | None:
    hour, minute, half = (
        (match["cl_h"], match["cl_m"], match["cl_a"])
        if match["cl_h"]
        else (match["ck_h"], match["ck_m"], match["ck_a"])
    )
    number = int(hour) if len(hour) == 2 and not half else dates.spoken_hour(int(hour), _half_of_day(half))
    if number > 23 or int(minute) > 59 or int(match["cl_s"] or 0) > 59:
        return None
    return time(number, int(minute), int(match["cl_s"] or 0))


def _past(match: re.Match[str]) -> time | None:
    hour = dates.hour_word(match["pa_h"])
    if not hour:
        return None
    quarter = match["pa_q"]
    hour = dates.spoken_hour(hour, _half_of_day(match["pa_a"]))
    if quarter == "quarter to":
        return time((hour - 1) % 24, 45)
    return time(hour, 30 if quarter == "half past" else 15)


def _hour(match: re.Match[str]) -> time | None:
    hour = dates.hour_word(match["ho_h"])
    return time(dates.spoken_hour(hour, _half_of_day(match["ho_a"]))) if hour else None


_TIMES: dict[str, Callable[[re.Match[str]], time | None]] = {
    "clock": _clock,
    "past": _past,
    "hour": _hour,
    "noon": lambda match: time(0 if match[0] == "midnight" else 12),
}
