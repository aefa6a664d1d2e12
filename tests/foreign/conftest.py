"""One interpreter of `.venv-foreign` for all programs that tests run there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from foreign_forks import Forks, forking


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """An interpreter with PyTorch and TRL that forks for each program."""
    with forking(tmp_path_factory.mktemp("forks")) as made:
        yield made
