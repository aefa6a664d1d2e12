"""A generated task under inspect_ai's own command; skipped where it is not installed."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from foreign_server import BIN, HERE

import callwright
from callwright.app.environments import export_environment

pytestmark = [
    pytest.mark.skipif(not (BIN / "inspect").exists(), reason="no inspect_ai; make foreign"),
    pytest.mark.xdist_group("foreign"),
]

OFFLINE = {"HTTP_PROXY": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9"}
"""Nothing listens there: whatever would be fetched fails."""


def test_the_mock_model_converses_without_a_network(tmp_path: Path) -> None:
    """inspect's mock, which only talks, plays every episode to its end and is right nowhere."""
    tools = callwright.read_catalog("builtin/enterprise")
    callwright.synthesize("diaforge", tools, n=3, seed=3, out=tmp_path / "ds")
    export_environment(tmp_path / "ds", "inspect", out=tmp_path / "env")
    env = os.environ | OFFLINE | {"PYTHONPATH": str(HERE.parents[1] / "src"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    logged = ("--display", "none", "--log-dir", "logs", "--log-format", "json")
    command = (BIN / "inspect", "eval", "env/callwright_env.py", "--model", "mockllm/model", *logged)
    # It takes no absolute path of a task.
    subprocess.run(command, env=env, cwd=tmp_path, check=True, capture_output=True)
    (log,) = (tmp_path / "logs").glob("*.json")
    found = json.loads(log.read_text(encoding="utf-8"))
    assert found["status"] == "success"
    samples = found["samples"]
    assert len(samples) == 3
    assert all(len(one["messages"]) > 4 and one["scores"]["right"]["value"] == 0 for one in samples)
