"""Logs of inspect_ai, written and read with its own package in `.venv-foreign`; skipped where it is not installed."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from foreign_server import BIN, HERE

import callwright

pytestmark = [
    pytest.mark.skipif(
        not list(BIN.parent.glob("lib/*/site-packages/inspect_ai")),
        reason="no inspect_ai in .venv-foreign; make foreign",
    ),
    pytest.mark.xdist_group("foreign"),
]

WRITE_AND_READ = """
import json, sys
from click.testing import CliRunner
from inspect_ai.log import read_eval_log
from callwright.cli import main
for run, file in zip(sys.argv[1::2], sys.argv[2::2]):
    said = CliRunner().invoke(main, ["export", run, "--as", "inspect-log", "-o", file])
    assert said.exit_code == 0, said.output
    log = read_eval_log(file)
    print(json.dumps({
        "said": said.output,
        "begins": [one.input == one.messages[0].content for one in log.samples],
        "status": log.status,
        "means": {one.name: one.metrics["mean"].value for one in log.results.scores},
        "right": [one.scores["callwright"].value["right"] for one in log.samples],
        "roles": sorted({message.role for one in log.samples for message in one.messages}),
    }))
"""


def test_a_run_is_read_back(tmp_path: Path) -> None:
    """Every rollout is a sample with the turns of its transcript; means are those of the report.

    A sample's input is the first message of its own conversation, not of the recorded dialogue.
    """
    pairs: list[Path] = []
    for recipe, protocol in (("diaforge", "dynamic"), ("wild", "wild")):
        data, run = tmp_path / recipe, tmp_path / f"{recipe}-run"
        callwright.synthesize(recipe, callwright.read_catalog("builtin/enterprise"), n=4, seed=3, out=data)
        callwright.evaluate_model(data, protocol, model="builtin/retriever", out=run)
        pairs += [path for suffix in (".eval", ".json") for path in (run, tmp_path / f"{recipe}{suffix}")]
    env = os.environ | {"PYTHONPATH": str(HERE.parents[1] / "src")}
    command = [BIN / "python", "-c", WRITE_AND_READ, *pairs]
    lines = subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == 4
    for line, run in zip(lines, pairs[::2], strict=True):
        log = json.loads(line)
        report = {row.metric: row.value for row in callwright.score_runs([run]) if not row.slice}
        data = callwright.open_dataset(run.with_name(run.name.removesuffix("-run")))
        count = len(data.dialogues)
        assert (log["status"], len(log["right"])) == ("success", count)
        assert f"{count} " in log["said"]
        assert log["begins"] == [True] * count
        assert log["means"]["right"] == pytest.approx(sum(log["right"]) / count)
        shared = log["means"].keys() & report.keys()
        assert len(shared) > 2
        assert {"user", "assistant"} <= set(log["roles"])
        assert {name: log["means"][name] for name in shared} == pytest.approx({name: report[name] for name in shared})
