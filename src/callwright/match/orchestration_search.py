"""Finds the longest legal prefix of the steps, if a call may match several gold calls.

Without a choice, except between interchangeable gold calls, one pass suffices. Otherwise it is a depth-first search
over the remaining gold calls, those needed soonest first; each remainder is visited once. `Twins` and `Remainders` tell
which sets of gold calls done are the same for all that follows, `windows` when a gold call must have been made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from callwright.errors import BadInput
from callwright.match.call_graph import CallGraph, members
from callwright.match.pairing import maximum_pairing

MAX_WORK: Final = 200_000
"""Limit of the search: choices tried times gold calls of the task."""

Options = Sequence[Sequence[Sequence[int]]]
"""For each step, for each of its calls, the gold calls it is right for."""

Walk = tuple[tuple[int, ...], ...]
"""For each legal step the gold call that each of its calls is."""


def longest_walk(graph: CallGraph, options: Options, alike: Sequence[Hashable]) -> Walk:
    """Return a longest legal beginning of the steps, with the gold calls it makes.

    Gold calls with equal entries in `alike` match the same calls. Raises BadInput beyond `MAX_WORK`.
    """
    needs = graph.needs
    walk: list[tuple[int, ...]] = []
    done = 0
    for step in options:
        move: list[int] = []
        for call in step:
            ready = [gold for gold in call if not done >> gold & 1 and needs[gold] & done == needs[gold]]
            if len(ready) > 1:
                return _walk_with_choice(graph, options, alike)
            move += ready
        if not step or len(set(move)) < len(step):
            break
        walk.append(tuple(move))
        done |= mask_of(move)
    return tuple(walk)


def _walk_with_choice(graph: CallGraph, options: Options, alike: Sequence[Hashable]) -> Walk:
    """The same, if some call may match several gold calls."""
    twins = Twins(graph, alike)
    walk: list[tuple[int, ...]] = []
    done = 0
    for step in options:
        choices = [twins.ready(call, done) for call in step]
        if all(choices) and any(len(choice) > 1 for choice in choices):
            return _Search(graph, options, alike, twins).run()
        move = twins.take([choice[0] for choice in choices], done) if all(choices) else ()
        if not move:
            break
        walk.append(move)
        done |= mask_of(move)
    return tuple(walk)


class _Search:
    def __init__(self, graph: CallGraph, options: Options, alike: Sequence[Hashable], twins: Twins) -> None:
        self._options = options[: most_legal_steps(graph, options)]
        self._due = windows(graph, self._options).last
        self._twins = twins
        self._left = Remainders(graph, alike)
        self._most_tried = MAX_WORK // graph.size

    def run(self) -> Walk:
        best: Walk = ()
        walk: list[tuple[int, ...]] = []
        done = [0]
        visited = set[Hashable]()
        untried = [self._moves(0, 0)]
        while untried and len(best) < len(self._options):
            move = next(untried[-1], None)
            if move is None:
                untried.pop()
                done.pop()
                del walk[len(untried) - 1 :]
                continue
            after = done[-1] | mask_of(move)
            key = self._left.key(after)
            if key in visited:
                continue
            visited.add(key)
            walk.append(move)
            done.append(after)
            untried.append(self._moves(len(walk), after))
            best = max(best, tuple(walk), key=len)
        return best

    def _moves(self, at: int, done: int) -> Iterator[tuple[int, ...]]:
        """Yield assignments for step `at`, one for each possible remainder; gold calls needed soonest come first."""
        step = self._options[at] if at < len(self._options) else ()
        choices = [
            sorted(self._twins.ready(call, done), key=lambda group: self._due[self._twins.members[group][0]])
            for call in step
        ]
        room = {group: self._twins.room(group, done) for choice in choices for group in choice}
        if not step or not _can_be_made(choices, room):
            return
        order = sorted(range(len(step)), key=choices.__getitem__)  # sorts calls with equal choices next to each other
        untried = [iter(choices[order[0]])]
        chosen: list[int] = []
        used: Counter[int] = Counter()
        seen = set[Hashable]()
        while untried:
            group = next(untried[-1], None)
            if group is None:
                untried.pop()
                if chosen:
                    used[chosen.pop()] -= 1
                continue
            if used[group] == room[group] or self._is_known((*chosen, group), done, seen):
                continue
            used[group] += 1
            chosen.append(group)
            if len(chosen) < len(step):
                untried.append(iter(choices[order[len(chosen)]]))
                continue
            groups = dict(zip(order, chosen, strict=True))
            yield self._twins.take([groups[call] for call in range(len(step))], done)
            used[chosen.pop()] -= 1

    def _is_known(self, chosen: Sequence[int], done: int, seen: set[Hashable]) -> bool:
        """Return whether an earlier assignment of as many calls leaves the same remainder."""
        self._most_tried -= 1
        if self._most_tried < 0:
            raise BadInput(
                "so many gold calls are equal that there are too many ways to tell them apart. "
                "Give equal calls arguments that differ, or split the task."
            )
        key = self._left.key(done | mask_of(self._twins.take(chosen, done)), before=done)
        is_known = key in seen
        seen.add(key)
        return is_known


def _can_be_made(choices: Sequence[Sequence[int]], room: dict[int, int]) -> bool:
    places = [group for group, count in room.items() for _ in range(count)]
    if len(choices) > len(places):
        return False
    return None not in maximum_pairing(len(choices), len(places), lambda call, place: places[place] in choices[call])


# -- a bound on how many steps can be legal --------------------------------------------------------------------------

NEVER: Final = 1 << 60
"""A deadline for what need not be made."""


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


# -- equal states ----------------------------------------------------------------------------------------------------


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
        groups = dict.fromkeys(self._of[gold] for gold in call)
        return [at for at in groups if self._needs[at] & done == self._needs[at] and self._masks[at] & ~done]

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
    mask = 0
    for gold in golds:
        mask |= 1 << gold
    return mask
