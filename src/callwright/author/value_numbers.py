"""Numbers that people would use: round where people round, small where they count, within a schema's bounds."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from importlib.resources import files
from random import Random

import msgspec

from callwright.lang.kinds import Kind
from callwright.lang.schemas import described_text, type_of
from callwright.records.jsontext import Json

LARGEST = 1e15
"""Bounds from here on are none: floating point numbers this large are not exact."""


_FINEST = 1e-9
"""Steps below this are none: dividing by them leaves the range of numbers."""


class Bounds(msgspec.Struct, frozen=True):
    """Where a number must lie; None where nothing is said. `step` is its unit, such as 5 or 0.01."""

    low: float | None
    high: float | None
    step: float | None


_RANGE = re.compile(
    r"(?:ranging from|between|range of|range is|from|range) (-?\d+(?:\.\d+)?)(?: \([^()]{1,40}\))? (?:to|and) "
    r"(-?\d+(?:\.\d+)?)"
    r"|[\[(](-?\d+(?:\.\d+)?) ?(?:-|to|,|–) ?(\d+(?:\.\d+)?)[\])]"
)


def bounds_of(schema: dict[str, Json]) -> Bounds:
    """Return the bounds that a schema or, failing that, its description gives."""
    low, high = _number(schema, "minimum"), _number(schema, "maximum")
    step = _number(schema, "multipleOf")
    unit = step or (1 if type_of(schema) == "integer" else 0.01)
    if (above := _number(schema, "exclusiveMinimum")) is not None:
        low = above + unit
    if (below := _number(schema, "exclusiveMaximum")) is not None:
        high = below - unit
    if low is None and high is None and (found := _RANGE.search(described_text(schema))):
        low, high = float(found[1] or found[3]), float(found[2] or found[4])
        low, high = (low, high) if low < high else (None, None)
    elif low is None and high is None:
        said = described_text(schema)[:400]
        low, high = _said(_LEAST, said), _said(_MOST, said)
        low, high = (None, None) if low is not None and high is not None and low >= high else (low, high)
    return Bounds(low, high, step if step and step >= _FINEST else None)


_LEAST = re.compile(
    r"\b(?:min(?:imum)?(?: (?:value|size|is|of|value is|value of))?|at least|greater than|no less than)[ :=]{1,2}"
    r"(\d{1,9}+)(?![\d.,%]\d| (?:or|and|to) \d)"
)
_MOST = re.compile(
    r"\b(?:max(?:imum)?(?: (?:value|size|is|of|value is|value of|allowed is))?|at most|up to|less than|no more than)"
    r"[ :=]{1,2}(\d{1,9}+)(?![\d.,%]\d| (?:char|bytes?\b|kb\b|mb\b))"
)
"""Bounds that only a description has."""


def _said(pattern: re.Pattern[str], described: str) -> float | None:
    found = pattern.search(described)
    return float(found[1]) if found else None


def _number(schema: dict[str, Json], key: str) -> float | None:
    value = schema.get(key)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < LARGEST else None


_USUAL: dict[str, tuple[float, ...]] = {
    word: tuple(values)
    for named, values in json.loads(
        files("callwright.author").joinpath("data/values/numbers.json").read_bytes()
    ).items()
    for word in reversed(named.split())
}
"""Numbers that are usual for a parameter, by a word of its name."""
_COUNTS = (2, 3, 4, 5, 6, 8, 10, 12)
_OF_FILES = (("content", "length"), ("file", "size"), ("size", "bytes"))
_BYTES = re.compile(r"\b(?:size|length)\b.{0,30}\bbytes\b")
_SIZES = (18_432, 42_750, 96_318, 183_512, 412_900, 1_048_576, 2_415_616)
"""Usual lengths of files, in bytes."""
_PERCENTS = (5, 10, 12, 15, 20, 25, 30, 40, 50)
_UNITS = re.compile(
    r"\b(seconds|minutes|hours|days|weeks|months|years|kilometers|kilometres|celsius|fahrenheit|kelvin)\b"
)


def usual_values(kind: Kind, words: tuple[str, ...], described: str) -> tuple[float, ...]:
    """Return numbers that are usual for a parameter, by its unit first, then by the words of its name."""
    if kind == "percent":
        return _PERCENTS
    if words[-2:] in _OF_FILES or _BYTES.search(described[:80]):
        return _SIZES
    unit = _UNITS.search(described)
    named = (unit[1],) if unit and not set(words) & {"age", "year", "page", "limit"} else ()
    for word in (*named, *reversed(words)):
        if word in _USUAL:
            return _USUAL[word]
    return _COUNTS


def draw_money(rng: Random, bounds: Bounds, words: frozenset[str], *, whole: bool) -> float:
    """Return an amount such as 45, 89.90 or 1,250, log-uniform between bounds or usual ends."""
    low, high = bounds.low, bounds.high
    if words & {"salary", "income", "mortgage", "loan"}:
        usual = (24_000.0, 96_000.0)
    elif words & {"budget", "revenue", "deal", "principal"}:
        usual = (1_500.0, 60_000.0)
    elif words & {"price", "fee", "fare", "tip", "cost", "fees"}:
        usual = (8.0, 400.0)
    else:
        usual = (20.0, 4_000.0)
    low = low if low is not None else min(usual[0], high if high is not None else usual[0])
    high = high if high is not None else max(usual[1], low * 10)
    first, last = max(low, 0.01, min(usual[0], high)), max(min(high, usual[1]), low, 0.01)
    amount = math.exp(rng.uniform(math.log(min(first, last)), math.log(max(first, last))))
    if not whole and amount < 300 and rng.random() < 0.45:
        return fit(math.floor(amount) + rng.choice((0.5, 0.9, 0.9, 0.4, 0.2, 0.75)), bounds, whole=False)
    return fit(human(amount), bounds, whole=whole)


def human(amount: float) -> float:
    """Return an amount rounded as people round: two digits that count, or a half."""
    if amount < 20:
        return float(round(amount))
    unit = 10 ** (math.floor(math.log10(amount)) - 1)
    return float(round(amount / unit / 5) * 5 * unit) if amount >= 1000 else float(round(amount / 5) * 5)


def fit(number: float, bounds: Bounds, *, whole: bool) -> float:
    """Return the number nearest to `number` that keeps to the bounds and the step."""
    if bounds.low is not None:
        number = max(number, bounds.low)
    if bounds.high is not None:
        number = min(number, bounds.high)
    if bounds.step:
        number = round(round(number / bounds.step) * bounds.step, 10)
        number += bounds.step if bounds.low is not None and number < bounds.low else 0
        number -= bounds.step if bounds.high is not None and number > bounds.high else 0
    return round(number) if whole else round(number, 6)


def draw_usual(rng: Random, values: tuple[float, ...], bounds: Bounds, *, whole: bool) -> float:
    """Return one of the usual values that keep to the bounds; else a number between them."""
    low = bounds.low if bounds.low is not None else -math.inf
    high = bounds.high if bounds.high is not None else math.inf
    kept = [value for value in values if low <= value <= high and not (whole and value % 1)]
    if kept:
        return fit(rng.choice(kept), bounds, whole=whole)
    bottom = low if low > -math.inf else min(high, 0.0)
    top = min(high, bottom + max(10.0, abs(bottom)))
    number = rng.uniform(bottom, top)
    if top - bottom >= 10:
        return fit(human(number), bounds, whole=whole)
    return fit(float(round(number)) if top - bottom >= 2 else round(number, 2), bounds, whole=whole)


_PARTS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1.0, 1.1, 1.2, 1.25, 1.4, 1.5)
_UNITS_SHOWN = (1000, 500, 100, 50, 10, 5, 1, 0.5, 0.25, 0.1, 0.05, 0.01)
_LEAST_STEPS = 4
_FIRST_YEAR, _LAST_YEAR = 1800, 2035
_YEARS_OFF = (-6, -5, -4, -3, -2, -1, 0, 1)
"""What is added to a number that is a year, as `vintage` is: 2018."""
_PRECISE = 3
_LAST_DIGITS = (-24, -15, -9, -4, 0, 3, 8, 14, 23)
"""What is added to the last digits of a number with so many decimals that it can hardly be much more or less."""
_MOST_OF: dict[str, float] = {
    "month": 12, "hour": 23, "minute": 59, "second": 59, "day": 28, "week": 52, "quarter": 4, "weekday": 7,
    "rating": 5, "stars": 5, "score": 10, "grade": 10, "ph": 14,
}  # fmt: skip
"""The largest number that a parameter of a name has, unless its document shows a larger one."""


def near_shown(shown: float, words: tuple[str, ...] = ()) -> tuple[float, ...]:
    """Return numbers near the one that a document shows, as round as it is, with it among them.

    >>> near_shown(4), near_shown(11, ("month",)), near_shown(3.5)
    ((2, 3, 4, 5, 6), (6, 7, 8, 9, 10, 11, 12), (2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0))
    """
    if abs(shown) < _FINEST or abs(shown) >= LARGEST:
        return (shown,)
    whole = float(shown).is_integer()
    if (decimals := len(f"{shown:.9g}".partition(".")[2])) >= _PRECISE:
        return tuple(round(shown + step / 10**decimals, decimals) for step in _LAST_DIGITS)
    fine = [unit for unit in _UNITS_SHOWN if abs(shown / unit - round(shown / unit)) < _FINEST]
    fine = [unit for unit in fine if unit >= 1] if whole else fine
    unit = next((unit for unit in fine if abs(shown) >= _LEAST_STEPS * unit), fine[-1] if fine else 0.01)
    parts = [round(round(shown * part / unit) * unit, 6) for part in _PARTS]
    near = {shown, *parts, *((shown + 1, shown + 2) if whole and 0 < shown < _LEAST_STEPS else ())}
    if unit == 1 and _FIRST_YEAR <= shown <= _LAST_YEAR:
        return tuple(int(shown) + years for years in _YEARS_OFF)
    limits = [limit for word, limit in _MOST_OF.items() if word in words[-1:]]
    most = 1.0 if 0 < shown < 1 else next((limit for limit in limits if shown <= limit), math.inf)
    return tuple(sorted(int(one) if whole else one for one in near if abs(one) >= abs(shown) / 2 and one <= most))


_FEW = 3
"""So many usual numbers near a shown one are enough to draw from."""


def near_all(shown: Sequence[float], usual: Sequence[float], words: tuple[str, ...] = ()) -> tuple[float, ...]:
    """Return numbers near those that a document shows: usual ones from half to double of one, where it is usual itself.

    Empty where it shows none.

    >>> near_all((20,), (5, 10, 15, 20, 50)), near_all((92,), (5, 10, 15))[:4], near_all((), (5, 10))
    ((10, 15, 20), (46, 55, 64, 69), ())
    """
    near: dict[float, None] = {}
    for value in shown:
        alike = [one for one in usual if value / 2 <= one <= value * 2] if value in usual else []
        near.update(dict.fromkeys(alike if len(alike) >= _FEW else near_shown(value, words)))
    return tuple(near)


_NUMBER_TOLD = r"[-+]?(?:\d{1,3}(?:,\d{3}){1,3}|\d{1,9})(?:\.\d{1,6})?(?![\w:/-]|\.\d|,\d| ?=| (?:for|is|means|to)\b)"
_TOLD = re.compile(
    rf"\b(?:e\.?g\.?|for example|for instance|such as)[,:]? [`'\"]?[$€£]?"
    rf"({_NUMBER_TOLD}(?:(?:,| or| and|, or|, and) {_NUMBER_TOLD})*)",
    re.IGNORECASE,
)


def told_numbers(described: str) -> tuple[float, ...]:
    """Return the numbers that a description gives as examples; no dates, ranges or codes that it explains.

    >>> told_numbers("Humidity, e.g. 92"), told_numbers("such as 1,200.50 or 80"), told_numbers("e.g. 1 for a")
    ((92.0,), (1200.5, 80.0), ())
    """
    found = _TOLD.search(described)
    told = re.findall(_NUMBER_TOLD, found[1]) if found else []
    return tuple(float(one.replace(",", "")) for one in told)
