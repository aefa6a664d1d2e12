"""The dependencies of gold calls: a directed acyclic graph, with its longest chain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from callwright.errors import BadInput

MAX_CALLS: Final = 10_000


class CallGraph(msgspec.Struct, frozen=True):
    """Gold calls 0, 1, ... and their dependencies, as bit masks over the calls."""

    needs: tuple[int, ...]
    unlocks: tuple[int, ...]
    level: tuple[int, ...]
    """For each call, the length of the longest chain before it: the earliest step (from 0) that may contain it."""

    @property
    def size(self) -> int:
        """Number of calls."""
        return len(self.needs)

    @property
    def shortest(self) -> int:
        """Steps of the shortest legal path: calls of the longest chain."""
        return max(self.level, default=-1) + 1


def call_graph(size: int, after: Iterable[Sequence[int]]) -> CallGraph:
    """Return the graph of `size` calls, where `(i, j)` in `after` means that call j needs call i. Raises BadInput."""
    if not isinstance(after, Iterable):
        raise BadInput("after: not a list of pairs. Write [(0, 1), ...], or [] if no call needs another.")
    if size > MAX_CALLS:
        raise BadInput(f"{size:,} gold calls; the limit is {MAX_CALLS:,}. Split the task.")
    needs, unlocks = [0] * size, [0] * size
    for pair in after:
        earlier, later = _pair(pair, size)
        needs[later] |= 1 << earlier
        unlocks[earlier] |= 1 << later
    return CallGraph(tuple(needs), tuple(unlocks), _levels(needs, unlocks))


def members(mask: int) -> list[int]:
    """Return the positions of the bits of a mask, lowest first.

    >>> members(0b1011)
    [0, 1, 3]
    """
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def _pair(pair: Sequence[int], size: int) -> tuple[int, int]:
    if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(type(one) is int for one in pair):
        raise BadInput(f"after: {pair!r} is not a pair of positions. Write (i, j) if call j needs call i.")
    earlier, later = pair
    for one in pair:
        if not 0 <= one < size:
            raise BadInput(f"after: ({earlier}, {later}) names call {one}; there are {size}, numbered from 0.")
    return earlier, later


def _levels(needs: Sequence[int], unlocks: Sequence[int]) -> tuple[int, ...]:
    """Longest chain before each call. Raises BadInput for a cycle."""
    level = [0] * len(needs)
    waiting = [needed.bit_count() for needed in needs]
    ready = [call for call, count in enumerate(waiting) if not count]
    for call in ready:  # grows during the loop
        for later in members(unlocks[call]):
            level[later] = max(level[later], level[call] + 1)
            waiting[later] -= 1
            if not waiting[later]:
                ready.append(later)
    if len(ready) < len(needs):
        raise BadInput(f"after: the calls {_cycle(needs, waiting)} need each other. Remove one of these dependencies.")
    return tuple(level)


def _cycle(needs: Sequence[int], waiting: Sequence[int]) -> str:
    """Return one cycle among the calls that never became ready, such as `0 → 2 → 0`."""
    call = next(one for one, count in enumerate(waiting) if count)
    seen: list[int] = []
    while call not in seen:
        seen.append(call)
        call = next(one for one in members(needs[call]) if waiting[one])
    ring = [call, *reversed(seen[seen.index(call) :])]
    return " → ".join(map(str, ring))
