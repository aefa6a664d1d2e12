"""Kill commands with SIGKILL, give them again until they end, and compare all they wrote with an unbroken run.

    python tests/long/kills.py [--kills 1000] [--seed 1] [--only synth,judge] [--fault-rate 0.02]

Synthesis (offline in two processes, and with a served author), evaluation and judging of a served model, building a
graph and exporting training data are killed, by turns at a random moment and at a chosen system call (by strace, where
it is installed). A kill counts where the command had begun to write or to ask. Prints a table, and ends with status 1
where a file differs from that of an unbroken run or is left over, a process is left behind, a kill cost more than the
calls in flight, a run that went on asked again for a reply that was committed, or a traceback was printed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "engine")]

from engine_processes import all_ended  # noqa: E402

import callwright  # noqa: E402  # found through the line above
from callwright.web.call_tally import CallTally  # noqa: E402
from served_kills import committed, settle, transcripts  # noqa: E402
from serving import serving  # noqa: E402

CALLS = ("openat", "write", "pwrite64", "fdatasync", "fsync", "ftruncate", "rename", "unlink", "mkdir", "flock")
CALLS_AT_ONCE = 8
AUTHORED = (
    ("synth-author", "diaforge", ()),
    ("synth-native", "diaforge", ("--calling", "native")),
    ("synth-wild-native", "wild", ("--calling", "native")),
    ("synth-dice", "dice", ()),
    ("synth-tooldial", "tooldial", ()),
)
"""Syntheses with an author at a server: name, recipe, options."""
_MOST_KILLS = 8
"""In one round, before the command is left to end."""


class Job(NamedTuple):
    """One command that is killed."""

    name: str
    arguments: tuple[str, ...]
    """`OUT` stands for what is written, `DATA` for a copy of the dataset that the round works on."""
    journal: str
    """Folder of the run, in the folder of the round; empty: the command keeps none."""
    results: Callable[[Path], object]
    """What must be equal to that of an unbroken run."""
    tally: CallTally | None = None


class Whole(NamedTuple):
    """An unbroken run."""

    result: object
    names: frozenset[str]
    replies: object
    seconds: float
    """From its first writing on."""
    calls: dict[str, range]
    """Which calls of its kind, counted from 1, a thread made once the command had begun to write."""


class Ended(NamedTuple):
    """How one attempt ended."""

    killed: bool
    finished: bool
    said: str


def files_of(folder: Path) -> dict[str, bytes]:
    """Return all files but databases, which hold times, and locks."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith("run.")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def names_in(folder: Path) -> frozenset[str]:
    """Return the names of all files, but not those that SQLite makes and removes beside a database."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    return frozenset(name for name in found if not name.endswith(("-wal", "-shm", "-journal")))


def jobs(top: Path, fault_rate: float, stack: contextlib.ExitStack) -> list[Job]:
    """Return the jobs; their servers run until the stack is left."""
    faults = ",".join(f"{name}={fault_rate / 3}" for name in ("rate-limit", "error-500", "no-reply"))
    model, heard = stack.enter_context(serving(latency_s=0.01, faults=faults))
    author, asked = stack.enter_context(serving("builtin/author", latency_s=0.01, faults=faults))
    judge, judged = stack.enter_context(serving("builtin/author", latency_s=0.01))
    callwright.synthesize("diaforge", "builtin/enterprise", n=8, seed=7, out=top / "ds")
    made = str(top / "ds")
    few = ("--concurrency", str(CALLS_AT_ONCE))
    by_author = ("--author", "openai/any", "--base-url", author, *few)
    synth = ("synth", "diaforge", "builtin/enterprise", "--seed", "7", "-o", "OUT")
    return [
        Job("synth", (*synth, "-n", "30", "--workers", "2"), "out/.run", files_of),
        *(Job(name, ("synth", recipe, "builtin/enterprise", "--seed", "7", "-o", "OUT", "-n", "3", *by_author, *more),
              "out/.run", files_of, asked) for name, recipe, more in AUTHORED),
        Job("eval", ("eval", made, "--protocol", "dynamic", "--model", "openai/any", "--base-url", model, *few,
                     "-o", "OUT"), "out", lambda folder: transcripts(folder / "out"), heard),
        Job("judge", ("judge", "DATA", "--judge", "openai/any", "--base-url", judge, *few, "-o", "OUT"), "data/.judge",
            files_of, judged),
        Job("graph-build", ("graph", "build", "builtin/enterprise", "-o", "OUT/graph.json"), "", files_of),
        Job("export", ("export", made, "--as", "trl", "-o", "OUT"), "", files_of),
    ]  # fmt: skip


def prepare(job: Job, folder: Path, top: Path) -> list[str]:
    """Make the folder of a round and return its command line; a graph is there already, with an edited edge."""
    folder.mkdir()
    if "DATA" in job.arguments:
        shutil.copytree(top / "ds", folder / "data")
    if job.name == "graph-build":
        (folder / "out").mkdir()
        shutil.copyfile(edited_graph(top), folder / "out" / "graph.json")
    words = {"OUT": str(folder / "out"), "OUT/graph.json": str(folder / "out/graph.json"), "DATA": str(folder / "data")}
    return [sys.executable, "-m", "callwright", *(words.get(word, word) for word in job.arguments)]


def edited_graph(top: Path) -> Path:
    """Return a graph of the bundled catalogue in which a person removed an edge; the same file each time."""
    path = top / "edited.json"
    if not path.exists():
        plain = [sys.executable, "-m", "callwright", "graph", "build", "builtin/enterprise", "-o", str(path)]
        subprocess.run(plain, check=True, capture_output=True)
        graph = json.loads(path.read_text())
        graph["edges"][0] |= {"edited": True, "confidence": 0}
        path.write_text(json.dumps(graph))
    return path


def attempt(command: Sequence[str], *, until: Callable[[], bool], call: str = "", nth: int = 0) -> Ended:
    """Give a command once; it is killed when `until` is true, or at a thread's nth system call."""
    with tempfile.TemporaryDirectory() as folder:
        log, said = Path(folder) / "log", Path(folder) / "said"
        injected = f"inject={call}:signal=KILL:when={nth}"
        traced = ["strace", "-f", "-qq", "-o", str(log), "-e", f"trace={call}", "-e", injected]
        with open(said, "wb") as out:
            process = subprocess.Popen(
                [*(traced if call else ()), *command], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                start_new_session=True,
            )  # fmt: skip
        while process.poll() is None and not until():
            time.sleep(0.005)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        assert all_ended(process.pid), "a process is left over"
        killed = process.returncode < 0 or (call != "" and "killed by SIGKILL" in log.read_text(errors="replace"))
        return Ended(killed, process.returncode == 0, said.read_text(errors="replace"))


