"""How a run is worked through: how much at once, how safely, at what cost at most, and who is told."""

from __future__ import annotations

import msgspec

from callwright.engine.budget import Budget
from callwright.engine.progress import ProgressCallback
from callwright.errors import BadInput
from callwright.models.prices import Prices


class Execution(msgspec.Struct, frozen=True, kw_only=True):
    """How a run is worked through. It decides nothing that a rollout gives, so it is no part of the run's identity."""

    concurrency: int = 64
    """Most rollouts, and calls to one served model, at once; for a job that asks models."""
    durable: bool = False
    """Whether every commit waits for the disk."""
    prices: Prices | None = None
    """What calls are accounted at; None: the bundled prices."""
    budget: Budget | None = None
    """Most that all sessions of the run together may use."""
    progress: ProgressCallback | None = None
    """Told a few times a second how far the run is."""

    def __post_init__(self) -> None:
        if self.concurrency < 1:
            raise BadInput(f"concurrency is {self.concurrency}; at least 1 is needed.")


AS_USUAL = Execution()
