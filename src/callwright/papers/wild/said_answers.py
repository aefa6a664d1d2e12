"""What the user says when asked for what a request lacks: each value that was kept back, in any words for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Final

from callwright.author.agent_asking import TurnFault
from callwright.author.briefs import Known
from callwright.author.placeholders import placeholder_in
from callwright.author.spoken_codes import is_spoken
from callwright.author.value_checks import is_said
from callwright.author.worked_out_days import follows
from callwright.author.worked_out_numbers import UNITS, all_numbers, clocks_spelled, is_same_clock
from callwright.lang.dates import parse_clock, parse_moment
from callwright.lang.kinds import Kind


def unsaid_faults(text: str, told: Iterable[Known], today: str) -> Iterator[TurnFault]:
    """Yield the values that an answer should say and does not, and a placeholder in it."""
    if left := placeholder_in(text):
        yield TurnFault("placeholder_left", f"{left!r} stands in place of a value")
    for known in told:
        if not (is_said(text, known, today) or _is_said_otherwise(text, known, today)):
            fault = f"you do not say {known.slot.noun.text}: {known.text}"
            yield TurnFault("value_never_said", fault, known.slot.kind not in _IN_OTHER_WORDS)


_IN_OTHER_WORDS: Final[frozenset[Kind]] = frozenset(("enum", "text", "title", "other"))
"""Kinds of values that people say in words of their own."""


def _is_said_otherwise(text: str, known: Known, today: str) -> bool:
    """Whether an answer says a value in another spelling, as a length, or as what it lasts until."""
    day, value = date.fromisoformat(today) if today else None, known.value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return any(value == number * scale for number in all_numbers(text, day) for scale in UNITS)
    moment = parse_moment(value) if isinstance(value, str) and known.slot.kind in ("date", "datetime") else None
    if moment is not None:
        return follows(moment.date() if isinstance(moment, datetime) else moment, text, [day] if day else [])
    clock = parse_clock(value) if isinstance(value, str) and known.slot.kind == "time" else None
    if clock is not None:
        return any(is_same_clock(clock, said, "") for _, _, said in clocks_spelled(text))
    return is_spoken(text, value, known.slot.kind)
