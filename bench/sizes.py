"""Rate and peak memory of evaluations of ever more dialogues by a served model that answers at once.

    python bench/sizes.py [SIZE ...]                  1,000 and 10,000 where none is given

Each dialogue has one user turn, so there are as many calls; each size runs in a process of its own.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import perf_counter

import msgspec
from served import serving

import callwright
from callwright.app.datasets import open_dataset
from callwright.app.evaluation import evaluate_model
from callwright.app.rescoring import score_runs
from callwright.formats import catalog as catalogs
from callwright.records.codec import to_line
from callwright.store import dataset as folders

SIZES = (1_000, 10_000)
MADE = 500


def copies(made: Path) -> Iterator[bytes]:
    """The first exchange of each dialogue again and again, under ids of their own."""
    dialogues, number = open_dataset(made).dialogues, 0
    while True:
        for dialogue in dialogues:
            number += 1
            copy = msgspec.structs.replace(dialogue, id=f"{dialogue.id}-{number}", turns=dialogue.turns[:2])
            yield to_line(copy)


def run(folder: Path, url: str, out: Path) -> None:
    began = perf_counter()
    result = evaluate_model(folder, "static", model="openai/any", base_url=url, out=out, concurrency=64)
    evaluated, peak = perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    score_runs([out])
    scored, after = perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{result.done:9,} dialogues: {result.calls / (evaluated - began):7,.0f}/s, peak {peak:7,.0f} MB; "
        f"with scores {result.calls / (scored - began):7,.0f}/s, peak {after:7,.0f} MB",
        flush=True,
    )


def main() -> None:
    if sys.argv[1:2] == ["--run"]:
        run(Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
        return
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        callwright.synthesize("diaforge", "builtin/enterprise", n=MADE, seed=7, out=top / "made")
        made = open_dataset(top / "made")
        for size in sizes:
            folder = top / str(size)
            folders.write_dataset(
                folder,
                dialogues=islice(copies(top / "made"), size),
                rejected=(),
                catalog=catalogs.write(made.catalog),
                funnel={},
                card="",
            )
            with serving(0.0) as url:
                subprocess.run(
                    [sys.executable, __file__, "--run", str(folder), url, str(top / f"run-{size}")], check=True
                )


if __name__ == "__main__":
    main()
