"""What stops a run tells how to go on and what was done, before, during and after the rollouts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from callwright.engine.roll_out import Tally
from callwright.errors import Interrupted


@contextlib.contextmanager
def resumable(folder: Path) -> Iterator[None]:
    """Inside, KeyboardInterrupt becomes Interrupted: what was done is kept in `folder`."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted; finished work is kept in {folder}. Run the same command again to resume."
        ) from None


@contextlib.contextmanager
def told_when_stopped(result_of: Callable[[Tally], object]) -> Iterator[None]:
    """Inside, an error that stops the rollouts carries the result so far in place of the engine's tally."""
    try:
        yield
    except Interrupted as stopped:
        if isinstance(stopped.result, Tally):
            stopped.result = result_of(stopped.result)
        raise
