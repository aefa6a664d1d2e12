"""Measurements: the metrics of a dataset, as rows like those of a report."""

from __future__ import annotations

import msgspec


class Measurement(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """One number of a dataset, with its interval, counts and signature."""

    data: str
    """Folder of the dataset."""
    metric: str
    slice: dict[str, str] = {}
    """`{}` for the whole; otherwise the limits of the number, such as `{"role": "user"}`."""
    value: float | None
    """None when nothing was measured; `why` gives the reason."""
    low: float | None = None
    high: float | None = None
    n: int = 0
    """Dialogues measured; for repetition, turns."""
    n_failed: int = 0
    n_skipped: int = 0
    spread: dict[str, int] = {}
    """Number to its count of dialogues, if the value is a mean of whole numbers."""
    detail: str = ""
    """The recurring text, if the value is its frequency."""
    why: str = ""
    signature: str = ""
    """Name, version and options of the metric, and the digest of the data."""
