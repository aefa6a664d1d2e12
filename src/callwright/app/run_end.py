"""How a run ends: its failures and usage, also beside an error that stops it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from callwright.engine.budget import Bill
from callwright.engine.roll_out import Tally
from callwright.errors import Interrupted
from callwright.models.prices import RoleUsage
from callwright.records.jsontext import Json
from callwright.store.run import Run


class RunUsage(msgspec.Struct, frozen=True, kw_only=True):
    """Failures of a run, and its usage over all its sessions."""

    examples: dict[str, str] = {}
    """Message of the first failed rollout of each class; of a synthesis also of the first rejected one by reason."""
    resumed: int = 0
    """Replies taken from the journal instead of asking again."""
    calls: int = 0
    """Requests to served models, retries included."""
    tokens: dict[str, RoleUsage] = {}
    """By role, what those requests used."""
    faults: dict[str, int] = {}
    """Requests that got no reply, by kind, retried or not."""

    @property
    def usd(self) -> dict[str, float | None]:
        """Cost by role; None where no price is known."""
        return {role: used.usd for role, used in self.tokens.items()}


def rollouts_done(folder: Path, *, kind: str, config: dict[str, Json]) -> set[tuple[str, int]]:
    """Return (item, trial) of the rollouts that earlier sessions left in a run folder. Raises RunConflict."""
    if not (folder / "run.db").is_file():
        return set()
    with Run.read(folder) as run:
        run.match(kind=kind, config=config)
        return run.done()


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
