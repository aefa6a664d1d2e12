"""Gold values that a user says in words or piece by piece, of which a rule sees a part: `F L, dash, 10937`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from callwright.author.briefs import Known
from callwright.author.spoken_codes import spells
from callwright.author.value_checks import is_said
from callwright.author.worked_out_numbers import UNITS, clocks_spelled, is_same_clock, spans_spelled
from callwright.lang.dates import parse_clock
from callwright.lang.kinds import Kind
from callwright.lang.quantities import scan
from callwright.papers.diaforge.foreign_values import kinds_said

_SPELLED: Final[frozenset[Kind]] = frozenset(("code", "phone", "other", "number", "count"))
_DIGITS: Final = 3
"""Of a code that is said without its letters."""


def is_in_words(value: str, text: str, known: Sequence[Known], today: date | None) -> bool:
    """Return whether a value of a text is, wherever it stands, a part of a known one that is said in words."""
    if any(_is_of_a_code(value, text, one) for one in known):
        return True
    numbers = {number for one in known for number in _numbers(one, today)}
    clocks = [clock for one in known if (clock := parse_clock(str(one.value))) is not None]
    spans = [(at, end) for at, end, said in spans_spelled(text) if any(said * by in numbers for by in UNITS)]
    times = clocks_spelled(text)
    spans += [(at, end) for at, end, said in times if any(is_same_clock(one, said, "") for one in clocks)]
    return _is_within(value, text, spans)


_TAKEN_OUT: Final = re.compile(
    r"\b(?:not|isn't|wasn't|instead of|rather than|never|scratch|forget)\s(?:(?:the|a|on|at|for|by|in|to|of)\s)?$",
    re.IGNORECASE,
)


def is_taken_out(value: str, text: str, known: Sequence[Known], today: str) -> bool:
    """Return whether a text says a value as the wrong one, and a known one of its sort: `it's 36, not 63`."""
    places = [one.start() for one in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text)]
    kinds = kinds_said(value, date.fromisoformat(today) if today else None)
    return (
        bool(places)
        and all(_TAKEN_OUT.search(text, max(0, at - 30), at) for at in places)
        and any(one.slot.kind in kinds and is_said(text, one, today) for one in known)
    )


def is_of_a_clock(value: str, text: str) -> bool:
    """Return whether a number is a part of a time of day: the twenty of `twenty to eight`."""
    return _is_within(value, text, [(start, end) for start, end, _ in clocks_spelled(text)])


def _is_within(value: str, text: str, spans: Sequence[tuple[int, int]]) -> bool:
    places = [one.span() for one in re.finditer(re.escape(value), text)]
    return bool(places) and all(any(a <= start and end <= b for a, b in spans) for start, end in places)


def _is_of_a_code(value: str, text: str, known: Known) -> bool:
    if known.slot.kind not in _SPELLED or isinstance(known.value, bool) or not isinstance(known.value, str | int):
        return False
    code = str(known.value)
    if len(value) >= _DIGITS and value.isdigit() and value in re.findall(r"\d+", code):
        return True  # "invoice 5521" for INV-5521
    parts = (value, *(str(one.value) for one in scan(value, None)))
    return any(_bare(one) in _bare(code) for one in parts) and spells(text, code)


def _bare(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()


def _numbers(known: Known, today: date | None) -> Iterator[float]:
    if isinstance(known.value, int | float) and not isinstance(known.value, bool):
        yield float(known.value)
    elif isinstance(known.value, str):
        yield from (float(one.value) for one in scan(known.value, today) if isinstance(one.value, int | float))
