"""Every export is read by `datasets.load_dataset` as it was written; skipped where it is not installed."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from foreign_server import BIN, HERE

import callwright
from callwright.app.training import ROWS, export_training
from callwright.cli.export import TRAINERS

pytestmark = [
    pytest.mark.skipif(
        not list(BIN.parent.glob("lib/*/site-packages/datasets")), reason="no datasets in .venv-foreign; make foreign"
    ),
    pytest.mark.xdist_group("foreign"),
]

ENV = os.environ | {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "PYTHONPATH": str(HERE.parents[1] / "src")}
READ = """
import json, sys
from datasets import load_dataset
for folder in sys.argv[2:]:
    rows = load_dataset(folder, cache_dir=sys.argv[1], split="train")
    print(json.dumps([dict(row) for row in rows]))
"""


@pytest.mark.parametrize("recipe", ["diaforge", "wild"])
def test_rows_are_read_as_they_were_written(tmp_path: Path, recipe: str) -> None:
    """All layouts and slices: no field is added, lost or of another type."""
    callwright.synthesize(recipe, callwright.read_catalog("builtin/enterprise"), n=4, seed=3, out=tmp_path / "ds")
    exports = [tmp_path / f"{layout}-{slices}" for layout in TRAINERS for slices in ("turn", "dialogue")]
    for out in exports:
        layout, _, slices = out.name.rpartition("-")
        export_training(tmp_path / "ds", layout, out=out, slices=slices)  # type: ignore[arg-type]
    run = [BIN / "python", "-c", READ, tmp_path / "cache", *exports]
    lines = subprocess.run(run, env=ENV, check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == len(exports) == 10
    for line, out in zip(lines, exports, strict=True):
        assert json.loads(line) == [json.loads(row) for row in (out / ROWS).read_text(encoding="utf-8").splitlines()]
