"""Logs of inspect_ai, written and read with its own package; skipped where it is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

import callwright
from callwright.app.inspect_log import write_inspect_log

inspect_log = pytest.importorskip("inspect_ai.log")


@pytest.mark.parametrize("recipe", ["diaforge", "wild"])
@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_a_run_is_read_back(tmp_path: Path, recipe: str, suffix: str) -> None:
    """Every rollout is a sample with the turns of its transcript; means are those of the report."""
    protocol = "wild" if recipe == "wild" else "dynamic"
    callwright.synthesize(recipe, callwright.read_catalog("builtin/enterprise"), n=4, seed=3, out=tmp_path / "ds")
    callwright.evaluate_model(tmp_path / "ds", protocol, model="builtin/retriever", out=tmp_path / "run")
    count = write_inspect_log(tmp_path / "run", tmp_path / f"run{suffix}")
    log = inspect_log.read_eval_log(str(tmp_path / f"run{suffix}"))
    assert log.status == "success"
    assert len(log.samples) == count == len(callwright.open_dataset(tmp_path / "ds").dialogues)
    means = {score.name: score.metrics["mean"].value for score in log.results.scores}
    right = [sample.scores["callwright"].value["right"] for sample in log.samples]
    assert means["right"] == pytest.approx(sum(right) / count)
    assert {message.role for sample in log.samples for message in sample.messages} >= {"user", "assistant"}
