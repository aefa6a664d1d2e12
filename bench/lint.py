"""Time and memory of lint, neighbours and retrieval on a catalogue of 3,000 tools, made by perturbing real ones.

    python bench/lint.py [--tools 3000] [--lists ../shared/data/wild/tools_en.jsonl]

Prints one line a figure; the targets stand in ARCHITECTURE.md and are not asserted here.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

from callwright.catalog.lint import lint
from callwright.catalog.retrieval import Retriever
from callwright.catalog.similarity import near_duplicates, nearest
from callwright.formats import read_source
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool

LISTS = Path(__file__).parents[1] / "../shared/data/wild/tools_en.jsonl"
QUERY = "Could you look up what my customer booked in Paris last week, and send me the details of the hotel?"
T = TypeVar("T")


def real_tools(lists: Path) -> list[Tool]:
    """Return the tools of the real lists, or of the bundled catalogue where they are absent."""
    if not lists.exists():
        return list(read_source("builtin/enterprise").tools)
    functions = [entry["function"] for line in lists.read_text("utf-8").splitlines() for entry in json.loads(line)]
    return [
        Tool(name=one["name"], description=one.get("description", ""), parameters=encode(one.get("parameters", {})))
        for one in functions
    ]


def perturbed(tools: list[Tool], count: int, rng: Random) -> Catalog:
    """Return `count` tools with distinct names, each a real one with a changed name and a few words left out."""
    made: dict[str, Tool] = {}
    while len(made) < count:
        tool = rng.choice(tools)
        name = f"{tool.name}{rng.choice(('', 'Info', 'List', '_v2', 'ById'))}_{rng.randrange(count)}"
        description = " ".join(word for word in tool.description.split() if rng.random() < 0.8)
        made[name] = Tool(name=name, description=description, parameters=tool.parameters)
    return Catalog(tools=tuple(made.values()))


def timed(what: str, work: Callable[[], T]) -> T:
    """Run `work`, print its wall time, return its result."""
    start = time.perf_counter()
    result = work()
    print(f"{what:<34}{time.perf_counter() - start:8.2f} s")
    return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=int, default=3000)
    parser.add_argument("--lists", type=Path, default=LISTS)
    options = parser.parse_args()
    catalog = perturbed(real_tools(options.lists), options.tools, Random(7))
    report = timed(f"lint of {len(catalog.tools):,} tools", lambda: lint(catalog))
    print(f"  {len(report.pairs):,} pairs, {len(report.clusters):,} clusters, {len(report.findings):,} findings")
    timed("near_duplicates alone", lambda: near_duplicates(catalog.tools))
    timed("nearest, k = 5", lambda: nearest(catalog.tools, 5))
    for size in (60, 300, len(catalog.tools)):
        retriever = timed(f"retriever of {size:,} tools", partial(Retriever, catalog.tools[:size]))
        start = time.perf_counter()
        for _ in range(200):
            retriever.search(QUERY, 6)
        print(f"  a query of {len(QUERY.split())} words{(time.perf_counter() - start) / 200 * 1e6:14.0f} µs")
    print(f"{'peak memory':<34}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MiB")


if __name__ == "__main__":
    main()