def never() -> bool:
    """Let the command end by itself."""
    return False


def after(folder: Path, seconds: float) -> Callable[[], bool]:
    """Return what is true so many seconds after the command has begun to write into a folder."""
    begun: list[float] = []
    before = names_in(folder)

    def is_time() -> bool:
        if not begun and names_in(folder) != before:
            begun.append(time.monotonic())
        return bool(begun) and time.monotonic() - begun[0] > seconds

    return is_time


def counted(command: Sequence[str], folder: Path) -> dict[str, range]:
    """Run a command to its end under strace; return which calls of each kind a thread makes from its first writing on.

    Of several threads or processes the one with the most calls counts.
    """
    if not shutil.which("strace"):
        return {}
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "log"
        traced = ["strace", "-f", "-qq", "-s", "300", "-o", str(log), "-e", f"trace={','.join(CALLS)}", *command]
        subprocess.run(traced, check=True, capture_output=True, stdin=subprocess.DEVNULL)
        lines = log.read_text(errors="replace").splitlines()
    made: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], int] = {}
    writing = False
    for line in lines:
        if found := re.match(r"(\d+) +(\w+)\(", line):
            writing = writing or (str(folder) in line and re.search(r"O_CREAT|mkdir\(", line) is not None)
            key = (found[1], found[2])
            made[key] += 1
            if writing:
                first.setdefault(key, made[key])
    ranges = [(key[1], range(start, made[key] + 1)) for key, start in first.items()]
    return dict(sorted(ranges, key=lambda pair: len(pair[1])))


def unbroken(job: Job, top: Path) -> Whole:
    """Run a job without a kill."""
    folder = top / f"whole-{job.name}"
    command = prepare(job, folder, top)
    begun = after(folder, 0)
    moments: list[float] = []
    ended = attempt(command, until=lambda: moments.append(time.monotonic()) or False if begun() else False)
    seconds = time.monotonic() - moments[0] if moments else 0.1
    assert ended.finished, ended.said
    counted_in = top / f"counted-{job.name}"
    counts = counted(prepare(job, counted_in, top), counted_in)
    replies = committed(folder / job.journal) if job.tally else None
    return Whole(job.results(folder), names_in(folder), replies, seconds, counts)


