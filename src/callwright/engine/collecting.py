"""The cycle collector while much is held: a quarter of the time of a served call went into it, a seventh of scoring."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from typing import Final

_THRESHOLDS: Final = (20_000, 20, 20)


@contextlib.contextmanager
def collecting_rarely() -> Iterator[None]:
    """Inside, what exists already (the dialogues) is not looked at again and again, and what is new less often.

    Settings that are as rare already, or were frozen by someone else, stay as they are.
    """
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
