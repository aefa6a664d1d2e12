"""Values of a user's small talk: `since 1782`, `600 km away`, `140 guests`, `COVID-19`; none of the wanted tool's.

is_in_passing(...)   a year, a measure, or a day gone by, of which the tool takes none: no fault
may_be_passing(...)  a number with a noun of its own, another kind of code, or a name: asked again, and then kept
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from callwright.author.briefs import Known
from callwright.lang.kinds import Kind
from callwright.lang.quantities import Quantity, scan
from callwright.lang.tokens import STOP_WORDS, stem_set

_NUMBERS: Final = ("number", "money", "percent")
_AMOUNTS: Final[frozenset[Kind]] = frozenset(("money", "number", "count", "percent"))
_YEAR: Final = re.compile(r"1[0-9]\d\d|20\d\d")
_BEFORE_YEAR: Final = re.compile(
    r"\b(?:in|since|from|of|before|after|until|till|around|circa|about|year|spring|summer|autumn|fall|winter|the)\W{1,2}$",
    re.IGNORECASE,
)
_MEASURE: Final = re.compile(
    r"[\s-]?(?:(?:square|cubic) )?"
    r"(?:k?m|cm|mm|kilomet\w+|miles?|met(?:re|er)s?|feet|foot|inch\w*|kilos?|kg|kilogram\w*|grams?|tons?|tonnes?"
    r"|lit(?:re|er)s?|ml|degrees?|°|seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|times|per ?cent"
    r"|%|kids|children|steps|calls|emails?|mails|messages|floors?|th|st|nd|rd)(?!\w)",
    re.IGNORECASE,
)
_AGE: Final = re.compile(
    r"\b(?:he|she|who|i|mum|mom|dad|mother|father|son|daughter|wife|husband|gran\w*|aunt|uncle|boss|age|aged)"
    r"(?:'s| is|'m| am| was| will be|'ll be| turn(?:s|ed)| has turned)?\s"
    r"(?:(?:now|already|almost|nearly|only|just|over|past|of|still)\s)?$",
    re.IGNORECASE,
)
_SHARE: Final = re.compile(r"\b(half|double|twice|triple|third|quarter)\b", re.IGNORECASE)
_TIMES: Final = {"half": 1 / 2, "double": 2, "twice": 2, "triple": 3, "third": 1 / 3, "quarter": 1 / 4}
_MORE: Final = re.compile(
    r"\b(?:more|less|fewer|extra|another|additional|longer|shorter|on top|minus|plus|off)\b", re.IGNORECASE
)
_GONE: Final = re.compile(
    r"\b(?:yesterday|last night|last \w+day|since (?:last )?\w+day|\w+ (?:days?|weeks?) ago|this morning)\b",
    re.IGNORECASE,
)
_NOUN_AFTER: Final = re.compile(r"[\s-]{1,2}([^\W\d_]{3,})")
_NOUN_BEFORE: Final = re.compile(
    r"\b(room|lane|page|floor|platform|gate|line|route|bus|tram|train|highway|road|chapter|version|windows|match|game)\s$",
    re.IGNORECASE,
)


def is_in_passing(value: str, text: str, known: Sequence[Known], today: date | None) -> bool:
    """Return whether a foreign value of a text is a year, a measure or a day gone by that the tool does not take."""
    at = text.find(value)
    before, after = text[: max(at, 0)], text[at + len(value) :]
    found = next(iter(scan(value, today)), None)
    if at < 0 or found is None:
        return False
    if found.sort in ("date", "datetime"):
        own = [date.fromisoformat(str(one.value)[:10]) for one in known if _IS_DAY.match(str(one.value))]
        is_past = _GONE.search(text[max(0, at - 12) : at + len(value) + 1]) is not None
        return is_past and today is not None and all(day >= today for day in own)
    if found.sort not in _NUMBERS:
        return False
    if (
        _YEAR.fullmatch(value)
        and _BEFORE_YEAR.search(before[-12:])
        and not any(one.slot.kind == "year" for one in known)
    ):
        return True
    if found.sort == "money" and not any(one.slot.kind in _AMOUNTS for one in known):
        return True  # an amount with its currency is no code
    measure = _MEASURE.match(after) or _MEASURE.search(value)
    return measure is not None and stem_set(measure[0]).isdisjoint(_nouns(known))


_IS_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


def may_be_passing(value: str, text: str, known: Sequence[Known], today: date | None) -> bool:
    """Return whether a foreign value of a text may be of something else than the tool takes."""
    at, scanned = text.find(value), scan(value, today)
    if at < 0:
        return False
    if not scanned:
        return True  # a full name, as of a colleague who has called
    if scanned[0].sort == "code":
        return _form(value) not in {_form(str(one.value)) for one in known if one.slot.kind == "code"}
    if scanned[0].sort not in _NUMBERS:
        return False
    is_age = _AGE.search(text, max(0, at - 40), at) is not None
    return is_age or _has_own_noun(scanned[0], at, text, known) or _is_a_base(scanned[0], text, known, today)


def _is_a_base(one: Quantity, text: str, known: Sequence[Known], today: date | None) -> bool:
    """Whether a known number is told by another one: `he wants 15, but I'd say half of that`."""
    assert isinstance(one.value, int | float)
    share = _SHARE.search(text)
    by = _TIMES[share[1].lower()] if share else 0
    numbers = [one.value for one in known if isinstance(one.value, int | float)]
    others = [other.value for other in scan(text, today) if isinstance(other.value, int | float)]
    is_moved = _MORE.search(text) is not None and any(
        abs(one.value - other) in numbers or one.value + other in numbers for other in others
    )
    return one.value * by in numbers or is_moved


def _has_own_noun(one: Quantity, at: int, text: str, known: Sequence[Known]) -> bool:
    beside = (_NOUN_AFTER.match(text, at + one.end - one.start), _NOUN_BEFORE.search(text[max(0, at - 30) : at]))
    nouns = [found[1] for found in beside if found is not None and found[1].lower() not in STOP_WORDS]
    return bool(nouns) and stem_set(" ".join(nouns)).isdisjoint(_nouns(known))


def _nouns(known: Sequence[Known]) -> frozenset[str]:
    """The stems of what the tool's values are called."""
    return stem_set(
        " ".join(f"{one.slot.noun.text} {one.slot.name.replace('_', ' ')} {one.slot.description}" for one in known)
    )


def _form(code: str) -> str:
    return re.sub(r"[a-z]", "a", re.sub(r"\d", "9", code.lower()))