class Lost(Exception):
    """A kill did harm."""


def play(job: Job, whole: Whole, folder: Path, top: Path, chance: random.Random) -> Counter[str]:
    """Kill a command some times, let it end, compare; return how often it was killed at what."""
    command = prepare(job, folder, top)
    hits: Counter[str] = Counter()
    kept: dict[object, bytes] = {}
    for nth in range(_MOST_KILLS + 1):
        replies = job.tally.summary().replies if job.tally else 0
        way = "end" if nth == _MOST_KILLS else _way(whole, chance)
        share = 1.0 if nth == 0 else 0.4  # a run that goes on has less to do
        if way in whole.calls:
            calls = whole.calls[way][: max(1, round(share * len(whole.calls[way])))]
            ended = attempt(command, until=never, call=way, nth=chance.choice(calls))
        else:
            moment = after(folder, chance.uniform(0, share * whole.seconds))
            ended = attempt(command, until=never if way == "end" else moment)
        if "Traceback (most recent" in ended.said or re.search(r"\bbug:", ended.said):
            raise Lost(f"{way}: {ended.said[-2000:]}")
        if job.tally:
            settle(job.tally)
            held, kept = kept, dict(committed(folder / job.journal))
            again = job.tally.summary().replies - replies - (len(kept) - len(held))
            if not held.items() <= kept.items():
                raise Lost(f"{way}: what was committed is lost or changed")
            if not 0 <= again <= (CALLS_AT_ONCE if ended.killed else 0):
                raise Lost(f"{way}: {again} replies asked for again")
        if ended.finished:
            break
        if not ended.killed:
            raise Lost(f"{way}: {ended.said[-2000:]}")
        at_work = bool(kept) or any(name.startswith(("out", ".out", "data/.judge")) for name in names_in(folder))
        hits[way if way in whole.calls else "any moment"] += at_work
    compare(job, whole, folder)
    return +hits


def _way(whole: Whole, chance: random.Random) -> str:
    return chance.choice(list(whole.calls)) if whole.calls and chance.random() < 0.5 else "time"


def compare(job: Job, whole: Whole, folder: Path) -> None:
    """Raise Lost where anything differs from an unbroken run."""
    if job.results(folder) != whole.result:
        raise Lost("a file differs")
    if job.tally and committed(folder / job.journal) != whole.replies:
        raise Lost("a reply differs")
    if more := names_in(folder) ^ whole.names:
        raise Lost(f"left over or missing: {sorted(more)}")


def campaign(kills: int, seed: int, only: Sequence[str], fault_rate: float) -> int:
    """Play rounds until enough kills have hit; print and return the status."""
    chance = random.Random(seed)
    table: Counter[tuple[str, str]] = Counter()
    rounds: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        top = Path(name)
        chosen = [job for job in jobs(top, fault_rate, stack) if not only or job.name in only]
        wholes = {job.name: unbroken(job, top) for job in chosen}
        while table.total() < kills:
            job = chosen[rounds.total() % len(chosen)]
            folder = top / "broken"
            try:
                hits = play(job, wholes[job.name], folder, top, chance)
            except Lost as fault:
                print(f"{job.name}: {fault}\nkept in {shutil.move(folder, tempfile.mkdtemp())}")
                return 1
            shutil.rmtree(folder)
            rounds[job.name] += 1
            print(f"round {rounds.total()}: {job.name}, {dict(hits)}, equal", flush=True)
            table.update({(job.name, way): times for way, times in hits.items()})
    ways = ["any moment", *(call for call in CALLS if any(way == call for _, way in table))]
    print(" ".join(f"{word:>12}" for word in ("command", "rounds", *ways, "all")))
    for job in chosen:
        cells = [table[job.name, way] for way in ways]
        print(" ".join(f"{word:>12}" for word in (job.name, rounds[job.name], *cells, sum(cells))))
    print(f"{table.total()} kills in {rounds.total()} rounds: all files and replies equal to those of unbroken runs")
    return 0


def main() -> int:
    """Read the options and kill."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--fault-rate", type=float, default=0.02)
    options = parser.parse_args()
    return campaign(options.kills, options.seed, [one for one in options.only.split(",") if one], options.fault_rate)


if __name__ == "__main__":
    sys.exit(main())
