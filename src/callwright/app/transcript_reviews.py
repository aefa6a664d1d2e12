"""Runs as people review them: each transcript in the place of its dialogue, marked in rounds as a dataset is."""

from __future__ import annotations

from pathlib import Path

import msgspec

from callwright.app.datasets import Dataset, open_dataset
from callwright.app.reviewing import wrong_ids
from callwright.app.reviews import read_review
from callwright.errors import BadInput
from callwright.protocol.run_access import RunView, open_run
from callwright.records.dialogue import Dialogue

_TRIAL = "/"
"""Between the id of a dialogue and the number of the trial, where a run has several."""


def is_run(folder: Path) -> bool:
    """Return whether a folder holds a run, not a dataset."""
    return (folder / "run.db").is_file()


def open_reviewable(folder: Path) -> Dataset:
    """Return what people review: the dialogues of a dataset, or the transcripts of a run. Raises as these do."""
    if not is_run(folder):
        return open_dataset(folder)
    run = open_run(folder)
    return Dataset(folder=run.folder, dialogues=transcribed(run), catalog=run.catalog)


def transcribed(run: RunView) -> tuple[Dialogue, ...]:
    """Return each dialogue with the turns of a transcript; with several trials its id has the trial's number."""
    dialogues = {dialogue.id: dialogue for dialogue in run.dialogues}
    return tuple(
        msgspec.structs.replace(
            dialogues[one.dialogue],
            id=f"{one.dialogue}{_TRIAL}{one.trial}" if run.config["trials"] != 1 else one.dialogue,
            turns=one.turns,
        )
        for one in run.transcripts
    )


def without_wrong_transcripts(run: RunView) -> RunView:
    """Return a run without the dialogues a transcript of which people marked wrong, in any trial.

    Raises BadInput where nobody marked any.
    """
    review = read_review(run.folder, transcribed(run))
    if not review.marks:
        raise BadInput(f"{run.folder}: nobody has marked a transcript yet. `callwright review` asks people to.")
    wrong = {marked.partition(_TRIAL)[0] for marked in wrong_ids(review)}
    return msgspec.structs.replace(
        run,
        dialogues=tuple(one for one in run.dialogues if one.id not in wrong),
        transcripts=tuple(one for one in run.transcripts if one.dialogue not in wrong),
        failures=tuple(one for one in run.failures if one.item not in wrong),
        config={**run.config, "reviewed": f"{len(wrong)} left out"},
    )
