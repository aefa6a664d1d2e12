"""The eval command against a server, in processes of its own, to be killed; for tests and for the kill campaign."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from callwright.app.evaluation import open_run
from callwright.errors import BadInput
from callwright.records.dialogue import Turn
from callwright.store.run import Run


def command(made: Path, url: str, out: Path) -> list[str]:
    """The command line of an evaluation at a server, few calls at once so that it takes a while."""
    start = [sys.executable, "-m", "callwright", "eval", str(made), "--protocol", "dynamic", "--concurrency", "8"]
    return [*start, "--model", "openai/any", "--base-url", url, "-o", str(out), "--json"]


def kill_until_done(made: Path, url: str, out: Path, *, chance: random.Random, most_kills: int = 10_000) -> int:
    """Begin the evaluation again and again, killing it soon after it committed something; return how many kills."""
    kills = held = 0
    while True:
        pipe = subprocess.PIPE
        process = subprocess.Popen(command(made, url, out), text=True, stdout=pipe, stderr=pipe, start_new_session=True)
        while kills < most_kills and process.poll() is None and committed(out) <= held:
            time.sleep(0.005)
        with contextlib.suppress(subprocess.TimeoutExpired):
            _, error = process.communicate(timeout=chance.uniform(0, 0.4) if kills < most_kills else 300)
            assert process.returncode == 0, error
            return kills
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        kills += 1
        before, held = held, committed(out)
        assert held > before, "a killed run does not hold what it had committed"


def committed(out: Path) -> int:
    """How many replies a killed run holds, read beside its lock."""
    try:
        with Run.read(out) as run:
            return sum(1 for _ in run.replies())
    except BadInput:  # not begun yet
        return 0


def transcripts(out: Path) -> list[tuple[str, tuple[Turn, ...]]]:
    """What the model did with each dialogue."""
    return [(one.dialogue, one.turns) for one in open_run(out).transcripts]


def replies(out: Path) -> list[tuple[object, ...]]:
    """Every reply with its place; token counts and all."""
    with Run.read(out) as run:
        return [(kept.place, kept.reply) for kept in run.replies()]
