"""Show that `builtin/oracle` is right everywhere: the ceiling of each protocol over each catalogue is 1.

    python tests/long/oracle.py [NAME ...] [--n 60] [--sessions 20] [--data ../shared/data/openapi] [--out DIR]

Runs it through the static and dynamic protocols of diaforge and through wild, and prints the metrics that are not at
their best value. Ends with status 1 where there is one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from eleven import BUILD, DATA, datasets

import callwright

BEST = {
    "diaforge": {"acc": 1.0, "ftr": 0.0, "tar": 0.0},
    "wild": {"task_acc": 1.0, "session_acc": 1.0},
}
"""Metrics by recipe, and the value of an assistant that is always right."""
PROTOCOLS = {"diaforge": ("static", "dynamic"), "wild": ("wild",)}


def main() -> None:
    """Print one line a catalogue and protocol."""
    parser = argparse.ArgumentParser(description="Show that the oracle is right everywhere.")
    parser.add_argument("names", nargs="*", default=list(BUILD), help="catalogues")
    parser.add_argument("--n", type=int, default=60, help="dialogues of diaforge, at least one for each tool")
    parser.add_argument("--sessions", type=int, default=20, help="sessions of wild")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, help="folder for datasets and runs, which are made where it lacks them")
    options = parser.parse_args()
    is_best = True
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.out or Path(scratch)
        for recipe, protocols in PROTOCOLS.items():
            n = options.n if recipe == "diaforge" else options.sessions
            for name, data in datasets(
                options.names, recipe=recipe, n=n, seed=options.seed, data=options.data, folder=folder
            ):
                for protocol in protocols:
                    is_best &= _is_best(name, recipe, protocol, data, folder / f"oracle-{protocol}-{data.name}")
    sys.exit(0 if is_best else 1)


def _is_best(name: str, recipe: str, protocol: str, data: Path, out: Path) -> bool:
    run = callwright.evaluate_model(data, protocol, model="builtin/oracle", out=out)
    rows = [row for row in callwright.score_runs([out]) if not row.slice]
    found = {row.metric: row.value for row in rows if row.metric in BEST[recipe]}
    excluded = max((row.n_excluded for row in rows), default=0)
    is_best = found == BEST[recipe] and not run.failed
    values = ", ".join(f"{metric} {value}" for metric, value in found.items())
    mark = "" if is_best else " !"
    print(f"{name:22}{protocol:9}{run.done} of {run.planned}, {excluded} excluded: {values}{mark}", flush=True)
    return is_best


if __name__ == "__main__":
    main()
