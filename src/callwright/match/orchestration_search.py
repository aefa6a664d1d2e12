"""Finds the longest legal prefix of the steps, if a call may match several gold calls.

If no call has a choice, except between interchangeable gold calls, one pass suffices. Otherwise it is a depth-first
search over the remaining gold calls: gold calls that later steps need soonest are tried first, each remainder is
visited once, and a bound ends the search when no longer prefix exists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from callwright.errors import BadInput
from callwright.match.call_graph import CallGraph
from callwright.match.orchestration_states import Remainders, Twins, mask_of
from callwright.match.orchestration_windows import Options, most_legal_steps, windows
from callwright.match.pairing import maximum_pairing

MAX_WORK: Final = 200_000
"""Limit of the search: choices tried times gold calls of the task."""

Walk = tuple[tuple[int, ...], ...]
"""For each legal step the gold call that each of its calls is."""


def longest_walk(graph: CallGraph, options: Options, alike: Sequence[Hashable]) -> Walk:
    """Return a longest legal beginning of the steps, with the gold calls it makes.

    Gold calls with equal entries in `alike` match the same calls. Raises BadInput if the search takes more
    than `MAX_WORK`.
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
    """One search; `run` gives its walk."""

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
        choices = [sorted(self._twins.ready(call, done), key=self._urgency) for call in step]
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

    def _urgency(self, group: int) -> int:
        return self._due[self._twins.members[group][0]]

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
    """Return whether every call can get a different gold call."""
    places = [group for group, count in room.items() for _ in range(count)]
    if len(choices) > len(places):
        return False
    return None not in maximum_pairing(len(choices), len(places), lambda call, place: places[place] in choices[call])
