"""What can be judged in a folder: the dialogues of a dataset, or the transcripts of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from callwright.app.datasets import Dataset, open_dataset
from callwright.app.evaluation import open_run
from callwright.judge.subject import Talk
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Catalog
from callwright.records.transcript import Transcript


def talks_of(data: Dataset | str | Path, *, limit: int | None = None) -> tuple[Path, tuple[Talk, ...], int]:
    """Return folder and talks of a dataset or run, and how many transcripts are excluded. Raises BadInput.

    Transcripts with a fault of the simulated user are no part of any score, so they are not judged either.
    """
    if not isinstance(data, Dataset):
        folder = Path(data)
        if (folder / "run.db").is_file():
            view = open_run(folder)
            return folder, *_transcript_talks(view.dialogues[:limit], view.transcripts, view.catalog)
        data = open_dataset(folder)
    talks = [Talk(one, one.turns, data.catalog.by_key) for one in data.dialogues[:limit]]
    return data.folder, tuple(talks), 0


def _transcript_talks(
    dialogues: Sequence[Dialogue], transcripts: Sequence[Transcript], catalog: Catalog
) -> tuple[tuple[Talk, ...], int]:
    by_id = {dialogue.id: dialogue for dialogue in dialogues}
    of_these = [one for one in transcripts if one.dialogue in by_id]
    sound = [one for one in of_these if not one.faults]
    talks = [Talk(by_id[one.dialogue], one.turns, catalog.by_key, one.trial) for one in sound]
    return tuple(talks), len(of_these) - len(sound)
