"""Dialogues a second that DICE-SCORE measures on one core, counter included.

    python bench/dice_score.py [DATASET DATASET]

Of two datasets over one catalogue the first is measured from the start, with empty caches; then the second, of which
no dialogue was seen, as in steady work; then the second again and again. Without datasets: two full designs of group
chats over the bundled catalogue. Beside it, what reading the same utterances into words takes: no counter of words can
be faster.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import callwright
from callwright.app.datasets import Dataset
from callwright.lang.tokens import stem_set
from callwright.papers.dice.dice_measures import scored

SECONDS = 2.0


def main() -> None:
    """Print a line of rates."""
    with tempfile.TemporaryDirectory() as scratch:
        folders = [Path(name) for name in sys.argv[1:]] or [Path(scratch) / str(seed) for seed in (7, 8)]
        for folder in folders if not sys.argv[1:] else ():
            seed = int(folder.name)
            callwright.synthesize(
                "dice", callwright.read_catalog("builtin/enterprise"), per_cell=50, seed=seed, out=folder
            )
        first, second = map(callwright.open_dataset, folders)
        start, unseen = _rate(_score, first, 0), _rate(_score, second, 0)
        again, floor = _rate(_score, second, SECONDS), _rate(_words, second, SECONDS)
        print(
            f"{len(second.dialogues):,} dialogues, a second of processor time: from the start {start:,.0f}, unseen "
            f"ones {unseen:,.0f}, the same again {again:,.0f}; words alone {floor:,.0f}"
        )


def _score(data: Dataset) -> None:
    scored(data.dialogues, data.catalog.by_key)


def _words(data: Dataset) -> None:
    for dialogue in data.dialogues:
        for turn in dialogue.turns:
            if dialogue.role(turn) == "user":
                stem_set(turn.text)


def _rate(work: Callable[[Dataset], None], data: Dataset, least: float) -> float:
    """Dialogues a second, over as many passes as fill so many seconds, and one at least."""
    count, begin = 0, time.process_time()
    while not count or time.process_time() - begin < least:
        work(data)
        count += len(data.dialogues)
    return count / (time.process_time() - begin)


if __name__ == "__main__":
    main()
