"""How a run ends, for people: what failed, what it used, and what an error that stops it tells."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from callwright.engine.budget import Bill
from callwright.engine.roll_out import Tally
from callwright.errors import Interrupted
from callwright.store.run import Run


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


def failure_examples(run: Run) -> dict[str, str]:
    """Return the message of the first failed rollout of each class."""
    examples: dict[str, str] = {}
    if not run.failures():
        return examples
    for outcome in run.outcomes():
        if not outcome.ok:
            examples.setdefault(outcome.kind, outcome.message)
    return examples


def usage(bill: Bill) -> dict[str, Any]:
    """Return the fields of a result that tell what all sessions of a run used."""
    return {"resumed": bill.resumed, "calls": bill.calls, "tokens": bill.roles, "faults": bill.faults}
