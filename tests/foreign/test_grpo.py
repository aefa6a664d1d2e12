"""A generated environment in TRL's own GRPOTrainer; skipped where it is not installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from foreign_forks import Forks
from foreign_server import BIN, HERE

import callwright
from callwright.app.environments import export_environment

pytestmark = [
    pytest.mark.skipif(not list(BIN.parent.glob("lib/*/site-packages/trl")), reason="no TRL; make foreign"),
    pytest.mark.xdist_group("foreign"),
]


def test_the_trainer_plays_episodes(tmp_path: Path, forks: Forks) -> None:
    """The model's words reach the user through TRL's loop of calls, no call fails, and each part is a reward."""
    tools = callwright.read_catalog("builtin/enterprise")
    callwright.synthesize("diaforge", tools, n=3, seed=3, out=tmp_path / "ds", distractors=1)
    export_environment(tmp_path / "ds", "trl-grpo", out=tmp_path / "env")
    done = forks.run(HERE / "grpo_steps.py", tmp_path / "env", tmp_path)
    steps = json.loads(done.stdout.splitlines()[-1])
    assert len(steps) == 2
    assert all(one["tools/call_frequency"] >= 2 and one["tools/failure_frequency"] == 0 for one in steps)
    parts = ("right", "acc", "ftr", "tar", "tcp", "tcr", "pkp", "pkr")
    rewards = {name: steps[0][name] for name in steps[0] if name.startswith("rewards/") and name.endswith("/mean")}
    assert rewards == {f"rewards/{part}/mean": 0.0 for part in parts}
