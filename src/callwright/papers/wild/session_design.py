"""The design of `wild` sessions: kinds, transitions, topologies and hidings in exact proportions over the index.

A block has one session for each number of transitions and each rotation of the kinds, so that over a block every kind
is equally frequent at every position, and every number of transitions too. Within a block topologies and hidings take
turns.

    topologies of `multi`     P, S, S+P: a third each, for the shapes are told apart as well as they are frequent
    hiding of later tasks     second: partial, coreference; further on: long_range, partial, long_range, coreference
                              (for four tasks a third each). A `clarify` task hides something else than it lacks.
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
_FURTHER: Final = ("long_range", "partial", "long_range", "coreference")


class TaskDesign(msgspec.Struct, frozen=True):
    """What one task must be."""

    kind: TaskKind
    topology: Topology = ""
    hiding: str = ""


class SessionDesign(msgspec.Struct, frozen=True):
    """What one session must be."""

    tasks: tuple[TaskDesign, ...]

    @property
    def transitions(self) -> int:
        """Changes of kind between consecutive tasks."""
        kinds = [task.kind for task in self.tasks]
        return sum(one != other for one, other in pairwise(kinds))

    @property
    def needs(self) -> Topology:
        """The topology that asks most of the tools: results that feed others, or at least results that compare."""
        shapes = {task.topology for task in self.tasks}
        return "S" if "S" in shapes else "S+P" if "S+P" in shapes else ""


def design_of(index: int, *, seed: int, tasks: int) -> SessionDesign:
    """Return the design of session `index` with this number of tasks."""
    block, place = divmod(index, len(KINDS) * tasks)
    return _block(block, seed, tasks)[place]


@lru_cache(maxsize=512)
def _block(number: int, seed: int, tasks: int) -> tuple[SessionDesign, ...]:
    rng = stream(seed, "wild", f"design/{tasks}/{number}", 0)
    sequences = [_rotated(base, turn) for base in _bases(rng, tasks) for turn in range(len(KINDS))]
    rng.shuffle(sequences)
    counts = {"multi": number, "second": number, "further": number}
    return tuple(SessionDesign(tuple(_tasks(sequence, counts))) for sequence in sequences)


def _bases(rng: Random, tasks: int) -> list[list[int]]:
    """One sequence of kinds for each number of changes."""
    bases = []
    for changes in range(tasks):
        places = set(rng.sample(range(1, tasks), changes))
        kinds = [0]
        for place in range(1, tasks):
            kinds.append((kinds[-1] + rng.randint(1, len(KINDS) - 1)) % len(KINDS) if place in places else kinds[-1])
        bases.append(kinds)
    return bases


def _rotated(kinds: Sequence[int], turn: int) -> list[TaskKind]:
    return [KINDS[(kind + turn) % len(KINDS)] for kind in kinds]


def _tasks(kinds: Sequence[TaskKind], counts: dict[str, int]) -> list[TaskDesign]:
    tasks = []
    for position, kind in enumerate(kinds):
        topology: Topology = _take(TOPOLOGIES, counts, "multi") if kind == "multi" else ""
        hiding = ""
        if position:
            hiding = _take(_SECOND, counts, "second") if position == 1 else _take(_FURTHER, counts, "further")
        tasks.append(TaskDesign(kind, topology, hiding))
    return tasks


def _take(choices: Sequence[T], counts: dict[str, int], key: str) -> T:
    counts[key] += 1
    return choices[counts[key] % len(choices)]
