"""Give commands the documents of a folder, as its own tools: OpenAPI as people write it.

    python tests/long/attack_documents.py FOLDER [--documents 100] [--seed 1] [--show 20]

Each of a random sample is imported, linted, built into a graph, exported and given to every recipe, in processes of
their own. Prints a table, and ends with status 1 where a command ended in anything but a result or one clear error,
said `bug:`, took over a minute or over 2 GB.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

SLOWEST_S = 60
MOST_BYTES = 2 << 30
KINDS = ("right", "clean", "tracebacks", "hangs", "memory")


class Ended(NamedTuple):
    """How one command ended."""

    kind: str
    seconds: float
    megabytes: float
    detail: str = ""


def commands(document: str, recipes: list[str]) -> dict[str, list[str]]:
    """Return the commands that a document is given to, by name."""
    found = {
        "import": ["import", document, "-o", "tools.json"],
        "lint": ["lint", document],
        "graph build": ["graph", "build", document, "-o", "graph.json"],
        "export": ["export", document, "--format", "mcp", "-o", "mcp.json"],
    }
    for recipe in recipes:
        found[f"synth {recipe}"] = ["synth", recipe, document, "-n", "2", "-o", f"made-{recipe}"]
    return found


def run(argv: list[str], folder: str) -> Ended:
    """Run a command and return how it ended."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "callwright", *argv], cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
        code, usage = _wait(process.pid, began)
        process.returncode = code
        said.seek(0)
        output = said.read(1 << 20).decode("utf-8", "replace")
    seconds, megabytes = time.monotonic() - began, usage / 1024
    return Ended(_kind(code, output, megabytes), seconds, megabytes, output[-1500:])


def _wait(pid: int, began: float) -> tuple[int | None, int]:
    """Return exit code (None where it had to be killed) and the peak of memory in kilobytes."""
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status), usage.ru_maxrss
        if time.monotonic() - began > SLOWEST_S:
            os.kill(pid, signal.SIGKILL)
            return None, os.wait4(pid, 0)[2].ru_maxrss
        time.sleep(0.02)


def _kind(code: int | None, output: str, megabytes: float) -> str:
    if code is None:
        return "hangs"
    if megabytes * 2**20 > MOST_BYTES:
        return "memory"
    if "Traceback (most recent" in output or re.search(r"\bbug:", output) or code not in (0, 1, 2):
        return "tracebacks"
    errors = [line for line in output.splitlines() if line.startswith("callwright: ")]
    return "right" if code < 2 else "clean" if len(errors) == 1 else "tracebacks"


def main() -> int:
    """Read the options, run, print."""
    from callwright.papers.registry import names_of

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    paths = sorted(path.resolve() for path in options.folder.iterdir() if path.is_file())
    paths = random.Random(options.seed).sample(paths, min(options.documents, len(paths)))
    counts: Counter[tuple[str, str]] = Counter()
    slowest: dict[str, Ended] = {}
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            for name, argv in commands(str(path), names_of("recipes")).items():
                ended = run(argv, folder)
                counts[name, ended.kind] += 1
                slowest[name] = max(ended, slowest.get(name, ended), key=lambda one: one.seconds)
                if ended.kind not in ("right", "clean") and options.show:
                    options.show -= 1
                    print(f"{ended.kind}: {' '.join(argv)} ({ended.seconds:.0f} s)\n{ended.detail}\n", flush=True)
    print(" ".join(f"{word:>14}" for word in ("command", *KINDS, "slowest s", "its MB")))
    for name, ended in slowest.items():
        cells = [str(counts[name, kind]) for kind in KINDS]
        print(" ".join(f"{word:>14}" for word in (name, *cells, f"{ended.seconds:.1f}", f"{ended.megabytes:.0f}")))
    return int(any(count for (_, kind), count in counts.items() if kind not in ("right", "clean")))


if __name__ == "__main__":
    raise SystemExit(main())
