"""When a gold call must have been made, as far as its neighbours tell: a bound on how many steps can be legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from callwright.match.call_graph import CallGraph, members
from callwright.match.pairing import maximum_pairing

NEVER: Final = 1 << 60
"""A deadline for what need not be made."""

Options = Sequence[Sequence[Sequence[int]]]
"""For each step, for each of its calls, the gold calls it is right for."""


class Windows(NamedTuple):
    """For each gold call the first and the last step, from 0, in which it can be made; `NEVER` where none needs it."""

    first: tuple[int, ...]
    last: tuple[int, ...]


def windows(graph: CallGraph, options: Options) -> Windows:
    """Return the windows that calls which are right for one gold call alone leave to those before and after it."""
    made = {call[0]: step for step, calls in reversed([*enumerate(options)]) for call in calls if len(call) == 1}
    order = sorted(range(graph.size), key=graph.level.__getitem__)
    first, last = [0] * graph.size, [NEVER] * graph.size
    for gold in order:
        first[gold] = max((max(first[one], made.get(one, 0)) + 1 for one in members(graph.needs[gold])), default=0)
    for gold in reversed(order):
        for one in members(graph.unlocks[gold]):
            last[gold] = min(last[gold], min(last[one], made.get(one, NEVER)) - 1)
        if last[gold] > len(options):
            last[gold] = NEVER
    return Windows(tuple(first), tuple(last))


def most_legal_steps(graph: CallGraph, options: Options) -> int:
    """Return a number of steps, from the first, beyond which no walk is legal; shorter ones need not be legal."""
    low, high = 0, len(options)
    while low < high:
        middle = (low + high + 1) // 2
        if _can_be_legal(graph, options[:middle]):
            low = middle
        else:
            high = middle - 1
    return low


def _can_be_legal(graph: CallGraph, options: Options) -> bool:
    """Whether each call has a gold call of its own in time, and each gold call with a deadline a call of its own.

    Where both hold, one pairing does both (Mendelsohn and Dulmage).
    """
    first, last = windows(graph, options)
    made = [(step, frozenset(call)) for step, calls in enumerate(options) for call in calls]
    due = [gold for gold in range(graph.size) if last[gold] < NEVER]

    def fits(gold: int, call: int) -> bool:
        step, right = made[call]
        return gold in right and first[gold] <= step <= last[gold]

    if len(made) > graph.size or None in maximum_pairing(len(made), graph.size, lambda call, gold: fits(gold, call)):
        return False
    return None not in maximum_pairing(len(due), len(made), lambda at, call: fits(due[at], call))
