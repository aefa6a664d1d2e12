"""Kill runs with SIGKILL at random moments, finish them with the same command, and compare with an unbroken run.

    python tests/long/kill_engine.py [--kills 60] [--seed 1]

Two kinds of run are killed: conversations with a model, journalled in one process, and rollouts in two processes.
A kill counts when the run had committed something since it was begun or begun again. Ends with a code other than 0
when a run differs, holds less than before, or leaves a process behind.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ENGINE_TESTS = Path(__file__).resolve().parents[1] / "engine"
sys.path.insert(0, str(ENGINE_TESTS))

import engine_jobs  # noqa: E402  # found through the line above
from engine_processes import all_ended  # noqa: E402

from callwright.engine.job import Processes  # noqa: E402
from callwright.engine.roll_out import roll_out  # noqa: E402
from callwright.errors import BadInput  # noqa: E402
from callwright.store.run import Run  # noqa: E402

RUNS = (("make_conversations", b"8000", 1), ("make_draws", b"30000", 2))


def roll(folder: str, maker: str, payload: bytes, workers: int) -> None:
    with Run.open(folder, kind="test", config={}) as run:
        make = getattr(engine_jobs, maker)
        roll_out(make(payload), run, seed=1, processes=Processes(workers, make, payload))


def contents(folder: str) -> tuple[list[object], list[object]]:
    with Run.read(folder) as run:
        return list(run.outcomes()), list(run.replies())


def begin(folder: str, maker: str, payload: bytes, workers: int) -> subprocess.Popen[bytes]:
    arguments = [sys.executable, __file__, "--child", folder, maker, payload.decode(), str(workers)]
    return subprocess.Popen(arguments, start_new_session=True)


def committed(folder: str) -> int:
    """How much a killed run holds, read as a stranger would: beside its lock, with its log still there."""
    try:
        outcomes, replies = contents(folder)
    except BadInput:  # killed before the run was begun
        return 0
    return len(outcomes) + len(replies)


def kill_until_done(folder: str, job: tuple[str, bytes, int], chance: random.Random, *, only_parent: bool) -> int:
    """Begin the run again and again, killing it at random moments; returns how many kills hit it at work."""
    kills = held = 0
    while True:
        process = begin(folder, *job)
        try:
            process.wait(chance.uniform(0.1, 0.7))
            assert process.returncode == 0, f"ended with code {process.returncode}"
            return kills
        except subprocess.TimeoutExpired:
            (os.kill if only_parent else os.killpg)(process.pid, signal.SIGKILL)
            process.wait()
        assert all_ended(process.pid), "a process is left over"
        before, held = held, committed(folder)
        assert held >= before, "a killed run holds less than before"
        kills += held > before  # others hit it while Python started


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=60, help="how many kills must hit a run at work")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", nargs=4)
    options = parser.parse_args()
    if options.child:
        folder, maker, payload, workers = options.child
        roll(folder, maker, payload.encode(), int(workers))
        return 0
    chance = random.Random(options.seed)
    kills = rounds = 0
    with tempfile.TemporaryDirectory() as top:
        whole = {}
        for job in RUNS:
            roll(f"{top}/whole-{job[0]}", *job)
            whole[job[0]] = contents(f"{top}/whole-{job[0]}")
        while kills < options.kills:
            job = RUNS[rounds % len(RUNS)]
            folder = f"{top}/{rounds}"
            hit = kill_until_done(folder, job, chance, only_parent=rounds % 3 == 0)
            kills += hit
            rounds += 1
            if contents(folder) != whole[job[0]]:
                print(f"round {rounds}: {job[0]} differs after {hit} kills")
                return 1
            print(f"round {rounds}: {job[0]}, {hit} kills, equal", flush=True)
    print(f"{kills} kills in {rounds} runs, all equal to unbroken ones, no process left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
