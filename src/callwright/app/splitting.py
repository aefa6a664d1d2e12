"""Which dialogues go to which part, so that no tool is seen in two.

    groups     the tools by line of business, or each tool for itself; a group goes to one part whole
    touched    the groups of all tools that a dialogue shows or asks for
    a dialogue goes to the part that has all it touches; one that touches two parts is left out

Groups that occur together are put together, so that little is left out: a part grows from a group drawn at random by
the group that shares most dialogues with it, until it has its share. The best of several draws is taken.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from random import Random
from typing import Final, NamedTuple

DRAWS: Final = 64
"""Partitions tried; the one kept leaves out few dialogues and comes near the shares."""

_STRETCH: Final = (1.0, 2.5)
"""How much larger than its share a part is grown: it will lose the dialogues that touch other parts."""

LEFT_OUT: Final = ""
"""The part of a dialogue that touches several."""

Touched = frozenset[str]


class _Groups(NamedTuple):
    sizes: Mapping[str, int]
    """Group to how many dialogues touch it."""
    links: Mapping[str, Mapping[str, int]]
    """Group to other group to how many dialogues touch both."""


def assign_parts(touched: Sequence[Touched], shares: Mapping[str, float], rng: Random) -> list[str]:
    """Return the part of each dialogue, given the groups it touches; `LEFT_OUT` where that is more than one part's.

    `shares` are the parts wanted, in [0, 1], with the sum 1. The same arguments give the same parts. With fewer
    groups than parts some part stays empty.
    """
    groups = _groups(touched)
    best: tuple[float, list[str]] | None = None
    for _ in range(DRAWS):
        homes = _draw(groups, shares, rng)
        parts = [_part_of(one, homes) for one in touched]
        loss = _loss(parts, shares)
        if best is None or loss < best[0]:
            best = loss, parts
    return best[1] if best else []


def _groups(touched: Sequence[Touched]) -> _Groups:
    sizes: Counter[str] = Counter()
    links: dict[str, Counter[str]] = defaultdict(Counter)
    for one in touched:
        for group in sorted(one):
            sizes[group] += 1
            links[group].update(other for other in one if other != group)
    return _Groups(sizes, links)


def _draw(groups: _Groups, shares: Mapping[str, float], rng: Random) -> dict[str, str]:
    """Return group to part: the smaller parts grow one after the other, the largest takes what is left."""
    order = sorted(groups.sizes)
    rng.shuffle(order)
    *smaller, largest = sorted(shares, key=lambda name: (shares[name], name))
    homes: dict[str, str] = {}
    total = sum(groups.sizes.values())
    for name in smaller:
        _grow(name, shares[name] * total * rng.uniform(*_STRETCH), order, groups, homes)
    return {group: homes.get(group, largest) for group in order}


def _grow(name: str, wanted: float, order: Sequence[str], groups: _Groups, homes: dict[str, str]) -> None:
    """Add groups to the part while that brings its size nearer to `wanted`.

    The one most linked to it comes first; where none is, the next of `order`.
    """
    links: Counter[str] = Counter()
    heap: list[tuple[float, str]] = []
    size = 0
    for start in order:
        heap.append((0.0, start))
        while heap:
            _, group = heappop(heap)
            added = groups.sizes[group]
            if group in homes or (size and abs(size + added - wanted) >= abs(size - wanted)):
                continue
            homes[group] = name
            size += added
            for other, count in sorted(groups.links.get(group, {}).items()):
                if other not in homes:
                    links[other] += count
                    heappush(heap, (-links[other] / groups.sizes[other], other))


def _part_of(touched: Touched, homes: Mapping[str, str]) -> str:
    parts = {homes[group] for group in touched}
    return parts.pop() if len(parts) == 1 else LEFT_OUT


def _loss(parts: Sequence[str], shares: Mapping[str, float]) -> float:
    """Share of dialogues left out, plus how far the parts are from the shares wanted; an empty part costs most."""
    counts = Counter(parts)
    kept = len(parts) - counts[LEFT_OUT]
    if not kept:
        return float(len(shares) + 1)
    away = sum(abs(counts[name] / kept - share) for name, share in shares.items())
    empty = sum(not counts[name] for name in shares)
    return counts[LEFT_OUT] / len(parts) + away + empty
