"""Score random steps on random call graphs, and look them up among all enumerated paths: no verdict may differ.

    python tests/long/random_orchestration.py [--illegal 100000] [--most-calls 8] [--seed 1]

Goes on until so many illegal sequences of steps were scored; legal ones are scored as well. Prints what was compared,
and ends with a traceback at the first difference.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "match"))

from call_graphs import Enumerated, fast_verdict, random_graph, random_steps


def main() -> None:
    """Compare, count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--illegal", type=int, default=100_000)
    parser.add_argument("--most-calls", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = Random(options.seed)
    illegal = legal = graphs = 0
    began = time.perf_counter()
    while illegal < options.illegal:
        graph = random_graph(chance, chance.randint(1, options.most_calls))
        if graph.size > 6 and sum(map(int.bit_count, graph.needs)) < graph.size:
            continue  # nearly all parallel: half a million paths to write out
        slow = Enumerated(graph)
        graphs += 1
        for _ in range(500):
            steps = random_steps(chance, graph)
            expected = slow.verdict(steps)
            if fast_verdict(graph, steps) != expected:
                raise AssertionError(f"{fast_verdict(graph, steps)} is not {expected}: {graph}, {steps}")
            legal += expected[3] is None
            illegal += expected[3] is not None
    took = time.perf_counter() - began
    print(f"{illegal:,} illegal and {legal:,} legal sequences on {graphs:,} graphs in {took:.0f} s")


if __name__ == "__main__":
    main()
