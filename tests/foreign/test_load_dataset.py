"""Every export is read by `datasets.load_dataset` as it was written; skipped where it is not installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from foreign_forks import Forks
from foreign_server import BIN

import callwright
from callwright.app.corpora import read_corpus
from callwright.app.training import ROWS, export_training
from callwright.cli.export import TRAINERS

pytestmark = [
    pytest.mark.skipif(
        not list(BIN.parent.glob("lib/*/site-packages/datasets")), reason="no datasets in .venv-foreign; make foreign"
    ),
    pytest.mark.xdist_group("foreign"),
]

READ = """
import json, sys
from datasets import load_dataset
for folder in sys.argv[2:]:
    rows = load_dataset(folder, cache_dir=sys.argv[1], split="train")
    print(json.dumps([dict(row) for row in rows]))
"""


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of each kind that is exported: dialogues, their predictions, and states of a corpus."""
    folder = tmp_path_factory.mktemp("read-back")
    for recipe in ("diaforge", "wild", "tooldial"):
        callwright.synthesize(recipe, callwright.read_catalog("builtin/enterprise"), n=4, seed=3, out=folder / recipe)
    belief = [{"act": "inform", "slots": [["area", "east"]]}]
    turn = {"transcript": "in the east", "system_transcript": "", "belief_state": belief}
    (folder / "woz.json").write_text(json.dumps([{"dialogue_idx": at, "dialogue": [turn]} for at in range(2)]))
    read_corpus("woz", folder / "woz.json", out=folder / "fnctod")
    return folder


def exports(datasets: Path, out: Path) -> list[Path]:
    """Every export that a user can ask for: layouts, slices, thoughts, calls in words, and predictions."""
    plain = [
        {"slices": slices, "thoughts": thoughts, "calling": calling}
        for slices in ("turn", "dialogue")
        for thoughts in (True, False)
        for calling in ("native", "object")
    ]
    asked: list[tuple[str, dict[str, Any]]] = [(recipe, one) for recipe in ("diaforge", "wild") for one in plain]
    asked += [("tooldial", {"protocol": "tooldial", "task": task}) for task in ("state", "act", "overall")]
    asked += [("fnctod", {"protocol": "fnctod", "spec": spec}) for spec in ("json", "text")]
    found = []
    for at, (data, settings) in enumerate(asked):
        for layout in TRAINERS:
            found.append(out / f"{layout}-{at}")
            export_training(datasets / data, layout, out=found[-1], **settings)
    assert len(found) == 5 * (16 + 5)
    return found


def test_rows_are_read_as_they_were_written(datasets: Path, tmp_path: Path, forks: Forks) -> None:
    """Of every export: no field is added, lost or of another type."""
    folders = exports(datasets, tmp_path)
    lines = forks.run("-c", READ, tmp_path / "cache", *folders).stdout.splitlines()
    assert len(lines) == len(folders)
    for line, out in zip(lines, folders, strict=True):
        rows = [json.loads(row) for row in (out / ROWS).read_text(encoding="utf-8").splitlines()]
        assert rows
        assert json.loads(line) == rows, out.name
