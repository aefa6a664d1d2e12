"""Kill runs that ask a server, finish them with the same command, and compare with an unbroken one.

    python tests/long/kill_served.py [--rounds 200] [--seed 1] [--fault-rate 0.1]

A round is one run, by turns an evaluation with a served model and a synthesis with a served author, killed with
SIGKILL at random moments until it ends; it counts where a kill hit it. Ends with a code other than 0 when a run
differs from an unbroken one or holds less than before, when a kill cost more than the calls in flight, or when the
session that ended the run asked for a reply that an earlier one had committed: the server counts.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "cli")]

from synth_processes import contents  # noqa: E402

import callwright  # noqa: E402
from callwright.web.call_tally import CallTally  # noqa: E402
from served_kills import committed, eval_command, kill_until_done, synth_command, transcripts  # noqa: E402
from serving import serving  # noqa: E402

_EVALUATED = 40
_SYNTHESISED = 16
_SEED = 7
_LATENCY_S = 0.03
_PORT = 18_431
"""Of the author: its URL is part of the dataset's card, and all datasets must be equal."""


class Kind(NamedTuple):
    """One kind of run."""

    name: str
    serve: Callable[..., AbstractContextManager[tuple[str, CallTally]]]
    """Given the faults."""
    faults: tuple[str, ...]
    command: Callable[[str, Path], list[str]]
    """Of a URL and a folder."""
    run: Callable[[Path], Path]
    """Where in the folder the run is."""
    result: Callable[[Path], object]


def kinds(top: Path) -> tuple[Kind, Kind]:
    callwright.synthesize("diaforge", "builtin/enterprise", n=_EVALUATED, seed=_SEED, out=top / "ds")
    return (
        Kind(
            name="eval",
            serve=partial(serving, latency_s=_LATENCY_S),
            faults=("rate-limit", "error-500", "no-reply", "cut-during"),
            command=partial(eval_command, top / "ds"),
            run=lambda out: out,
            result=transcripts,
        ),
        Kind(
            name="synth",
            serve=partial(serving, "builtin/author", latency_s=_LATENCY_S, port=_PORT),
            faults=("rate-limit", "error-500"),
            command=partial(synth_command, n=_SYNTHESISED, seed=_SEED),
            run=lambda out: out / ".run",
            result=contents,
        ),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="how many runs must be hit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault-rate", type=float, default=0.1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    rounds = kills = cut_off = 0
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        both = kinds(top)
        whole = {}
        for kind in both:
            out = top / f"whole-{kind.name}"
            with kind.serve() as (url, tally):
                kill_until_done(kind.command(url, out), kind.run(out), tally, calls=1, chance=chance, most_kills=0)
            whole[kind.name] = (kind.result(out), committed(kind.run(out)))
        while rounds < options.rounds:
            kind = both[rounds % 2]
            out, (result, replies) = top / "broken", whole[kind.name]
            faults = ",".join(f"{name}={options.fault_rate / len(kind.faults)}" for name in kind.faults)
            with kind.serve(faults=faults) as (url, tally):
                hit = kill_until_done(kind.command(url, out), kind.run(out), tally, calls=len(replies), chance=chance)
            if kind.result(out) != result or committed(kind.run(out)) != replies:
                kept = shutil.move(out, tempfile.mkdtemp())
                print(f"round {rounds + 1}: {kind.name} differs after {hit.kills} kills; kept in {kept}")
                return 1
            shutil.rmtree(out)
            rounds += hit.kills > 0
            kills += hit.kills
            cut_off += hit.cut_off
            print(f"round {rounds}: {kind.name}, {hit.kills} kills, {hit.cut_off} replies cut off, equal", flush=True)
    print(
        f"{kills} kills in {rounds} rounds, all equal to unbroken runs; {cut_off} replies were cut off by kills and "
        "asked for again, and no other"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
