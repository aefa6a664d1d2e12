"""Values in somebody's words that the scenario does not hold: no gold value, and nothing the other side has said.

The rules look for dates, times, amounts and numbers in digits, codes, addresses and full names, and for each only where
the gold tool takes a value of that sort: `lunch at noon` is small talk to a tool that has no parameter for a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from functools import cached_property, lru_cache
from typing import Final

import msgspec

from callwright.author.briefs import Known
from callwright.author.value_checks import is_said
from callwright.author.worked_out_days import has_month, is_shown_by
from callwright.catalog.distinct import distinct_glosses
from callwright.lang.durations import length_forms, unit_of
from callwright.lang.english import base_verb
from callwright.lang.kinds import Kind, kind_of_value
from callwright.lang.quantities import PartialDate, Quantity, scan
from callwright.lang.reading_words import read_names
from callwright.lang.surface import forms
from callwright.lang.tokens import STOP_WORDS
from callwright.papers.diaforge.user_policy import plan_behind
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

_DAY: Final[frozenset[Kind]] = frozenset(("date", "datetime"))
_CLOCK: Final[frozenset[Kind]] = frozenset(("time", "datetime"))
_NUMBER: Final[frozenset[Kind]] = frozenset(("money", "percent", "number", "count", "year", "code"))
_SORTS: Final[dict[str, frozenset[Kind]]] = {
    "date": _DAY, "datetime": _DAY, "time": _CLOCK, "number": _NUMBER, "money": _NUMBER,
    "percent": frozenset(("percent",)), "email": frozenset(("email",)), "url": frozenset(("url",)),
    "phone": frozenset(("phone",)), "code": frozenset(("code",)),
}  # fmt: skip


_SMALL: Final = 100
"""Numbers below are no identifiers."""
_DOZEN: Final = 12
"""Numbers in words up to this one, and hundreds, are said in passing."""


class _SaidSoFar(msgspec.Struct, frozen=True, dict=True):
    """Texts that may be said by now: gold values in all their forms, and all that the assistant has said."""

    said: tuple[str, ...]
    today: date | None

    @cached_property
    def forms(self) -> frozenset[str]:
        """The words said, in lower case."""
        return frozenset(text.lower() for text in self.said)

    @cached_property
    def texts(self) -> str:
        """The words said, in lower case, line by line."""
        return "\n".join(self.said).lower()

    @cached_property
    def found(self) -> tuple[Quantity, ...]:
        """All quantities in it."""
        return tuple(quantity for text in self.said for quantity in scan(text, self.today))

    @cached_property
    def days(self) -> frozenset[date | PartialDate]:
        """With the year, and as month and day."""
        full = [day for quantity in self.found if (day := _day_of(quantity))]
        return frozenset((*full, *(PartialDate(day.month, day.day) for day in full)))

    @cached_property
    def full_days(self) -> frozenset[date]:
        """Those with a year."""
        return frozenset(day for day in self.days if isinstance(day, date))

    @cached_property
    def weekdays(self) -> frozenset[int]:
        """Of the days with a year, Monday is 0."""
        return frozenset(day.weekday() for day in self.days if isinstance(day, date))

    @cached_property
    def clocks(self) -> frozenset[time]:
        """All times of day."""
        return frozenset(clock for quantity in self.found if (clock := _clock_of(quantity)) is not None)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """All numbers; shares also in percent."""
        numbers = {float(q.value) for q in self.found if isinstance(q.value, (int, float))}
        return frozenset(numbers | {round(number * 100, 6) for number in numbers if 0 < number < 1})


def foreign_values(
    text: str, known: Sequence[Known], told: Sequence[str], *, today: date | None, corrects: str
) -> Iterator[str]:
    """Yield each value in a user's `text` that is none of the `known` ones, as it is said.

    `told` are the assistant's texts so far. `corrects` names the slot that is first said wrongly: a wrong value of its
    sort is no fault where the right one is said with it.
    """
    slip = next((one for one in known if one.slot.name == corrects), None)
    forgiven = slip.slot.kind if slip is not None and is_said(text, slip, today.isoformat() if today else "") else None
    kinds = {one.slot.kind for one in known}
    bare = _without_names(text, known)
    codes_only = not kinds & (_NUMBER - {"code"})
    quantities = [
        quantity
        for quantity in scan(bare, today)
        if kinds & _kinds_of(quantity) and not (codes_only and _is_counted(quantity))
    ]
    names = list(_full_names(bare)) if "person" in kinds else []
    if not quantities and not names:
        return
    foreign = quantities
    for sayings in ((), told):  # nearly all are gold values: only for the others is more looked through
        heard = _heard(tuple(known), tuple(sayings), today)
        foreign = [quantity for quantity in foreign if not _is_heard(quantity, bare, heard)]
        names = [name for name in names if not any(word.lower() in heard.texts for word in name)]
        if not foreign and not names:
            return
    for quantity in foreign:
        is_slip = forgiven in _kinds_of(quantity) and quantities[-1] not in foreign  # the last word is the right one
        if not is_slip:
            yield bare[quantity.start : quantity.end]
    yield from (" ".join(name) for name in names)


def is_time(value: str, today: date | None) -> bool:
    """Return whether a foreign value is a day or a time, which people also speak of as reasons and work out."""
    return any(_DAY & _kinds_of(one) or _CLOCK & _kinds_of(one) for one in scan(value, today))


def kinds_said(value: str, today: date | None) -> frozenset[Kind]:
    """Return the kinds of values that a foreign one may stand for."""
    found = scan(value, today)
    return frozenset[Kind]().union(*map(_kinds_of, found)) if found else frozenset(("person",))


def invention_issues(dialogue: Dialogue, tool: Tool, others: Sequence[Tool], known: Sequence[Known]) -> Iterator[Issue]:
    """Yield values that are none of the `known` ones of the gold tool, in the turn in which they are said first.

    Words of the other side may be repeated, and numbers in the names of tools of the pool; an assistant may also give
    the document's examples, and a user may make the slip that was planned.
    """
    if not known:
        return
    plan, today = plan_behind(dialogue), dialogue.day
    documented = f"{tool.description} {tool.parameters}"
    wishes = [one.object for one in distinct_glosses((tool, *others))]
    for position, turn in enumerate(dialogue.turns):
        before = [earlier.text for earlier in dialogue.turns[:position] if earlier.speaker != turn.speaker]
        is_user = position % 2 == 0
        said = [*before, *wishes] if is_user else [*before, *wishes, documented]
        slip = plan.corrects if plan and is_user else ""
        for value in foreign_values(turn.text, known, said, today=today, corrects=slip):
            yield Issue("value_not_gold", f"turns[{position}].text", f"{value!r} is not a value of the scenario")


def _is_counted(quantity: Quantity) -> bool:
    """Whether a number is too small to be a code: "meter 2", "two of us"."""
    return quantity.sort == "number" and isinstance(quantity.value, (int, float)) and abs(quantity.value) < _SMALL


def _kinds_of(quantity: Quantity) -> frozenset[Kind]:
    return _SORTS.get(quantity.sort, frozenset())


@lru_cache(maxsize=64)
def _heard(known: tuple[Known, ...], told: tuple[str, ...], today: date | None) -> _SaidSoFar:
    said = [form for one in known for form in (*_ways(one.value, one.slot.kind, today), one.slot.noun.text)]
    units = ((one, unit_of(one.slot.label or one.slot.name, one.slot.description)) for one in known)
    said += [form for one, unit in units for form in length_forms(one.value, unit)]
    return _SaidSoFar((*said, *told), today)


def _ways(value: Json, kind: Kind, today: date | None) -> Iterator[str]:
    """All ways to say a value, or the values in it."""
    if isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _ways(item, kind_of_value(item), today)
    else:
        yield from forms(value, kind, today)
        if not isinstance(value, bool):
            yield str(value)
        if isinstance(value, str) and "," in value:
            yield from filter(None, map(str.strip, value.split(",")))


def _without_names(text: str, known: Sequence[Known]) -> str:
    """The text with blanks for gold titles and sentences, whose inner numbers are no values."""
    for one in known:
        if one.slot.kind in ("title", "text", "enum", "city", "list", "object", "other"):
            for form in sorted(_ways(one.value, one.slot.kind, None), key=len, reverse=True):
                if len(form) > 2 and form.lower() in text.lower():
                    pattern = rf"(?<!\w){re.escape(form)}(?!\w)"
                    text = re.sub(pattern, lambda match: " " * len(match.group()), text, flags=re.IGNORECASE)
    return text


def _is_heard(quantity: Quantity, text: str, heard: _SaidSoFar) -> bool:
    said = text[quantity.start : quantity.end].lower().strip("#")
    if said in heard.forms:
        return True
    if quantity.sort in ("email", "url", "code"):
        return said in heard.texts
    if quantity.sort == "phone":
        return re.sub(r"\D", "", said) in re.sub(r"[^\d\n]", "", heard.texts)
    if isinstance(quantity.value, (int, float)):
        if any(clock.minute == 0 and clock.hour in (quantity.value, quantity.value + 12) for clock in heard.clocks):
            return True  # "Monday at 10"
        in_words = quantity.sort == "number" and not said[:1].isdigit() and not _DOZEN < quantity.value < _SMALL
        return in_words or float(quantity.value) in heard.numbers
    day, clock = _day_of(quantity), _clock_of(quantity)
    if not any(map(str.isdigit, said)) and isinstance(day, date) and day.weekday() in heard.weekdays:
        day = None  # "from Sunday the 21st to Wednesday": which week is not said
    if isinstance(day, date) and not has_month(said) and any(is_shown_by(one, said) for one in heard.full_days):
        day = None  # "Friday the 16th" may be of another month
    if quantity.is_yearless and day is not None:
        day = PartialDate(day.month, day.day)
    return (day is None or day in heard.days) and (clock is None or clock in heard.clocks)


def _day_of(quantity: Quantity) -> date | PartialDate | None:
    value = quantity.value
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, (date, PartialDate)) else None


def _clock_of(quantity: Quantity) -> time | None:
    if isinstance(quantity.value, datetime):
        return quantity.value.time()
    return quantity.value if isinstance(quantity.value, time) else None


def _full_names(text: str) -> Iterator[list[str]]:
    """Yield full names word by word."""
    for found in read_names(text):
        name = found.value.split(" ")
        while name and _opens_a_sentence(name[0]):
            name = name[1:]
        if 2 <= len(name) <= 3 and all(map(_NAME.fullmatch, name)):
            yield name


_NAME: Final = re.compile(r"[^\W\d_][^\W\d_A-Z'’-]++(?:[-'’]?\w+)?")


@lru_cache(maxsize=4096)
def _opens_a_sentence(word: str) -> bool:
    return word.lower() in STOP_WORDS or base_verb(word) is not None
