"""Pairs predicted calls with gold calls, each used at most once; `fits(wanted, made)` takes their positions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

Fits = Callable[[int, int], bool]

Pairing = tuple[int | None, ...]
"""For each gold call, the position of its predicted call, or None."""


def greedy_pairing(wanted: int, made: int, fits: Fits) -> Pairing:
    """Give each gold call, in order, the first call that is right for it and still free.

    >>> greedy_pairing(2, 2, lambda w, m: w == 0 or m == 0)
    (0, None)
    """
    free = list(range(made))
    pairs: list[int | None] = []
    for gold in range(wanted):
        found = next((call for call in free if fits(gold, call)), None)
        if found is not None:
            free.remove(found)
        pairs.append(found)
    return tuple(pairs)


def maximum_pairing(wanted: int, made: int, fits: Fits) -> Pairing:
    """Pair as many gold calls as can be paired at once (Kuhn's algorithm, without recursion).

    `fits` is asked at most once for each pair.

    >>> maximum_pairing(2, 2, lambda w, m: w == 0 or m == 0)
    (1, 0)
    """
    right = [[call for call in range(made) if fits(gold, call)] for gold in range(wanted)]
    holder: dict[int, int] = {}  # call -> the gold call it is given to
    for gold in range(wanted):
        _augment(gold, right, holder)
    given = {gold: call for call, gold in holder.items()}
    return tuple(given.get(gold) for gold in range(wanted))


def _augment(start: int, right: list[list[int]], holder: dict[int, int]) -> None:
    """Give `start` a call by moving others along a shortest alternating path, if there is one."""
    asked_by: dict[int, int] = {}  # call -> the gold call from which the search reached it
    had: dict[int, int | None] = {start: None}  # gold call -> the call it would give up
    waiting = deque([start])
    while waiting:
        gold = waiting.popleft()
        for call in right[gold]:
            if call in asked_by:
                continue
            asked_by[call] = gold
            if call in holder:
                had[holder[call]] = call
                waiting.append(holder[call])
                continue
            step: int | None = call
            while step is not None:
                taker = asked_by[step]
                holder[step], step = taker, had[taker]
            return
