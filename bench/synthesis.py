"""Dialogues a second of offline synthesis over the bundled catalogue: plan, rollout, cascade, journal and dataset.

    python bench/synthesis.py [-n 4000] [--workers 1 2]

Prints wall and processor time of the whole command, start of the processes included; the target stands in
ARCHITECTURE.md and is not asserted here.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=4000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{options.n:,} dialogues on {os.cpu_count()} cores{load}")
    with tempfile.TemporaryDirectory() as folder:
        for workers in options.workers:
            measure(options.n, workers, f"{folder}/{workers}")


def measure(n: int, workers: int, out: str) -> None:
    """Run the command once and print its times."""
    command = [sys.executable, "-m", "callwright", "synth", "diaforge", "builtin/enterprise", "-n", str(n), "-o", out]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run([*command, "--workers", str(workers)], check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"workers {workers}: {n / wall:7.0f} dialogues/s ({wall:.2f} s, {used:.2f} s of processors)")


if __name__ == "__main__":
    main()
