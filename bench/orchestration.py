"""Time of scoring orchestration: parallel calls, chains, and equal calls that only what follows tells apart.

    python bench/orchestration.py [--rounds 20]

Prints the best of the rounds, one line a figure; the target is 40 distinct parallel calls in under 1 ms.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from callwright import score_orchestration

Task = tuple[list[Any], list[tuple[int, int]], list[list[Any]]]


def distinct(count: int) -> list[Any]:
    """Return calls of one tool with different arguments."""
    return [("find", {"number": number}) for number in range(count)]


def parallel(count: int) -> Task:
    """Return distinct calls, made at once."""
    return distinct(count), [], [distinct(count)]


def chain(count: int) -> Task:
    """Return distinct calls that each need the one before."""
    return distinct(count), [(at, at + 1) for at in range(count - 1)], [[call] for call in distinct(count)]


def equal(count: int) -> Task:
    """Return equal calls, made at once."""
    return [("clock", {})] * count, [], [[("clock", {})] * count]


def pairs(count: int) -> Task:
    """Return equal calls that each have a successor of their own; half of them go first."""
    firsts = [("clock", {})] * count
    half = count // 2
    seconds = distinct(count)
    steps = [firsts[:half], seconds[half : 2 * half], firsts[half:], [*seconds[:half], *seconds[2 * half :]]]
    return [*firsts, *seconds], [(at, count + at) for at in range(count)], steps


TASKS = ((parallel, 40), (parallel, 500), (chain, 500), (chain, 5000), (equal, 40), (equal, 500), (pairs, 20))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    for make, count in TASKS:
        times = []
        for _ in range(rounds):
            calls, after, steps = make(count)
            start = time.perf_counter()
            assert score_orchestration(calls, after, steps).accomplished
            times.append(time.perf_counter() - start)
        print(f"{make.__name__:>10} {count:>6,} {min(times) * 1e3:10.2f} ms")


if __name__ == "__main__":
    main()
