"""Which sets of gold calls done are the same for all that follows, though other calls were made."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import groupby

from callwright.match.call_graph import CallGraph, members


class Twins:
    """Gold calls in groups whose members stand for each other: equal, with the same needs, needed by the same."""

    def __init__(self, graph: CallGraph, alike: Sequence[Hashable]) -> None:
        groups: dict[Hashable, list[int]] = {}
        for gold, neighbours in enumerate(zip(alike, graph.needs, graph.unlocks, strict=True)):
            groups.setdefault(neighbours, []).append(gold)
        self.members = tuple(tuple(group) for group in groups.values())
        self._of = {gold: at for at, group in enumerate(self.members) for gold in group}
        self._needs = tuple(graph.needs[group[0]] for group in self.members)
        self._masks = tuple(mask_of(group) for group in self.members)

    def ready(self, call: Sequence[int], done: int) -> list[int]:
        """Return the groups, by position, with a member that the call is right for and that may be made now."""
        found = []
        for at in dict.fromkeys(self._of[gold] for gold in call):
            if self._needs[at] & done == self._needs[at] and self._masks[at] & ~done:
                found.append(at)
        return found

    def room(self, at: int, done: int) -> int:
        """Return how many members of a group are not done."""
        return (self._masks[at] & ~done).bit_count()

    def take(self, groups: Sequence[int], done: int) -> tuple[int, ...]:
        """Return one member of each of these groups, in turn, that is not done; nothing where one has too few."""
        left = {at: iter([gold for gold in self.members[at] if not done >> gold & 1]) for at in set(groups)}
        taken = [next(left[at], -1) for at in groups]
        return () if -1 in taken else tuple(taken)


class Remainders:
    """Keys of what is left to do: equal ones have equal graphs left, so what can follow is the same.

    Graphs that are equal but for the order of their calls mostly, not always, get equal keys.
    """

    def __init__(self, graph: CallGraph, alike: Sequence[Hashable]) -> None:
        numbers: dict[Hashable, int] = {}
        self._graph = graph
        self._label = [numbers.setdefault(one, len(numbers)) for one in alike]
        self._order = sorted(range(graph.size), key=graph.level.__getitem__)
        self._shapes: dict[Hashable, int] = {}

    def key(self, done: int, before: int | None = None) -> Hashable:
        """Return the calls left in an order that depends on labels and dependencies, each with the places it needs.

        In the middle of a step `before` is what was done before it: what waits for the step counts as different.
        """
        left = [gold for gold in self._order if not done >> gold & 1]
        shape = self._shapes_below(left, done if before is None else before)
        place: dict[int, int] = {}
        written = []
        for _, level in groupby(left, self._graph.level.__getitem__):
            own = [
                (shape[gold], sorted(place[one] for one in members(self._graph.needs[gold] & ~done)), gold)
                for gold in level
            ]
            for number, needed, gold in sorted(own):
                place[gold] = len(place)
                written.append((number, tuple(needed)))
        return tuple(written)

    def _shapes_below(self, left: Sequence[int], before: int) -> dict[int, int]:
        """For each call a number for its label, whether it was ready before, and all that hangs on it."""
        shape: dict[int, int] = {}
        for gold in reversed(left):
            below = tuple(sorted(shape[one] for one in members(self._graph.unlocks[gold])))
            is_ready = self._graph.needs[gold] & before == self._graph.needs[gold]
            shape[gold] = self._shapes.setdefault((self._label[gold], is_ready, below), len(self._shapes))
        return shape


def mask_of(golds: Sequence[int]) -> int:
    """Return the mask with the bits of these positions."""
    mask = 0
    for gold in golds:
        mask |= 1 << gold
    return mask
