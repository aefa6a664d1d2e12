"""Runs scored anew from their transcripts; no model is asked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from callwright.papers.registry import load_protocol
from callwright.protocol.run_access import open_run, run_rows
from callwright.records.transcript import Row


def score_runs(runs: str | Path | Iterable[str | Path]) -> list[Row]:
    """Return the rows of finished runs, scored anew from their transcripts: the same rows each time.

    A row of an unfinished run says so in `why`. Raises BadInput for a folder that holds no run.
    """
    folders = [runs] if isinstance(runs, str | Path) else runs
    return [row for run in map(open_run, folders) for row in run_rows(run, load_protocol(run.protocol))]
