"""The design of a session: kinds, transitions, topologies and hidings in exact proportions (sections 3.3 to 3.5).

Sessions come in blocks. A block has one session for each number of transitions and each rotation of the kinds. So over
a block every kind is equally frequent at every position, and every number of transitions is equally frequent. Every
session changes its kind at least once, as all of the paper's do (table 1), so that some task needs a call; a session of
one task is no chat.

    topology of a `multi` task    P, S, S+P in the shares that an option names
    hiding of the second task     partial, coreference in turn
    hiding of the later tasks     long_range, partial, long_range, coreference in turn; with four tasks in a session
                                  each hiding is a third of all
    signposted                    every fourth `long_range` task says which request it means; the others say what it
                                  was about
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from random import Random
from typing import Final, Literal, TypeVar

import msgspec

from callwright.engine.randomness import stream
from callwright.records.annotations.wild_notes import Topology, WildNotes, WildPlan
from callwright.records.dialogue import Dialogue, TaskKind

T = TypeVar("T")

KINDS: Final[tuple[TaskKind, ...]] = ("single", "multi", "clarify", "chat")
TopologyShares = Literal["even", "paper"]
SHARES: Final[Mapping[TopologyShares, Mapping[Topology, int]]] = {
    "even": {"P": 1, "S": 1, "S+P": 1},
    "paper": {"P": 157, "S": 16, "S+P": 84},
}
"""How many of the `multi` tasks have each topology (`paper`: section 3.6 and table 3)."""
_SIGNPOST: Final = 4
_SECOND: Final = ("partial", "coreference")
_LATER: Final = ("long_range", "partial", "long_range", "coreference")


class TaskDesign(msgspec.Struct, frozen=True):
    """The kind, topology and hiding that one task must have."""

    kind: TaskKind
    topology: Topology = ""
    hiding: str = ""
    next_refers_back: bool = False
    """Whether the next task leaves out something that this task says or obtains."""
    signposted: bool = False
    """Whether a `long_range` request says which request it means: `my first request`."""
    chain_follows: bool = False
    """Whether a later task has calls that need results of other calls; it may begin with what this task is about."""


class SessionDesign(msgspec.Struct, frozen=True):
    """The tasks and transitions that one session must have."""

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


def hidings_of(dialogue: Dialogue) -> tuple[str, ...]:
    """Return for each task how it hides information, planned or published; empty where it does not."""
    notes = dialogue.annotation
    found = notes.hidings if isinstance(notes, WildNotes | WildPlan) else ()
    return (*found, *[""] * len(dialogue.tasks))[: len(dialogue.tasks)]


def block_size(tasks: int) -> int:
    """Return the number of sessions in a block."""
    return len(KINDS) * (tasks - 1) or len(KINDS) - 1


def design_of(index: int, *, seed: int, tasks: int, topologies: TopologyShares = "even") -> SessionDesign:
    """Return the design of session `index` with this number of tasks."""
    block, place = divmod(index, block_size(tasks))
    return _block(block, seed, tasks, topologies)[place]


@lru_cache(maxsize=512)
def _block(number: int, seed: int, tasks: int, topologies: TopologyShares) -> tuple[SessionDesign, ...]:
    rng = stream(seed, "wild", f"design/{tasks}/{number}", 0)
    kinds = KINDS if tasks > 1 else KINDS[:-1]
    sequences = [
        [kinds[(kind + turn) % len(kinds)] for kind in base]
        for base in _bases(rng, tasks)
        for turn in range(len(kinds))
    ]
    rng.shuffle(sequences)
    multis = sum(sequence.count("multi") for sequence in sequences)
    counts = {"multi": number * multis, "second": number, "later": number, "far": number}
    return tuple(SessionDesign(_tasks(sequence, counts, topologies)) for sequence in sequences)


@cache
def spread(topologies: TopologyShares) -> tuple[Topology, ...]:
    """Return one period of the topologies, each as evenly spread as its share allows."""
    shares = SHARES[topologies]
    total, counts = sum(shares.values()), dict.fromkeys(shares, 0)
    found: list[Topology] = []
    for number in range(1, total + 1):
        most_due = max(shares, key=lambda one: number * shares[one] - total * counts[one])
        counts[most_due] += 1
        found.append(most_due)
    return tuple(found)


def _bases(rng: Random, tasks: int) -> list[list[int]]:
    """One sequence of kinds for each number of transitions, of which there is at least one where tasks allow."""
    bases = []
    for changes in range(1, tasks) if tasks > 1 else (0,):
        places = set(rng.sample(range(1, tasks), changes))
        kinds = [0]
        for place in range(1, tasks):
            kinds.append((kinds[-1] + rng.randint(1, len(KINDS) - 1)) % len(KINDS) if place in places else kinds[-1])
        bases.append(kinds)
    return bases


def _tasks(kinds: Sequence[TaskKind], counts: dict[str, int], topologies: TopologyShares) -> tuple[TaskDesign, ...]:
    shapes: list[tuple[TaskKind, Topology, str]] = []
    period = spread(topologies)
    for position, kind in enumerate(kinds):
        topology: Topology = _take(period, counts, "multi") if kind == "multi" else ""
        hiding = ""
        if position:
            hiding = _take(_SECOND, counts, "second") if position == 1 else _take(_LATER, counts, "later")
        shapes.append((kind, topology, hiding))
    if kinds[0] == "chat" and len(kinds) > 3:
        _move_far(shapes, 2 if kinds[1] == "chat" else 3)
    return tuple(
        TaskDesign(
            *shape,
            signposted=shape[2] == "long_range" and _take((True, *[False] * (_SIGNPOST - 1)), counts, "far"),
            next_refers_back=any(hiding in _SECOND for _, _, hiding in shapes[position + 1 : position + 2]),
            chain_follows=any(topology in ("S", "S+P") for _, topology, _ in shapes[position + 1 :]),
        )
        for position, shape in enumerate(shapes)
    )


def _move_far(shapes: list[tuple[TaskKind, Topology, str]], wanted: int) -> None:
    """Let the third or fourth task be the `long_range` one of the two: a first chat says one value only."""
    (kind, topology, third), (other, shape, fourth) = shapes[2:4]
    if (fourth if wanted == 2 else third) == "long_range":
        shapes[2:4] = [(kind, topology, fourth), (other, shape, third)]


def _take(choices: Sequence[T], counts: dict[str, int], key: str) -> T:
    counts[key] += 1
    return choices[counts[key] % len(choices)]
