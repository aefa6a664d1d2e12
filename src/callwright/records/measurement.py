"""Measurements: the numbers of a dataset, as rows like those of a report."""

from __future__ import annotations

import msgspec


class Measurement(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """One number of a dataset, with all that is needed to trust it."""

    data: str
    """Folder of the dataset."""
    metric: str
    slice: dict[str, str] = {}
    """`{}` for the whole; otherwise what the number is limited to, such as `{"role": "user"}`."""
    value: float | None
    """None when nothing was measured; then `why` says so."""
    low: float | None = None
    high: float | None = None
    n: int = 0
    """Dialogues measured; for repetition, turns."""
    n_failed: int = 0
    n_skipped: int = 0
    spread: dict[str, int] = {}
    """Number to how many dialogues have it, where the value is the mean of whole numbers."""
    detail: str = ""
    """What recurs, where the value says how often."""
    why: str = ""
    signature: str = ""
    """Name, version and options of the metric, and the digest of the data."""
