"""A generated environment as a wheel, built and read by `.venv-foreign`'s setuptools; skipped where there is none."""

from __future__ import annotations

import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest
from foreign_server import BIN, HERE

import callwright
from callwright.app.environments import DATA, KINDS, export_environment

pytestmark = [
    pytest.mark.skipif(not list(BIN.parent.glob("lib/*/site-packages/setuptools")), reason="no setuptools there"),
    pytest.mark.xdist_group("foreign"),
]

BUILD = "import sys, setuptools.build_meta as built; built.build_wheel(sys.argv[1])"
READ = "import json, callwright_env; print(callwright_env.__file__); print(json.dumps(callwright_env.rows()))"


@pytest.mark.parametrize("kind", KINDS)
def test_a_wheel_holds_the_data(tmp_path: Path, kind: str) -> None:
    """Module and data are installed side by side, and the module finds its data there."""
    callwright.synthesize("diaforge", callwright.read_catalog("builtin/enterprise"), n=2, seed=3, out=tmp_path / "ds")
    export_environment(tmp_path / "ds", kind, out=tmp_path / "env")
    run = [BIN / "python", "-c", BUILD, tmp_path]
    subprocess.run(run, cwd=tmp_path / "env", check=True, capture_output=True)
    (wheel,) = tmp_path.glob("callwright_env-*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(site)

    data = sorted(path.name for path in (tmp_path / "env" / DATA).iterdir())
    assert "dialogues.jsonl" in data
    assert sorted(path.name for path in (site / DATA).iterdir()) == data
    assert (site / "callwright_env.py").read_bytes() == (tmp_path / "env" / "callwright_env.py").read_bytes()
    if kind == "trl-grpo":
        env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (site, HERE.parents[1] / "src")))}
        done = subprocess.run([BIN / "python", "-c", READ], env=env, cwd=site, check=True, capture_output=True)
        where, rows = done.stdout.decode().splitlines()
        assert where == str(site / "callwright_env.py")
        assert [row["dialogue"] for row in json.loads(rows)] == [
            one.id for one in callwright.open_dataset(tmp_path / "ds").dialogues
        ]
