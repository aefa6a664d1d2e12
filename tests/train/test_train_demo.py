"""The table of the training demo, with builtin models in place of trained ones."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "long"))

from train_demo import table

import callwright


def test_the_table_has_paired_differences_with_intervals_and_tests(tmp_path: Path) -> None:
    """Tuned against base and against control, over the same dialogues, where both have runs."""
    callwright.synthesize("diaforge", callwright.read_catalog("builtin/enterprise"), n=12, seed=3, out=tmp_path / "ds")
    models = {"base-free": "abstain", "tuned-free": "oracle", "control-free": "abstain", "tuned-held": "oracle"}
    for run, model in models.items():
        callwright.evaluate_model(tmp_path / "ds", "dynamic", model=f"builtin/{model}", out=tmp_path / "runs" / run)
    lines = {line[:25].strip(): line[25:].split("  ") for line in table(tmp_path).splitlines()}
    for name in ("tuned - base, free", "tuned - control, free"):
        assert [cell.strip() for cell in lines[name] if cell.strip()] == ["12", *["1.00 [1.00, 1.00], p < 0.001"] * 3]
    assert [cell.strip() for cell in lines["control - base, free"] if cell.strip()][1:] == [
        "0.00 [0.00, 0.00], p = 1.000"
    ] * 3
    assert [cell.strip() for cell in lines["tuned - base, held"] if cell.strip()] == ["0"]
