"""Numbers and times of day that follow from what was said and returned: a sum, a difference, so much each, a rounding.

A number follows from others where it is what people work out: `66.50 together`, `42 each`, `in 68 days`, `1.8 litres`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import date, time
from itertools import product
from typing import Final
from unicodedata import numeric

from callwright.lang.dates import hour_word, spoken_hour
from callwright.lang.numbers import ONES, WORDS, from_words
from callwright.lang.quantities import scan

MOST: Final = 60
"""Numbers that are put together; of more the last count."""
_ABOUT: Final = re.compile(
    r"\b(?:about|around|roughly|approximately|nearly|almost|some|over|under|above|below|just|circa|ca|more than"
    r"|less than|up to|close to|not quite|good|well)\W{0,3}(?:[€$£]\s?)?$",
    re.IGNORECASE,
)
_NEARLY: Final = 0.06
"""Share by which a number that is said roughly may differ."""
_SCALES: Final = (1, 7, 12, 24, 30, 60, 100, 365, 1000, 3600)
"""Of units: days of a week, months of a year, minutes of an hour, millilitres of a litre."""
UNITS: Final = (1, 7, 12, 60, 100, 1000)
"""How many of a smaller unit people count as one of a larger: an hour and a half are 90 minutes, a week is 7 days."""
_SHARES: Final = (2, 3, 4, 5, 6, 7, 10, 12, 24, 30, 31, 52, 365)
"""By which people divide and multiply: the months of a quarter, the days of a week."""
_WORKS_OUT: Final = re.compile(
    r"\b(?:together|in (?:all|total)|all in all|altogether|total(?:s|ling)?|sum|each|apiece|per|every|an? (?:day|night"
    r"|week|month|year|hour|minute|word|piece|person|head|seat|kilo\w*|lit\w+|page|bottle)|more|less|fewer|left|remain\w*"
    r"|later|earlier|longer|shorter|save\w?|cheaper|dearer|difference|average|twice|half|so|makes?|comes? to|which is"
    r"|that(?:'s| is)|those are|days|weeks|months|hours|minutes|litres?|liters?|dozen|cents?|per ?cent|%)(?!\w)|%",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(
    rf"\b(?P<m>an?\squarter|quarter|half|{WORDS}|\d{{1,2}})(?:\sminutes)?\s(?P<w>to|before|past|after)\s"
    r"(?P<h>[a-z]{3,6}|\d{1,2})\b(?P<a>\s?[ap]\.?m\b|\sin the (?:morning|afternoon|evening)|\sat night)?",
    re.IGNORECASE,
)
_HALF_OF_DAY = r"(?P<a>\s?[ap]\.?m\b|\sin the (?:morning|afternoon|evening)|\sat night)"
_HALF_PAST: Final = re.compile(rf"\bhalf\s(?P<h>{'|'.join(ONES[1:13])})\b{_HALF_OF_DAY}?", re.IGNORECASE)
"""As the British say it: `half six`."""
_READ_OUT: Final = re.compile(
    rf"\b(?P<b>at|from|by|until|till|to|around|about|before|after)?\s?\b(?P<h>{'|'.join(ONES[1:13])})[\s-]"
    rf"(?P<m>(?:oh|zero)[\s-](?:{'|'.join(ONES[1:10])})|{'|'.join(ONES[10:])}|(?:twenty|thirty|forty|fifty)(?:[\s-](?:{'|'.join(ONES[1:10])}))?)\b"
    rf"{_HALF_OF_DAY}?",
    re.IGNORECASE,
)
"""`at six thirty`, `seven oh five in the morning`."""
_DOZENS: Final = re.compile(rf"\b(?P<n>{WORDS}|\d{{1,3}})\s(?P<u>dozen|score)\b", re.IGNORECASE)
_PART = r"(?P<p>half|quarters?|thirds?|fifths?|tenths?)\b"
_SOME = r"(?P<s>an?|one|two|three|four)"
_AND_A_HALF: Final = re.compile(
    rf"\b(?P<n>{WORDS}|\d{{1,6}}|an?)(?:\s(?!and\b)\w{{1,12}})?\s(?:and\s)?{_SOME}[\s-]{_PART}(?:\s(?P<k>thousand|million))?",
    re.IGNORECASE,
)
_PART_ALONE: Final = re.compile(
    rf"\b(?:{_SOME}[\s-])?{_PART}(?=\s(?:an?|of an?)\s)(?:\s(?:of\s)?an?\s(?P<k>thousand|million))?", re.IGNORECASE
)
_POINT: Final = re.compile(
    rf"\b(?P<n>{WORDS}|\d{{1,6}})\s(?:point|comma)\s(?P<d>\d{{1,4}}|(?:{'|'.join(ONES[:10])}|oh)\b"
    rf"(?:\s(?:{'|'.join(ONES[:10])}|oh)\b){{0,3}}|{WORDS})(?:\s(?P<k>thousand|million))?",
    re.IGNORECASE,
)
_SCALED: Final = re.compile(
    r"\b(?P<n>\d{1,6}(?:\.\d{1,3})?)\s?(?P<k>hundred|thousand|million|grand|k|m)\b", re.IGNORECASE
)
_SIGNED: Final = re.compile(r"(?P<n>\d{0,6})\s?(?P<s>[½¼¾⅓⅔])|\b(?P<w>\d{1,6}\s)?(?P<a>[1-9])/(?P<b>[2-9])(?![\d/])")
_POINTED: Final = re.compile(
    rf"(?P<n>{WORDS}|\d{{1,6}})\s(?:\w{{3,8}}\s)?(?:and\s)?(?P<c>{WORDS}|\d\d)\b", re.IGNORECASE
)
_TENTH: Final = 10
_HUNDRED: Final = 100
_AN_HOUR: Final = 60


def number_follows(number: float, digits: int, known: Collection[float]) -> bool:
    """Return whether two known numbers give this one, as exactly as its decimal `digits` say."""
    some = list(dict.fromkeys(abs(one) for one in known))[-MOST:]
    wanted = abs(number)
    pairs = (*product(some, some), *product(some, _SHARES))
    return any(abs(round(one, digits) - wanted) < 1e-9 for pair in pairs for one in _made_of(*pair))


def is_rounded(number: float, before: str, known: Collection[float]) -> bool:
    """Return whether a number is near a known one, in one unit or another; `before` are the words before it."""
    reach = _NEARLY if _ABOUT.search(before[-30:]) else 1e-9
    scaled = (abs(one) * by for one in known for scale in _SCALES for by in (scale, 1 / scale))
    return any(abs(one - abs(number)) <= reach * max(one, 1e-9) for one in scaled)


def is_working_out(sentence: str) -> bool:
    """Return whether a sentence tells something that is worked out: `66.50 together`, `42 each`."""
    return _WORKS_OUT.search(sentence) is not None


def _made_of(one: float, other: float) -> Iterator[float]:
    yield from (one + other, abs(one - other), one * other)
    if other:
        yield from (one / other, abs(one - other) / other * _HUNDRED, one / other * _HUNDRED)


def lengths_between(days: Collection[date]) -> set[float]:
    """Return the days and weeks between days, with the first one and without."""
    apart = {abs((one - other).days) for one, other in product(days, days)}
    return {float(one + more) for one in apart for more in (0, 1)} | {round(one / 7, 1) for one in apart}


def numbers_spelled(text: str) -> set[float]:
    """Return numbers that are said otherwise than by a numeral: `three dozen`, `two and a half`, `forty-two fifty`."""
    return {number for _, _, number in spans_spelled(text)}


def spans_spelled(text: str) -> Iterator[tuple[int, int, float]]:
    """Yield spans and numbers: dozens, fractions (`three and three quarters`), decimals (`two point five`), cents."""
    for one in _DOZENS.finditer(text):
        yield *one.span(), _value(one["n"]) * (12 if one["u"].lower() == "dozen" else 20)
    for one in _AND_A_HALF.finditer(text):
        yield *one.span(), _exact((_value(one["n"]) + _share(one["s"], one["p"])) * _scale(one["k"]))
    for one in _PART_ALONE.finditer(text):
        yield *one.span(), _exact(_share(one["s"], one["p"]) * _scale(one["k"]))
    for one in _POINT.finditer(text):
        yield *one.span(), _exact(float(f"{int(_value(one['n']))}.{_decimals(one['d'])}") * _scale(one["k"]))
    for one in _SCALED.finditer(text):
        yield *one.span(), _exact(float(one["n"]) * _scale(one["k"]))
    for one in _SIGNED.finditer(text):
        share = numeric(one["s"]) if one["s"] else int(one["a"]) / int(one["b"])
        yield *one.span(), _exact(float(one["n"] or one["w"] or 0) + share)
    for one in _POINTED.finditer(text):
        cents = _value(one["c"])
        if _TENTH <= cents < _HUNDRED:
            yield *one.span(), _value(one["n"]) + cents / _HUNDRED


_PARTS: Final = {"half": 2, "quarter": 4, "third": 3, "fifth": 5, "tenth": 10}
_SCALES_SAID: Final = {
    "hundred": 100,
    "thousand": 1_000,
    "grand": 1_000,
    "k": 1_000,
    "million": 1_000_000,
    "m": 1_000_000,
}


def _share(some: str | None, part: str) -> float:
    return _value(some or "a") / _PARTS[part.lower().removesuffix("s")]


def _scale(word: str | None) -> int:
    return _SCALES_SAID[word.lower()] if word else 1


def _decimals(said: str) -> str:
    """The digits after the point: `two five`, `twenty-five`, `oh five`."""
    if said.isdigit():
        return said
    apart = [*ONES[:10], "oh"]
    words = said.lower().split()
    if all(word in apart for word in words):
        return "".join(str(apart.index(word) % 10) for word in words)
    return str(from_words(said))


def _exact(number: float) -> float:
    return round(number, 6)


def clocks_spelled(text: str) -> Iterator[tuple[int, int, time]]:
    """Yield spans and times such as `twenty to eight in the morning`, `half six`, `at seven fifteen`."""
    yield from _read_out(text)
    for one in _CLOCK.finditer(text):
        hour, words = hour_word(one["h"]), one["m"].lower()
        minutes = 15 if "quarter" in words else 30 if words == "half" else int(_value(words))
        is_span = minutes % 5 != 0 and "minute" not in one[0].lower()  # "six to eight" are two hours
        if not hour or minutes >= _AN_HOUR or is_span:
            continue
        hour = _hour_of_day(one["h"], one["a"])
        total = hour * _AN_HOUR + (minutes if one["w"].lower() in ("past", "after") else -minutes)
        yield one.start(), one.end(), time(total // _AN_HOUR % 24, total % _AN_HOUR)


def _read_out(text: str) -> Iterator[tuple[int, int, time]]:
    for one in _READ_OUT.finditer(text):
        if one["b"] or one["a"]:
            minutes = int(_value(re.sub(r"^(?:oh|zero)[\s-]", "", one["m"].lower())))
            yield one.start("h"), one.end(), time(_hour_of_day(one["h"], one["a"]), minutes)
    for one in _HALF_PAST.finditer(text):
        yield one.start(), one.end(), time(_hour_of_day(one["h"], one["a"]), 30)


def _hour_of_day(word: str, half: str | None) -> int:
    words = (half or "").lower()
    is_am = "am" in words or "morning" in words or "a." in words
    is_pm = "p" in words or "afternoon" in words or "evening" in words or "night" in words
    return spoken_hour(hour_word(word) or 0, "am" if is_am else "pm" if is_pm else "")


def is_same_clock(said: time, known: time, before: str) -> bool:
    """Return whether two times are the same on the face of a clock, within ten minutes after `about`."""
    apart = abs((said.hour - known.hour) * _AN_HOUR + said.minute - known.minute) % (12 * _AN_HOUR)
    reach = _TENTH if _ABOUT.search(before[-30:]) else 0
    return min(apart, 12 * _AN_HOUR - apart) <= reach


def all_numbers(text: str, today: date | None) -> set[float]:
    """Return the numbers of a text, as numerals and spelled in other ways."""
    scanned = {float(one.value) for one in scan(text, today) if isinstance(one.value, int | float)}
    return scanned | numbers_spelled(text)


def _value(words: str) -> float:
    return 1 if words.lower() in ("a", "an") else int(words) if words.isdigit() else from_words(words)
