"""A small dataset over the bundled catalogue, made once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import callwright

N = 60


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished dataset of 60 planned dialogues; do not change it."""
    folder = tmp_path_factory.mktemp("made") / "ds"
    callwright.synthesize("diaforge", "builtin/enterprise", n=N, seed=7, out=folder)
    return folder


@pytest.fixture
def ds(made: Path, tmp_path: Path) -> Path:
    """A copy of the dataset that a test may change."""
    return Path(shutil.copytree(made, tmp_path / "ds"))
