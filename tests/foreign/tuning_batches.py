"""Print what each row of the trainer's own batches takes loss on: run by `.venv-foreign`'s interpreter."""

import json
import sys
from pathlib import Path

from callwright.app.training import read_export
from callwright.train.base_model import base_with
from callwright.train.tuning import Tuning, _trainer

if __name__ == "__main__":
    export, base, out = map(Path, sys.argv[1:])
    rows = read_export(export)[1]
    trainer = _trainer(
        rows, rows[:2], base=base_with(base, ""), out=out, settings=Tuning(max_length=8192, batch=3), lora=True
    )
    texts = [
        trainer.processing_class.decode(labels[labels != -100])
        for batch in trainer.get_train_dataloader()
        for labels in batch["labels"]
    ]
    sys.stdout.write(json.dumps(texts))
