"""The design of a session: kinds, transitions, topologies and hidings in exact proportions (sections 3.3 to 3.5).

Sessions come in blocks. A block has one session for each number of transitions and each rotation of the kinds. So over
a block every kind is equally frequent at every position, and every number of transitions is equally frequent.

    topology of a `multi` task    P, S, S+P in turn
    hiding of the second task     partial, coreference in turn
    hiding of the later tasks     long_range, partial, long_range, coreference in turn; with four tasks in a session
                                  each hiding is a third of all
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Final, TypeVar

import msgspec

from callwright.engine.randomness import stream
from callwright.records.annotations.wild_notes import Topology
from callwright.records.dialogue import TaskKind

T = TypeVar("T")

KINDS: Final[tuple[TaskKind, ...]] = ("single", "multi", "clarify", "chat")
TOPOLOGIES: Final[tuple[Topology, ...]] = ("P", "S", "S+P")
_SECOND: Final = ("partial", "coreference")
_LATER: Final = ("long_range", "partial", "long_range", "coreference")


class TaskDesign(msgspec.Struct, frozen=True):
    """What one task must be."""

    kind: TaskKind
    topology: Topology = ""
    hiding: str = ""
    next_refers_back: bool = False
    """Whether the next task leaves out something that this task says or obtains."""
    chain_follows: bool = False
    """Whether a later task has calls that need results of other calls; it may begin with what this task is about."""


class SessionDesign(msgspec.Struct, frozen=True):
    """What one session must be."""

    tasks: tuple[TaskDesign, ...]

    @property
    def transitions(self) -> int:
        """Number of changes of kind between consecutive tasks."""
        return sum(one.kind != other.kind for one, other in pairwise(self.tasks))

    @property
    def needs(self) -> Topology:
        """The topology that asks most of the tools; empty where none needs results of other calls."""
        shapes = {task.topology for task in self.tasks}
        return "S" if "S" in shapes else "S+P" if "S+P" in shapes else ""


def design_of(index: int, *, seed: int, tasks: int) -> SessionDesign:
    """Return the design of session `index` with this number of tasks."""
    block, place = divmod(index, len(KINDS) * tasks)
    return _block(block, seed, tasks)[place]


@lru_cache(maxsize=512)
def _block(number: int, seed: int, tasks: int) -> tuple[SessionDesign, ...]:
    rng = stream(seed, "wild", f"design/{tasks}/{number}", 0)
    sequences = [
        [KINDS[(kind + turn) % len(KINDS)] for kind in base]
        for base in _bases(rng, tasks)
        for turn in range(len(KINDS))
    ]
    rng.shuffle(sequences)
    counts = {"multi": number, "second": number, "later": number}
    return tuple(SessionDesign(_tasks(sequence, counts)) for sequence in sequences)


def _bases(rng: Random, tasks: int) -> list[list[int]]:
    """One sequence of kinds for each number of transitions."""
    bases = []
    for changes in range(tasks):
        places = set(rng.sample(range(1, tasks), changes))
        kinds = [0]
        for place in range(1, tasks):
            kinds.append((kinds[-1] + rng.randint(1, len(KINDS) - 1)) % len(KINDS) if place in places else kinds[-1])
        bases.append(kinds)
    return bases


def _tasks(kinds: Sequence[TaskKind], counts: dict[str, int]) -> tuple[TaskDesign, ...]:
    shapes: list[tuple[TaskKind, Topology, str]] = []
    for position, kind in enumerate(kinds):
        topology: Topology = _take(TOPOLOGIES, counts, "multi") if kind == "multi" else ""
        hiding = ""
        if position:
            hiding = _take(_SECOND, counts, "second") if position == 1 else _take(_LATER, counts, "later")
        shapes.append((kind, topology, hiding))
    return tuple(
        TaskDesign(
            *shape,
            next_refers_back=any(hiding in _SECOND for _, _, hiding in shapes[position + 1 : position + 2]),
            chain_follows=any(topology in ("S", "S+P") for _, topology, _ in shapes[position + 1 :]),
        )
        for position, shape in enumerate(shapes)
    )


def _take(choices: Sequence[T], counts: dict[str, int], key: str) -> T:
    counts[key] += 1
    return choices[counts[key] % len(choices)]
