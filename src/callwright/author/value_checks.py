"""Whether a text carries exactly the values it was meant to carry."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from callwright.author.briefs import Known
from callwright.lang.kinds import Kind
from callwright.lang.surface import mentions

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
    return mentions(text, known.value, known.slot.kind, today=_day(today))


def carrying_faults(text: str, told: Iterable[Known], untold: Iterable[Known], today: str) -> list[str]:
    """Return what is wrong: a told value that is missing, an untold one that is there."""
    told = list(told)
    faults = [f"{known.slot.name} is not said" for known in told if not is_said(text, known, today)]
    said = {known.text for known in told}
    for known in untold:
        if known.text in said or not is_sayable(known):
            continue
        if mentions(text, known.value, known.slot.kind, today=_day(today)):
            faults.append(f"{known.slot.name} is said too early")
    return faults


def _day(today: str) -> date | None:
    return date.fromisoformat(today) if today else None
