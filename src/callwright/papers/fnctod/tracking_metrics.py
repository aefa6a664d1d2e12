"""Joint goal accuracy and slot F1 of tracked states, in two modes.

strict   all slots equal, `dontcare` on both sides; a domain over the dialogues that have it; F1 over all slots
fnctod   the paper's: `dontcare` is removed from predictions alone; a domain over all turns of the dialogues whose
         last state has it; F1 as the mean of one F1 a turn; a turn without a usable prediction is an empty state
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from callwright.papers.fnctod.belief_states import Belief
from callwright.papers.fnctod.domain_functions import DONTCARE
from callwright.papers.fnctod.state_updates import OPEN, PAPER, Tracked, UpdatePolicy, comparable

MetricMode = Literal["strict", "fnctod"]

POLICY: Mapping[MetricMode, UpdatePolicy] = {"strict": OPEN, "fnctod": PAPER}
"""The changes that calls make to a state, by mode."""

Accepted = dict[str, dict[str, frozenset[str]]]
"""Domain to slot to the comparable spellings that are right."""


class SlotCounts(NamedTuple):
    """Slots of a turn."""

    right: int
    predicted: int
    gold: int


def accepted_values(belief: Belief) -> Accepted:
    """Return a gold belief with comparable values."""
    return {
        domain: {slot: frozenset(comparable(slot, value) for value in values) for slot, values in slots.items()}
        for domain, slots in belief.items()
    }


def counted(state: Tracked, mode: MetricMode) -> Tracked:
    """Return a predicted state as a mode counts it."""
    if mode == "strict":
        return state
    kept = {name: {slot: value for slot, value in slots.items() if value != DONTCARE} for name, slots in state.items()}
    return {name: slots for name, slots in kept.items() if slots}


def is_right(predicted: Mapping[str, str], gold: Mapping[str, frozenset[str]]) -> bool:
    """Return whether the slots of a domain are those of gold, each with a value that is right."""
    return predicted.keys() == gold.keys() and all(predicted[slot] in gold[slot] for slot in gold)


def all_right(predicted: Tracked, gold: Accepted) -> bool:
    """Return whether a whole state is right."""
    return predicted.keys() == gold.keys() and all(is_right(predicted[name], gold[name]) for name in gold)


def slot_counts(predicted: Mapping[str, str], gold: Mapping[str, frozenset[str]]) -> SlotCounts:
    """Return the slots of a domain after a turn."""
    right = sum(value in gold.get(slot, ()) for slot, value in predicted.items())
    return SlotCounts(right, len(predicted), len(gold))


def turn_f1(counts: SlotCounts) -> float:
    """Return the F1 of one turn: 1 where both are empty."""
    total = counts.predicted + counts.gold
    return 2 * counts.right / total if total else 1.0
