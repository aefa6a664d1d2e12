"""Whether a text carries exactly the values it was meant to carry."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from callwright.author.briefs import Known
from callwright.lang.durations import says_length, unit_of
from callwright.lang.kinds import Kind
from callwright.lang.surface import forms, mentions
from callwright.lang.tokens import stem_set

_UNSAYABLE: frozenset[Kind] = frozenset(("boolean", "object", "other"))
"""Kinds whose values are worded as consequences or piece by piece, and so cannot be found again as they stand."""

TELLING: frozenset[Kind] = frozenset(
    ("code", "email", "phone", "url", "person", "date", "datetime", "time", "money", "title", "text", "city", "year")
)
"""Kinds whose values are rarely said by chance; small numbers and listed choices are."""


def is_sayable(known: Known) -> bool:
    """Whether the value can be looked for in a text at all."""
    return known.slot.kind not in _UNSAYABLE


def is_said(text: str, known: Known, today: str) -> bool:
    """Whether the text mentions the value; true for values that cannot be looked for."""
    if not is_sayable(known):
        return True
    return mentions(text, known.value, known.slot.kind, today=_day(today)) or says_length(
        text, known.value, unit_of(known.slot.label or known.slot.name, known.slot.description)
    )


def is_findable(known: Known) -> bool:
    """Whether the value can be looked for as it stands: also a text of no known kind, such as a museum's name."""
    return is_sayable(known) or (known.slot.kind == "other" and isinstance(known.value, str))


def is_found(text: str, known: Known, today: str) -> bool:
    """Whether the text has the value as it is said, or a text of no known kind as it stands."""
    if is_sayable(known) or not is_findable(known):
        return is_said(text, known, today)
    return mentions(text, known.value, known.slot.kind, today=_day(today))


def carrying_faults(
    text: str, told: Iterable[Known], untold: Iterable[Known], today: str, about: str = ""
) -> list[str]:
    """Return what is wrong: a told value that is missing, an untold one that is there; `about` is the wish in words."""
    told, untold = list(told), list(untold)
    faults = [f"{known.slot.name} is not said" for known in told if not is_said(text, known, today)]
    return faults + [
        f"{known.slot.name} is said too early"
        for known in untold
        if is_given_away(text, known, told, today, (about, *(one.slot.noun.text for one in (*told, *untold))))
    ]


def is_given_away(text: str, known: Known, told: Iterable[Known], today: str, names: Iterable[str]) -> bool:
    """Whether a text says the value, and not only as a part of what it tells by right or of what things are called.

    `told` are the values that the text may say, `names` are the wish and the nouns of the parameters.
    """
    if not is_sayable(known):
        return False
    if isinstance(known.value, str):
        stems = stem_set(known.value)
        if known.slot.kind in ("enum", "title", "other") and stems and stems <= stem_set(" ".join(names)):
            return False
        small = known.value.casefold()
        for one in told:
            ways = forms(one.value, one.slot.kind, _day(today))
            is_listed = one.slot.kind == "enum"  # the weekday that was asked for is no date
            for way in sorted((way for way in ways if is_listed or small in way.casefold()), key=len, reverse=True):
                text = re.sub(re.escape(way), "-", text, flags=re.IGNORECASE)
    elif any(one.text == known.text for one in told):
        return False
    return mentions(text, known.value, known.slot.kind, today=_day(today))


def _day(today: str) -> date | None:
    return date.fromisoformat(today) if today else None
