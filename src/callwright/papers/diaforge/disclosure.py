"""Disclosure: the user says each gold value in the turn where it is due, not before, and as its own parameter's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from callwright.author.briefs import Known
from callwright.author.value_checks import TELLING, is_given_away, is_said, is_sayable
from callwright.lang.surface import forms
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue


def disclosure_issues(dialogue: Dialogue, known: Sequence[Known]) -> Iterator[Issue]:
    """Yield gold values that come too early, not at all, or from the assistant first; `known` are the gold values."""
    notes = dialogue.annotation
    if not isinstance(notes, DiaforgeNotes):
        return
    due = {entry.parameter: entry.turn for entry in notes.disclosed}
    for entry in known:
        yield from _one_value(dialogue, entry, due.get(entry.slot.name), known, due)


def _one_value(
    dialogue: Dialogue, entry: Known, turn: int | None, known: Sequence[Known], due: dict[str, int]
) -> Iterator[Issue]:
    name = entry.slot.name
    if turn is None:
        yield Issue("value_never_said", "turns", f"{name} is called with a value that nobody said")
        return
    if not 0 <= turn < len(dialogue.turns) or turn % 2:
        yield Issue("value_not_said_when_due", f"turns[{turn}]", f"{name} is due in a turn that is not the user's")
        return
    if not is_said(dialogue.turns[turn].text, entry, dialogue.today):
        yield Issue("value_not_said_when_due", f"turns[{turn}].text", f"{name} is not said here")
    names = (*(task.goal for task in dialogue.tasks[:1]), *(one.slot.noun.text for one in known))
    for position in range(turn):
        if position % 2 and entry.slot.kind not in TELLING:
            continue  # an assistant may list choices, and count what it asks for
        told = [one for one in known if due.get(one.slot.name, position + 1) <= position]
        if is_given_away(dialogue.turns[position].text, entry, told, dialogue.today, names):
            yield Issue("value_too_early", f"turns[{position}].text", f"{name} is due in turn {turn}")


def misplaced_issues(dialogue: Dialogue, known: Sequence[Known]) -> Iterator[Issue]:
    """Yield values that are said as those of another parameter: `the order number is late delivery`."""
    notes = dialogue.annotation
    if not isinstance(notes, DiaforgeNotes):
        return
    today = dialogue.day
    due = {entry.parameter: entry.turn for entry in notes.disclosed}
    told = [one for one in known if is_sayable(one) and 0 <= due.get(one.slot.name, -1) < len(dialogue.turns)]
    pairs = [(one, other) for one in told for other in told if due[one.slot.name] == due[other.slot.name]]
    for one, other in pairs:
        where = due[one.slot.name]
        if other.text != one.text and _is_misplaced(dialogue.turns[where].text, one, other, today):
            yield Issue("value_out_of_place", f"turns[{where}].text", f"{other.text} is said as {one.slot.name}")


def _is_misplaced(text: str, one: Known, other: Known, today: date | None) -> bool:
    """Whether the text says the value of `other` as that of `one`."""
    said, noun = text.lower(), one.slot.noun.text.lower()
    start = said.find(noun)
    if start < 0:
        return False
    own, foreign = _ways(one, today), _ways(other, today)
    while start >= 0:
        after = said[start + len(noun) :]
        if _BEFORE_NOUN.search(said, 0, start) and (link := _IS.match(after)):
            value = after[link.end() :]
            if _begins(value, foreign) and not _begins(value, own):
                return True
        if (link := _AS.search(said, 0, start)) and said[: link.start()].endswith(foreign):
            return True
        start = said.find(noun, start + 1)
    return False


_BEFORE_NOUN = re.compile(r"(?:^|[.,;:/?] ?|(?<!\bof )\b(?:the|my|your|and|also|plus|with) )$")
_IS = re.compile(r"(?::| is| are| should be| would be| must be| reads| should read)? [\"'€$£]?")
_AS = re.compile(r"[\"']? (?:is|as|for|should be|would be) (?:the|my|your) $")


def _begins(text: str, ways: tuple[str, ...]) -> bool:
    """Whether the text begins with one of the ways, as words of its own."""
    return any(text.startswith(way) and not text[len(way) : len(way) + 1].isalnum() for way in ways)


def _ways(known: Known, today: date | None) -> tuple[str, ...]:
    return tuple(way.lower() for way in forms(known.value, known.slot.kind, today) if way)
