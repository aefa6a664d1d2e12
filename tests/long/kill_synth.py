"""Kill syntheses with SIGKILL at random moments, finish them with the same command, and compare the bytes.

    python tests/long/kill_synth.py [--rounds 50] [--seed 1] [-n 1500]

A round is one dataset; it counts once a kill hit it at work: after it had committed rollouts since it was begun again,
or while it wrote the dataset's files. Ends with a code other than 0 when a file differs from that of an unbroken run.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from synth_processes import contents, finish, kill_until_done  # found through the line above


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-n", type=int, default=1500, help="dialogues a round")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    kills = rounds = 0
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        finish(top / "whole", n=options.n)
        whole = contents(top / "whole")
        while rounds < options.rounds:
            out, workers = top / "broken", 1 + rounds % 2
            hit = kill_until_done(out, n=options.n, workers=workers, chance=chance)
            if contents(out) != whole:
                print(f"round {rounds + 1}: differs after {hit} kills; kept in {shutil.move(out, tempfile.mkdtemp())}")
                return 1
            kills += hit
            rounds += hit > 0
            print(f"round {rounds}: {workers} workers, {hit} kills, same bytes", flush=True)
            shutil.rmtree(out)
    print(f"{kills} kills in {rounds} rounds, all files equal to those of an unbroken run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
