"""Belief states: the user's wishes so far, by domain and slot, and their changes with a turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from callwright.papers.fnctod.canonical_values import canonical_slot
from callwright.papers.fnctod.multiwoz_layout import UNFILLED
from callwright.records.annotations.sgd_notes import SgdNotes
from callwright.records.annotations.state_notes import StateNotes
from callwright.records.dialogue import Dialogue
from callwright.records.dialogue_state import DomainState, SlotValue

Belief: TypeAlias = dict[str, dict[str, tuple[str, ...]]]
"""Domain to slot, under its canonical name, to the accepted spellings of its value; domains without a value are out."""


def belief_of(states: Iterable[DomainState]) -> Belief:
    """Return what is known after a turn; slots of a booking are named `bookday` and the like."""
    found: Belief = {}
    for state in states:
        slots = {canonical_slot(one.slot): _filled(one) for one in state.slots}
        slots |= {f"book{canonical_slot(one.slot)}": _filled(one) for one in state.booking}
        if known := {slot: values for slot, values in slots.items() if values}:
            found[state.domain] = known
    return found


def _filled(slot: SlotValue) -> tuple[str, ...]:
    return tuple(value for value in slot.values if value not in UNFILLED)


def beliefs(dialogue: Dialogue) -> dict[int, Belief]:
    """Return the gold belief after each user turn, by position of the turn; empty where a dialogue has no states."""
    notes = dialogue.annotation
    users = [at for at, turn in enumerate(dialogue.turns) if dialogue.role(turn) == "user"]
    if isinstance(notes, StateNotes):
        return {at: belief_of(notes.turns[at].states) for at in users}
    if not isinstance(notes, SgdNotes):
        return {}
    known: Belief = {}
    found = {}
    for at in users:  # a turn has frames for the services it is about; the others stay as they were
        for frame in notes.turns[at]:
            if frame.state is not None:
                known = {name: slots for name, slots in known.items() if name != frame.service}
                known |= belief_of([frame.state])
        found[at] = known
    return found


def changed_domains(before: Mapping[str, Mapping[str, object]], after: Mapping[str, Mapping[str, object]]) -> list[str]:
    """Return the domains that gained or changed a value, in the order of the later belief; deletions do not count."""
    return [name for name, slots in after.items() if slots.items() - before.get(name, {}).items()]


def cleared_slots(
    before: Mapping[str, Mapping[str, object]], after: Mapping[str, Mapping[str, object]]
) -> list[tuple[str, str]]:
    """Return the slots, with their domains, that had a value and have none."""
    return [(name, slot) for name, slots in before.items() for slot in slots if slot not in after.get(name, {})]
