"""Print what each row of the trainer's own batches takes loss on, and held-out losses of two ways to take a step.

`.venv-foreign`'s interpreter runs it.
"""

import json
import sys
from pathlib import Path
from typing import Any

from callwright.app.training import read_export
from callwright.train import tuning
from callwright.train.base_model import base_with

SETTINGS = tuning.Tuning(max_length=8192, batch=3, learning_rate=0.02, precision="float32", threads=1)


def trainer(export: Path, base: Path, out: Path, at_once: int) -> Any:
    """A trainer of steps of three rows, `at_once` in one pass."""
    tuning.rows_at_once = lambda settings: at_once
    rows = read_export(export)[1]
    return tuning._trainer(rows, rows[:1], base=base_with(base, ""), out=out, settings=SETTINGS, lora=True)


def texts(made: Any) -> list[str]:
    """What loss is taken on, row by row."""
    batches = [labels for batch in made.get_train_dataloader() for labels in batch["labels"]]
    return [made.processing_class.decode(labels[labels != -100]) for labels in batches]


def losses(made: Any) -> list[float]:
    """Loss on the held-out row, before and while it trains."""
    made.train()
    return [one["eval_loss"] for one in made.state.log_history if "eval_loss" in one]


if __name__ == "__main__":
    export, base, out = map(Path, sys.argv[1:])
    single, whole = (trainer(export, base, out / str(at_once), at_once) for at_once in (1, 3))
    sys.stdout.write(json.dumps({"texts": texts(whole), "single": losses(single), "whole": losses(whole)}))
