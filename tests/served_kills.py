"""Commands that ask a server, in processes of their own, to be killed; for tests and for the kill campaign."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from callwright.errors import BadInput
from callwright.protocol.run_access import open_run
from callwright.records.dialogue import Turn
from callwright.store.run import Run
from callwright.web.call_tally import CallTally

CALLS_AT_ONCE = 8
_LONGEST_S = 300.0
_SETTLED_S = 0.2
"""Longer than any reply of these servers takes."""

Kept = dict[tuple[object, ...], bytes]
"""Replies by their place."""


class Killed(NamedTuple):
    """What a run went through."""

    kills: int
    cut_off: int
    """Replies that went out whole, and that a kill kept from being committed: these alone are asked for again."""


def eval_command(made: Path, url: str, out: Path) -> list[str]:
    """The command line of an evaluation at a server, few calls at once so that it takes a while."""
    start = [sys.executable, "-m", "callwright", "eval", str(made), "--protocol", "dynamic", "--trials", "2"]
    return [*start, "--model", "openai/any", "--base-url", url, "-o", str(out), *_COMMON]


def synth_command(url: str, out: Path, *, n: int, seed: int, recipe: str = "diaforge") -> list[str]:
    """The command line of a synthesis with an author at a server."""
    start = [sys.executable, "-m", "callwright", "synth", recipe, "builtin/enterprise", "-n", str(n)]
    return [*start, "--seed", str(seed), "--author", "openai/any", "--base-url", url, "-o", str(out), *_COMMON]


_COMMON = ("--concurrency", str(CALLS_AT_ONCE), "--json")


def kill_until_done(
    command: list[str], folder: Path, tally: CallTally, *, calls: int, chance: random.Random, most_kills: int = 10_000
) -> Killed:
    """Give the command again and again, killing it at random moments; `folder` is its run, `calls` what it asks whole.

    Fails where a kill loses or changes what was committed, or costs more than the calls in flight; where the command
    ends with an error; and where it ends having asked for a reply that was committed before.
    """
    kills = cut_off = 0
    kept: Kept = {}
    while True:
        before = tally.summary().replies
        process = subprocess.Popen(
            command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        until = _moment(tally, calls, chance) if kills < most_kills else _Moment(None, _LONGEST_S)
        has_ended = _wait(process, tally, until)
        if not has_ended:
            os.killpg(process.pid, signal.SIGKILL)
        said = process.communicate()
        settle(tally)
        held, kept = kept, committed(folder)
        assert held.items() <= kept.items(), "what was committed is lost or changed"
        lost = tally.summary().replies - before - (len(kept) - len(held))
        if has_ended:
            assert process.returncode == 0, said
            assert kept, f"{folder} is gone: {said}"
            assert lost == 0, f"{lost} committed replies were asked for again"
            return Killed(kills, cut_off)
        assert 0 <= lost <= CALLS_AT_ONCE, f"a kill cost {lost} replies"
        kills += 1
        cut_off += lost


class _Moment(NamedTuple):
    """When to kill: after so many requests (None: any number), or so many seconds."""

    requests: int | None
    seconds: float


def _moment(tally: CallTally, calls: int, chance: random.Random) -> _Moment:
    """One kill in four comes at any time: while Python starts, the database is made, files are written."""
    if chance.random() < 0.25:
        return _Moment(None, chance.uniform(0.0, 2.0))
    return _Moment(tally.summary().requests + chance.randint(1, calls), _LONGEST_S)


def _wait(process: subprocess.Popen[str], tally: CallTally, until: _Moment) -> bool:
    """Wait for the moment; True where the process ended before it."""
    last = time.monotonic() + until.seconds
    while process.poll() is None:
        if time.monotonic() > last:
            return False
        if until.requests is not None and tally.summary().requests >= until.requests:
            return False
        time.sleep(0.003)
    return True


def settle(tally: CallTally) -> None:
    """Return once the server has noticed that nobody is there: what it still counts belongs to the killed session."""
    before = None
    while before != (before := tally.summary()):
        time.sleep(_SETTLED_S)


def committed(folder: Path) -> Kept:
    """The replies that a killed run holds, read beside its lock."""
    try:
        with Run.read(folder) as run:
            return {tuple(kept.place): kept.reply for kept in run.replies()}
    except BadInput:  # not begun yet
        return {}


def transcripts(out: Path) -> list[tuple[str, int, tuple[Turn, ...]]]:
    """What the model did with each dialogue."""
    return [(one.dialogue, one.trial, one.turns) for one in open_run(out).transcripts]
