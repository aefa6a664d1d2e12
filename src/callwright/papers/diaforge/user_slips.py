"""Slips of a user that a model plays: a wrong value that it takes back in its next message.

    slips_in(text, ...)              wrong values of a message that may yet be put right
    is_taken_back(value, text, ...)  whether the next message puts one right

A slip is what a hurried person types: the right value but for one character, or with its characters in another order.
What is not taken back is an invented value, and a call before that rejects the dialogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from callwright.author.briefs import Known
from callwright.author.value_checks import is_said
from callwright.lang.kinds import Kind
from callwright.lang.quantities import scan
from callwright.lang.surface import forms

_AMOUNTS: Final[frozenset[Kind]] = frozenset(("money", "percent", "number", "count", "year"))
_SORTS: Final[dict[str, frozenset[Kind]]] = {
    "number": _AMOUNTS, "money": _AMOUNTS, "percent": _AMOUNTS, "code": frozenset(("code",)),
    "email": frozenset(("email",)), "phone": frozenset(("phone",)),
}  # fmt: skip
_TAKES_BACK: Final = re.compile(
    r"\b(?:sorry|no|not|wait|hang on|hold on|oops|actually|rather|instead|correction|correct(?:ed|ing)?|i me(?:an|ant)"
    r"|wrong(?:ly)?|mistake|typo|slip|mis(?:read|typed|spoke|taken)|mixed|swapped|should (?:be|have been))\b",
    re.IGNORECASE,
)


def slips_in(wrong: Sequence[str], text: str, known: Sequence[Known], before: Sequence[str], today: str) -> list[str]:
    """Return those of the `wrong` values of a message in whose place a known value is still to be said.

    `before` are the user's earlier messages.
    """
    said = "\n".join((*before, text))
    return [value for value in wrong if any(not is_said(said, one, today) for one in _rights(value, known, today))]


def is_taken_back(value: str, text: str, known: Sequence[Known], before: Sequence[str], today: str) -> bool:
    """Whether a message takes a wrong value back, and says a known one of its sort that was not said `before`."""
    said = "\n".join(before)
    rights = (one for one in _rights(value, known, today) if is_said(text, one, today))
    return _TAKES_BACK.search(text) is not None and any(not is_said(said, one, today) for one in rights)


def _rights(value: str, known: Sequence[Known], today: str) -> Iterator[Known]:
    """The known values that a wrong one may stand for: of its sort, or a code in digits, and nearly the same."""
    day = date.fromisoformat(today) if today else None
    sorts = {one.sort for one in scan(value, day)}
    kinds = frozenset[Kind]().union(*(_SORTS.get(sort, frozenset()) for sort in sorts))
    for one in known:
        is_number = one.slot.kind == "code" and value.isdigit() and len(str(one.value)) == len(value)
        if (one.slot.kind in kinds or is_number) and _is_nearly(value, one, day):
            yield one


def _is_nearly(value: str, known: Known, today: date | None) -> bool:
    from rapidfuzz.distance import OSA

    ways = forms(known.value, known.slot.kind, today)
    return any(OSA.distance(value, way) == 1 or sorted(value) == sorted(way) for way in ways)
