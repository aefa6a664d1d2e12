"""The synth command in processes of its own, to be killed; importable by tests and by the kill campaign."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from callwright.errors import BadInput
from callwright.store.run import Run

FILES = ("dialogues.jsonl", "rejected.jsonl", "catalog.json", "README.md", "funnel.json")


def command(out: Path, *, n: int, workers: int = 1, seed: int = 7) -> list[str]:
    """The command line of a synthesis over the bundled catalogue."""
    start = [sys.executable, "-m", "callwright", "synth", "diaforge", "builtin/enterprise"]
    return [*start, "-n", str(n), "--seed", str(seed), "--workers", str(workers), "-o", str(out), "--json"]


def begin(out: Path, *, n: int, workers: int = 1) -> subprocess.Popen[str]:
    """Start it in a process group of its own."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command(out, n=n, workers=workers), text=True, stdout=pipe, stderr=pipe, start_new_session=True
    )


def finish(out: Path, *, n: int, workers: int = 1) -> None:
    """Run it to its end."""
    subprocess.run(command(out, n=n, workers=workers), check=True, capture_output=True, timeout=300)


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a dataset."""
    return {name: (folder / name).read_bytes() for name in FILES}


def committed(out: Path) -> int:
    """How many rollouts the journal holds."""
    try:
        with Run.read(out / ".run") as run:
            return sum(1 for _ in run.outcomes())
    except BadInput:  # not begun yet
        return 0


def wait_until_at_work(process: subprocess.Popen[str], out: Path, *, at_least: int = 1) -> None:
    """Return once some rollouts are committed; fails where the process ends before."""
    while committed(out) < at_least:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def kill_until_done(out: Path, *, n: int, workers: int, chance: random.Random, most_kills: int = 10_000) -> int:
    """Begin the synthesis again and again, killing it at random moments; return how many kills hit it at work.

    Every third attempt waits until files are being written. After `most_kills` kills it is left to finish.
    """
    kills = attempts = 0
    while kills < most_kills:
        process = begin(out, n=n, workers=workers)
        attempts += 1
        before = committed(out)
        ended = _wait(process, out, chance.uniform(0.3, 2.0), for_files=attempts % 3 == 0)
        if ended:
            _, error = process.communicate()
            assert process.returncode == 0, error
            return kills
        writing = _is_writing(out)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        kills += writing or committed(out) > before
    finish(out, n=n, workers=workers)
    return kills


def _wait(process: subprocess.Popen[str], out: Path, seconds: float, *, for_files: bool) -> bool:
    """Wait for the moment to kill; True where the process ended before it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until or for_files:
        if process.poll() is not None:
            return True
        if for_files and _is_writing(out):
            return False
        time.sleep(0.002)
    return process.poll() is not None


def _is_writing(out: Path) -> bool:
    return out.is_dir() and any(name.endswith(".part") for name in os.listdir(out))
