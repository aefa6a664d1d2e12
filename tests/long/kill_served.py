"""Kill evaluations that ask a server, finish them with the same command, and compare with an unbroken one.

    python tests/long/kill_served.py [--kills 200] [--seed 1] [--fault-rate 0.1]

Each kill comes at a random moment after the run has committed something. Ends with a code other than 0 when a run
differs from an unbroken one, holds less than before, or asked the server for more than the calls that the kills cut
off: the server counts what is asked again after a whole reply, and a kill may cost the calls in flight.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

import callwright  # noqa: E402
from callwright.app.evaluation import evaluate_model  # noqa: E402
from served_kills import kill_until_done, replies, transcripts  # noqa: E402  # found through the line above
from serving import serving  # noqa: E402

_DIALOGUES = 150
_CALLS_AT_ONCE = 8
_FAULTS = "rate-limit={0},error-500={0},no-reply={0},cut-during={0}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="how many kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault-rate", type=float, default=0.1)
    options = parser.parse_args()
    chance, kills, rounds = random.Random(options.seed), 0, 0
    with tempfile.TemporaryDirectory() as top:
        made, whole = Path(top) / "ds", Path(top) / "whole"
        callwright.synthesize("diaforge", "builtin/enterprise", n=_DIALOGUES, seed=7, out=made)
        with serving() as (url, _):
            evaluate_model(made, "dynamic", model="openai/any", base_url=url, out=whole)
        while kills < options.kills:
            out = Path(top) / str(rounds)
            with serving(faults=_FAULTS.format(options.fault_rate / 4), latency_s=0.05) as (url, tally):
                hit = kill_until_done(made, url, out, chance=chance)
                again = tally.summary().asked_after_reply
            kills += hit
            rounds += 1
            same = transcripts(out) == transcripts(whole) and replies(out) == replies(whole)
            if not same or again > hit * _CALLS_AT_ONCE:
                print(f"round {rounds}: {'equal' if same else 'differs'}, {again} asked again after {hit} kills")
                return 1
            print(f"round {rounds}: {hit} kills, equal, {again} calls cut off and asked again", flush=True)
    print(f"{kills} kills in {rounds} runs, all equal to an unbroken one; committed replies were never asked for again")
    return 0


if __name__ == "__main__":
    sys.exit(main())
