"""What can be judged in a folder: the dialogues of a dataset, or the transcripts of a run."""

from __future__ import annotations

from pathlib import Path

from callwright.app.datasets import Dataset, open_dataset
from callwright.judge.subject import Talk
from callwright.protocol.kept_judgements import transcript_talks
from callwright.protocol.run_access import open_run


def talks_of(data: Dataset | str | Path, *, limit: int | None = None) -> tuple[Path, tuple[Talk, ...], int]:
    """Return folder and talks of a dataset or run, and how many transcripts are excluded. Raises BadInput."""
    if not isinstance(data, Dataset):
        folder = Path(data)
        if (folder / "run.db").is_file():
            view = open_run(folder)
            return folder, *transcript_talks(view.dialogues[:limit], view.transcripts, view.catalog)
        data = open_dataset(folder)
    talks = [Talk(one, one.turns, data.catalog.by_key) for one in data.dialogues[:limit]]
    return data.folder, tuple(talks), 0
