"""The list of slow tests names what is there."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
SLOW = (HERE / "slow.txt").read_text(encoding="utf-8").split()


@pytest.mark.parametrize("name", SLOW)
def test_what_is_slow_exists(name: str) -> None:
    """A folder, a file, or a test of a file; `make quick` would run what was renamed since."""
    path, _, test = name.partition("::")

    assert (HERE / path).exists()
    assert not test or f"def {test.partition('[')[0]}(" in (HERE / path).read_text(encoding="utf-8")
