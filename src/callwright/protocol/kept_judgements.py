"""Judgements as they are kept: in `.judge/run.db` of the dataset or run that was judged, with their rubrics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from callwright.errors import BadRecord
from callwright.judge.asking import KIND, judged, question_id, read_outcomes, units
from callwright.judge.rubric import Rubric
from callwright.judge.subject import Talk
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Dialogue
from callwright.records.judgement import Judgement
from callwright.records.tool import Catalog
from callwright.records.transcript import Transcript
from callwright.store.links import folder_inside
from callwright.store.outcome import Outcome
from callwright.store.run import Run

JUDGEMENTS: Final = ".judge"

_RUBRIC: Final = "rubric/"


def keep_rubric(run: Run, rubric: Rubric) -> None:
    """Keep a rubric in a run of judgements, so that they can be read without its file."""
    run.put_blob(_RUBRIC + rubric.digest, msgspec.json.encode(rubric))


def keep_judgements(data: Path, rubrics: Sequence[Rubric], judgements: Sequence[Judgement]) -> None:
    """Keep judgements that were made elsewhere, so that nobody asks for them again; those kept already stay."""
    if not judgements:
        return
    made = {question_id(one): one for one in judgements}
    with Run.open(folder_inside(data, JUDGEMENTS), kind=KIND, config={}) as run:
        for rubric in rubrics:
            keep_rubric(run, rubric)
        run.add_items((name, to_line(msgspec.structs.replace(one, samples=()))) for name, one in made.items())
        done = run.done()
        run.put(
            outcomes=[
                Outcome(item=name, trial=trial, value=to_line(msgspec.structs.replace(one, samples=(sample,))))
                for name, one in made.items()
                for trial, sample in enumerate(one.samples)
                if (name, trial) not in done
            ]
        )


def read_judgements(data: Path, talks: Sequence[Talk], criterion: str) -> dict[Rubric, dict[str, list[Judgement]]]:
    """Return kept judgements by rubrics called `criterion`, by rubric and judge; absent ones have no value."""
    folder = folder_inside(data, JUDGEMENTS)
    if not (folder / "run.db").is_file():
        return {}
    with Run.read(folder) as run:
        planned = [from_line(line, Judgement, where=f"{folder}: {item}") for item, line in run.items()]
        outcomes = read_outcomes(run)
        asked = {(one.rubric, one.judge): None for one in planned if one.criterion == criterion}
        rubrics = {name: _kept_rubric(run, name) for name in dict.fromkeys(name for name, _ in asked)}
    found: dict[Rubric, dict[str, list[Judgement]]] = {}
    for name, judge in asked:
        rubric = rubrics[name]
        wanted = [] if rubric is None else units(talks, [rubric], [judge])
        if rubric is not None and any(unit.id in outcomes for unit in wanted):
            found.setdefault(rubric, {})[judge] = [judged(unit.planned, outcomes.get(unit.id, ())) for unit in wanted]
    return found


def refused_turns(data: Path, talks: Sequence[Talk]) -> dict[str, set[int]] | None:
    """Return the turns that a judge graded below the rubric's `keep_from`, else lowest; None where none was judged."""
    folder = folder_inside(data, JUDGEMENTS)
    if not (folder / "run.db").is_file():
        return None
    with Run.read(folder) as run:
        planned = [from_line(line, Judgement, where=f"{folder}: {item}") for item, line in run.items()]
    refused: dict[str, set[int]] = {}
    names = dict.fromkeys(one.criterion for one in planned if one.turn is not None)
    for rubric, by_judge in (pair for name in names for pair in read_judgements(data, talks, name).items()):
        lowest = min(grade.value for grade in rubric.grades)
        for one in (one for made in by_judge.values() for one in made):
            value = one.settled
            is_low = value is not None and (value <= lowest if rubric.keep_from is None else value < rubric.keep_from)
            if is_low and one.turn is not None:
                refused.setdefault(one.item, set()).add(one.turn)
    return refused if names else None


def _kept_rubric(run: Run, name: str) -> Rubric | None:
    blob = run.get_blob(_RUBRIC + name)
    try:
        return None if blob is None else msgspec.json.decode(blob, type=Rubric)
    except msgspec.DecodeError as error:
        raise BadRecord(
            f"{run.folder}: a rubric in this folder cannot be read ({error}). Use the version of callwright that "
            "judged, or move the folder away to judge again."
        ) from error


def _parts(transcript: Transcript) -> tuple[int, ...] | None:
    return tuple(part.turn for part in transcript.tasks) if transcript.tasks else None


def transcript_talks(
    dialogues: Sequence[Dialogue], transcripts: Sequence[Transcript], catalog: Catalog
) -> tuple[tuple[Talk, ...], int]:
    """Return transcripts as talks, and how many are excluded for a fault of the simulated user."""
    by_id = {dialogue.id: dialogue for dialogue in dialogues}
    of_these = [one for one in transcripts if one.dialogue in by_id]
    sound = [one for one in of_these if not one.faults]
    talks = [Talk(by_id[one.dialogue], one.turns, catalog.by_key, one.trial, _parts(one)) for one in sound]
    return tuple(talks), len(of_these) - len(sound)
