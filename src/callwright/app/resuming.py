"""Ctrl-C before and after the rollouts says how to go on, as the engine does during them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from callwright.errors import Interrupted


@contextlib.contextmanager
def resumable(folder: Path) -> Iterator[None]:
    """Inside, KeyboardInterrupt becomes Interrupted: what was done is kept in `folder`."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted; what is done is kept in {folder}. Give the same command again to go on."
        ) from None
