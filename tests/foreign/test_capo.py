"""The search with CAPO, in the environment of `promptolution`; skipped where that is not set up."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = ROOT / ".venv-capo" / "bin"

pytestmark = [
    pytest.mark.skipif(
        not list(BIN.parent.glob("lib/*/site-packages/promptolution")), reason="no promptolution; make foreign"
    ),
    pytest.mark.xdist_group("capo"),
]


def test_the_search_with_capo_passes_its_test() -> None:
    """The known prompt is found, and a stopped search gives the same."""
    test = ROOT / "tests" / "app" / "test_optimising.py"
    command = [BIN / "python", "-m", "pytest", "-v", "-p", "no:cacheprovider", test, "-k", "capo_finds"]
    env = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT / "tests")))}
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout[-4_000:]
