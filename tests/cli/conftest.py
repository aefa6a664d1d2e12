"""A small dataset over the bundled catalogue, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

import callwright


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished dataset of 40 planned dialogues; do not change it."""
    folder = tmp_path_factory.mktemp("made") / "ds"
    callwright.synthesize("diaforge", "builtin/enterprise", n=40, seed=7, out=folder)
    return folder
