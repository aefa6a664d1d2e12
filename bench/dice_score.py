"""Dialogues a second that DICE-SCORE measures on one core, counter included, start apart.

    python bench/dice_score.py [DATASET ...]

Without a dataset: the full design of group chats over the bundled catalogue. Beside it, what reading the same
utterances into words takes: no counter of words can be faster.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import callwright
from callwright.app.datasets import Dataset
from callwright.lang.tokens import stem_set
from callwright.papers.dice.dice_measures import scored

SECONDS = 2.0


def main() -> None:
    """Print one line a dataset."""
    with tempfile.TemporaryDirectory() as scratch:
        folders = [Path(name) for name in sys.argv[1:]]
        if not folders:
            folders = [Path(scratch) / "ds"]
            callwright.synthesize("dice", callwright.read_catalog("builtin/enterprise"), per_cell=50, out=folders[0])
        for folder in folders:
            data = callwright.open_dataset(folder)
            rate, floor = _rate(lambda one: scored(one.dialogues, one.catalog.by_key), data), _rate(_words, data)
            print(
                f"{folder.name}: {rate:,.0f} dialogues/s of processor time, {1000 / rate:.2f} s for 1,000; "
                f"words alone {floor:,.0f}/s"
            )


def _words(data: Dataset) -> None:
    for dialogue in data.dialogues:
        for turn in dialogue.turns:
            if dialogue.role(turn) == "user":
                stem_set(turn.text)


def _rate(work: object, data: Dataset) -> float:
    assert callable(work)
    count, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < SECONDS:
        work(data)
        count += len(data.dialogues)
    return count / spent


if __name__ == "__main__":
    main()
