"""Lengths of time that are said in another unit than the parameter's: "half an hour" for 30 minutes.

unit_of(name, description)      the unit that a parameter counts: `minutes`, "length in weeks"
says_length(text, value, unit)  whether a text says so many units, in whatever unit
length_forms(value, unit)       such ways to say it
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final

from callwright.lang.numbers import WORDS, from_words, in_words
from callwright.lang.schemas import name_words
from callwright.records.jsontext import Json

_SECONDS: Final = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800, "fortnight": 1_209_600}
_MONTHS: Final = {"month": 1, "year": 12}
"""Of no fixed length in days."""
_SHORT: Final = {"sec": "second", "min": "minute", "hr": "hour"}
_COUNTED: Final = "seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|fortnights?|months?|years?"
_NUMBER: Final = rf"\d{{1,6}}(?:\.\d{{1,3}})?|an?|{WORDS}"
_LENGTH: Final = re.compile(
    rf"(?<![\w.,])(?:(?P<part>half|(?:a |one )?quarter of|three quarters of|three-quarters of) an? (?P<of>{_COUNTED})"
    rf"|(?P<number>{_NUMBER})(?P<more> and a half)?[ -](?P<unit>{_COUNTED})(?: and (?:a )?(?P<rest>half|quarter))?)\b"
)
_UNIT_TOLD: Final = re.compile(
    r"(?:^(?:the )?|\b(?:in|of|how many|whole|full) )(seconds|minutes|hours|days|weeks|months|years)\b(?! ago)"
)
_UNITS: Final = frozenset("seconds secs minutes mins hours hrs days weeks months years".split())
_RATE: Final = re.compile(r"(?:\d|\b(?:per|once|twice|times|euros?|dollars?|pounds?|francs?|percent|%))\s*$")
"""Before "an hour", which is then no length: "20 euros an hour"."""
_GOES_ON: Final = re.compile(r",? (?:and )?|, ?")
_PARTS: Final = {"half": Fraction(1, 2), "three": Fraction(3, 4), "quarter": Fraction(1, 4)}
_LONGEST_TEXT: Final = 20_000
_MOST: Final = 10**6


@lru_cache(maxsize=4096)
def unit_of(name: str, description: str) -> str:
    """Return the unit of time that a parameter counts by its name or the beginning of its description, else nothing.

    >>> unit_of("lesson_minutes", ""), unit_of("length", "Length of the rental in weeks."), unit_of("day", "")
    ('minute', 'week', '')
    """
    named = [word for word in name_words(name)[-1:] if word in _UNITS]
    told = _UNIT_TOLD.search(description[:200].lower())
    return _unit(named[0]) if named else _unit(told[1]) if told else ""


def says_length(text: str, value: Json, unit: str) -> bool:
    """Whether a text says so many units, in this or another unit."""
    wanted = _exact(value)
    if not unit or wanted is None:
        return False
    scale, size = _scale(unit)
    return (scale, wanted * size) in _lengths(text[:_LONGEST_TEXT])


def length_forms(value: Json, unit: str) -> tuple[str, ...]:
    """Return ways to say so many units in other units: all that come out in halves and quarters."""
    wanted = _exact(value)
    if not unit or wanted is None:
        return ()
    scale, size = _scale(unit)
    sizes = _SECONDS if scale == "second" else _MONTHS
    return tuple(
        way for other, length in sizes.items() if other != unit for way in _ways(wanted * size / length, other)
    )


def _ways(count: Fraction, unit: str) -> Iterator[str]:
    whole, rest = divmod(count, 1)
    article = "an" if unit == "hour" else "a"
    parts = {Fraction(1, 2): "half", Fraction(1, 4): "a quarter of", Fraction(3, 4): "three quarters of"}
    if count in parts:
        yield f"{parts[count]} {article} {unit}"
    if count == 1:
        yield f"{article} {unit}"
    if whole and rest == Fraction(1, 2):
        yield f"{article} {unit} and a half" if whole == 1 else f"{in_words(int(whole))} and a half {unit}s"
    if (count * 4).denominator == 1 and count < _MOST:
        yield f"{int(count) if not rest else float(count)} {unit}{'s' * (count != 1)}"


@lru_cache(maxsize=4096)
def _lengths(text: str) -> frozenset[tuple[str, Fraction]]:
    """All lengths in a text, in seconds or months; "an hour and ten minutes" is one."""
    small = " ".join(text.replace("İ", "I").lower().split())
    found: list[tuple[str, Fraction]] = []
    end, last = -1, Fraction(0)
    for match in _LENGTH.finditer(small):
        if match["number"] in ("a", "an") and _RATE.search(small, max(0, match.start() - 12), match.start()):
            continue
        scale, size = _scale(_unit(match["unit"] or match["of"]))
        length = _count(match) * size
        goes_on = found and size < last and scale == found[-1][0] and _GOES_ON.fullmatch(small, end, match.start())
        found.append((scale, found.pop()[1] + length if goes_on else length))
        end, last = match.end(), Fraction(size)
    return frozenset(found)


def _count(match: re.Match[str]) -> Fraction:
    if match["part"]:
        return next(size for word, size in _PARTS.items() if word in match["part"])
    said = match["number"]
    count = Fraction(said) if said[0].isdigit() else Fraction(1 if said in ("a", "an") else from_words(said))
    return count + (_PARTS["half"] if match["more"] else 0) + (_PARTS[match["rest"]] if match["rest"] else 0)


def _scale(unit: str) -> tuple[str, int]:
    return ("month", _MONTHS[unit]) if unit in _MONTHS else ("second", _SECONDS[unit])


def _unit(word: str) -> str:
    one = word.removesuffix("s")
    return _SHORT.get(one, one)


def _exact(value: Json) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return Fraction(str(value)) if 0 < value < _MOST else None
