"""A generated environment under verifiers' own commands; skipped where their environment is not set up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import callwright
from callwright.app.environments import export_environment

ROOT = Path(__file__).parents[2]
BIN = ROOT / ".venv-verifiers" / "bin"

pytestmark = [
    pytest.mark.skipif(not (BIN / "vf-eval").exists(), reason="no verifiers; make foreign"),
    pytest.mark.xdist_group("verifiers"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset and its environment."""
    folder = tmp_path_factory.mktemp("verifiers")
    callwright.synthesize("diaforge", callwright.read_catalog("builtin/enterprise"), n=3, seed=3, out=folder / "ds")
    export_environment(folder / "ds", "verifiers", out=folder / "env")
    return folder


@pytest.fixture
def url() -> Iterator[str]:
    """A model that asks and calls, behind OpenAI's protocol."""
    command = [sys.executable, "-m", "callwright", "serve", "builtin/retriever", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().split()[-1]
        server.terminate()


def run(folder: Path, *arguments: str) -> None:
    """Run one of verifiers' commands, which write below `folder`."""
    # The module lies beside its data, as an editable install leaves it.
    env = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "PYTHONPATH": str(folder / "env"), "KEY": "none"}
    subprocess.run([BIN / arguments[0], *arguments[1:]], env=env, cwd=folder, check=True, capture_output=True)


def test_gold_earns_1_and_silence_nothing(folder: Path) -> None:
    """`vf-validate` accepts every dialogue: gold is the ceiling, and an untouched task does not pass."""
    run(folder, "vf-validate", "callwright_env", "--rich", "False", "--runtime.type", "subprocess", "-o", "valid")
    (summary,) = folder.glob("valid/**/summary.json")
    checks = json.loads(summary.read_text())["checks"]
    assert {name: one["valid"] for name, one in checks.items()} == {"gold": 3, "noop": 3}


def test_a_model_earns_its_scores(folder: Path, url: str) -> None:
    """Words reach the user, calls the tools over MCP; metrics are those of the evaluation, with the reward's parts."""
    served = ["--client.base-url", url, "--client.api-key-var", "KEY"]
    run(folder, "vf-eval", "callwright_env", "-m", "builtin/retriever", *served, "-r", "1", "--no-push", "-o", "out")
    (traces,) = folder.glob("out/**/traces.jsonl")
    found = [trace for line in traces.read_text().splitlines() for trace in json.loads(line).get("traces", ())]
    callwright.evaluate_model(folder / "ds", "dynamic", model="builtin/retriever", out=folder / "run")
    rows = callwright.score_runs([folder / "run"])
    expected = {row.metric: row.value for row in rows if not row.slice}
    assert len(found) == 3
    assert all({"part_right", "part_acc", "part_tar"} <= trace["metrics"].keys() for trace in found)
    for name in ("acc", "ftr"):
        assert sum(trace["metrics"][name] for trace in found) / 3 == pytest.approx(expected[name])
