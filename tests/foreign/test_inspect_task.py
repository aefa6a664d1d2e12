"""A generated task under inspect_ai's own command, and the log of a run; skipped where it is not installed."""

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


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a dataset, `ds`."""
    folder = tmp_path_factory.mktemp("inspect")
    callwright.synthesize("diaforge", callwright.read_catalog("builtin/enterprise"), n=3, seed=3, out=folder / "ds")
    return folder


def run(place: Path, *command: object) -> str:
    """What a program of inspect_ai's environment prints, run in `place`: inspect takes no absolute path of a task."""
    env = os.environ | OFFLINE | {"PYTHONPATH": str(HERE.parents[1] / "src"), "XDG_CACHE_HOME": str(place / "cache")}
    done = subprocess.run(list(map(str, command)), env=env, cwd=place, check=True, capture_output=True, text=True)
    return done.stdout


def dumped(place: Path, log: Path) -> dict[str, object]:
    """A log as inspect_ai reads it."""
    found: dict[str, object] = json.loads(run(place, BIN / "inspect", "log", "dump", log))
    return found


def test_the_mock_model_converses_without_a_network(place: Path) -> None:
    """inspect's mock, which only talks, plays every episode to its end and is right nowhere."""
    export_environment(place / "ds", "inspect", out=place / "env")
    mock = ("--model", "mockllm/model", "--display", "none", "--log-dir", "logs")
    run(place, BIN / "inspect", "eval", "env/callwright_env.py", *mock)
    (log,) = (place / "logs").glob("*.eval")
    found = dumped(place, log)
    assert found["status"] == "success"
    samples = found["samples"]
    assert isinstance(samples, list)
    assert len(samples) == 3
    assert all(len(one["messages"]) > 4 and one["scores"]["right"]["value"] == 0 for one in samples)


def test_the_log_of_a_run_begins_with_what_was_said(place: Path) -> None:
    """A sample's input is the first message of its own conversation, not of the recorded dialogue."""
    callwright.evaluate_model(place / "ds", "dynamic", model="builtin/retriever", out=place / "run")
    run(place, BIN / "python", "-m", "callwright", "export", "run", "--as", "inspect-log", "-o", "r.eval")
    samples = dumped(place, place / "r.eval")["samples"]
    assert isinstance(samples, list)
    assert len(samples) == 3
    assert all(one["input"] == one["messages"][0]["content"] for one in samples)
