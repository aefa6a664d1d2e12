"""In which turn the user said each gold value: rules look for it, then a checker quotes it (section 3.1).

    rules find the value, or the words that were called for it, in a turn     disclosed there
    the checker quotes words that stand in the turn that it names             disclosed there, with the quotation
    neither                                                                   `unverified`, and counted

The checker is a role of the author, not a critic: it rejects nothing, and rules look up each of its quotations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Annotated, Final, NamedTuple

import msgspec

from callwright.author.briefs import Known, known_values
from callwright.author.role_forms import long_day, one_line
from callwright.author.step import verdict_step
from callwright.author.value_checks import is_said, is_sayable
from callwright.papers.diaforge.user_policy import gold_known
from callwright.records.annotations.diaforge_notes import DiaforgeNotes, Disclosure
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

_MOST: Final = 40
"""Quotations in one reply."""


class Quotation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a checker says that a value is told."""

    value: Annotated[str, msgspec.Meta(max_length=200)]
    turn: int
    """Number of the user's message, from 1."""
    quote: Annotated[str, msgspec.Meta(max_length=300)]


class UnfoundValue(NamedTuple):
    """A value that no rule finds, as the checker sees it."""

    name: str
    noun: str
    text: str
    means: str


class CheckedTalk(NamedTuple):
    """What the checker sees."""

    today: str
    values: Sequence[UnfoundValue]
    lines: Sequence[str]


def with_disclosures(dialogue: Dialogue, tool: Tool, quotations: Sequence[Quotation] = ()) -> Dialogue:
    """Return the dialogue with the turns in which gold values are said; the values without one are unverified.

    A quotation counts for a value that no rule finds, if it stands in the user's message that it names.
    """
    notes = dialogue.annotation
    if not isinstance(notes, DiaforgeNotes):
        return dialogue
    told: dict[str, Disclosure | None] = {
        name: None if turn is None else Disclosure(turn, name) for name, turn in _found(dialogue, tool).items()
    }
    for one in quotations:
        if one.value in told and told[one.value] is None and (turn := _place_of(one, dialogue)) is not None:
            told[one.value] = Disclosure(turn, one.value, one_line(one.quote))
    notes = msgspec.structs.replace(
        notes,
        disclosed=tuple(one for one in told.values() if one),
        unverified=tuple(name for name, one in told.items() if one is None),
    )
    return msgspec.structs.replace(dialogue, annotation=notes)


def _found(dialogue: Dialogue, tool: Tool) -> dict[str, int | None]:
    """The user's first turn in which rules find each gold value, as it is meant or as it was called."""
    called = {one.slot.name: one for one in _called(dialogue, tool)}
    forms = {one.slot.name: (one, called.get(one.slot.name, one)) for one in gold_known(tool, dialogue.tasks)}
    return {name: _turn_of(both, dialogue) for name, both in forms.items()}


def _called(dialogue: Dialogue, tool: Tool) -> tuple[Known, ...]:
    calls = dialogue.turns[-1].calls
    return known_values(tool, calls[0].values) if calls else ()


def _turn_of(forms: Iterable[Known], dialogue: Dialogue) -> int | None:
    sayable = [one for one in forms if is_sayable(one)]
    for at in range(0, len(dialogue.turns), 2):
        if any(is_said(dialogue.turns[at].text, one, dialogue.today) for one in sayable):
            return at
    return None


def _place_of(one: Quotation, dialogue: Dialogue) -> int | None:
    """Position of the turn in which a quotation stands; None where it does not stand there, as whole words."""
    at = 2 * (one.turn - 1)
    if not 0 <= at < len(dialogue.turns):
        return None
    quote, text = one_line(one.quote), one_line(dialogue.turns[at].text)
    start = text.find(quote)
    is_there = start >= 0 and any(map(str.isalnum, quote))
    return at if is_there and _is_whole(text, start, start + len(quote)) else None


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a stretch begins and ends with words, as far as blanks part the words of its script."""
    pairs = (text[max(start - 1, 0) : start + 1], text[end - 1 : end + 1])
    return not any(len(pair) == 2 and pair.isascii() and pair.isalnum() for pair in pairs)


# -- the checker -----------------------------------------------------------------------------------------------------


def checked_talk(dialogue: Dialogue, tool: Tool) -> CheckedTalk | None:
    """Return what a checker is asked of a finished dialogue; None where rules find all values."""
    unfound = {name for name, turn in _found(dialogue, tool).items() if turn is None}
    if not unfound:
        return None
    known = _called(dialogue, tool) or gold_known(tool, dialogue.tasks)
    values = [
        UnfoundValue(one.slot.name, one.slot.noun.text, one.text, one.slot.description)
        for one in known
        if one.slot.name in unfound
    ]
    return CheckedTalk(long_day(dialogue.today), values, [*_numbered(dialogue)]) if values else None


def _numbered(dialogue: Dialogue) -> Iterator[str]:
    for at, turn in enumerate(dialogue.turns):
        yield f"{'Assistant' if at % 2 else f'Person {at // 2 + 1}'}: {one_line(turn.text)}"


def _quotation_faults(quotations: list[Quotation], talk: CheckedTalk) -> list[str]:
    listed = {one.name for one in talk.values}
    strange = dict.fromkeys(one.value for one in quotations if one.value not in listed)
    return [f"{name!r:.80} is none of the values listed" for name in strange][:_MOST_FAULTS]


_MOST_FAULTS: Final = 5


@verdict_step("diaforge/checker.j2", _quotation_faults, home=__package__)
def quote_values(rng: Random, talk: CheckedTalk) -> Annotated[list[Quotation], msgspec.Meta(max_length=_MOST)]:
    """Quote where the user tells the values that rules do not find. Without a model none is quoted."""
    return []
