"""Raises GC thresholds during evaluation and scoring, where the collector took a quarter and a seventh of the time."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from typing import Final

_THRESHOLDS: Final = (20_000, 20, 20)


@contextlib.contextmanager
def collecting_rarely() -> Iterator[None]:
    """Freeze existing objects and collect new ones less often inside the block, unless other code did so."""
    before = gc.get_threshold()
    if before[0] >= _THRESHOLDS[0] or gc.get_freeze_count():
        yield
        return
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
