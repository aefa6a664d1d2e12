"""Time and memory of `callwright score multiwoz` on the test part of MultiWOZ 2.1, start included.

    python bench/multiwoz.py [--data ../shared/data/multiwoz]

The outputs are the recorded responses and gold states of all 7,372 system turns. Prints one line a figure; the data is
foreign, and without it nothing is measured.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from callwright.formats import archive
from callwright.papers.fnctod.multiwoz_layout import plain_id, read_goals

DATA = Path(__file__).parents[1] / "../shared/data/multiwoz"


def write_outputs(data: Path, path: Path) -> int:
    """Write gold states and recorded responses as a system's outputs; return the number of turns."""
    documents, gold = archive.load(data), read_goals(data)
    outputs = {
        plain_id(name): [
            {"response": turn["text"], "state": state}
            for turn, state in zip(one["log"][1::2], gold[plain_id(name)].states, strict=True)
        ]
        for name, one in documents.items()
    }
    path.write_text(json.dumps(outputs))
    return sum(map(len, outputs.values()))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=DATA)
    folder = parser.parse_args().data
    data = folder / "test_2.1.json.zip"
    if not data.is_file():
        print(f"no data at {folder}")
        return
    with tempfile.TemporaryDirectory() as scratch:
        outputs = Path(scratch) / "outputs.json"
        turns = write_outputs(data, outputs)
        words = ["score", "multiwoz", str(outputs), "--data", str(data), "--db", str(folder / "db"), "--json"]
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-m", "callwright", *words], check=True, stdout=subprocess.DEVNULL)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{turns:,} turns: {time.perf_counter() - begin:.2f} s, {used.ru_utime:.2f} s of processor time")
    print(f"peak memory {used.ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
