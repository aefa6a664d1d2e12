"""Judges' verdicts on the words of `clarify` and `chat` tasks: an option of scoring, off by default, not in the paper.

Without this option any words without a call are right, as in WildToolBench. With it a question must ask for the missing
value, and an answer must answer. A session with words that nobody judged, or that could not be judged, is skipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from callwright.errors import BadInput
from callwright.judge.rubric import Rubric, bundled_rubric
from callwright.judge.subject import task_replies
from callwright.papers.wild.task_verdict import TaskVerdict
from callwright.protocol.judged_rows import JudgedBy, judged_signature
from callwright.protocol.kept_judgements import read_judgements, transcript_talks
from callwright.protocol.run_access import RunView
from callwright.protocol.scoring import JudgedTurns
from callwright.records.transcript import Transcript

CRITERIA: Final[Mapping[str, str]] = {"clarify": "clarify-asks", "chat": "chat-answers"}
"""The criterion that judges the words, by kind of task."""

_RIGHT_FROM: Final = 0.5
"""Words are right from this mean on, over all judges and their samples."""


def kept_words(run: RunView) -> JudgedTurns:
    """Return what judges made of the words of a run, from the judgements kept with it.

    Where several rubrics of a criterion were asked, the bundled one counts. Raises BadInput where a kind of words has
    no judgements.
    """
    talks, _ = transcript_talks(run.dialogues, run.transcripts, run.catalog)
    found: dict[Rubric, JudgedBy] = {}
    for kind, criterion in CRITERIA.items():
        kept = read_judgements(run.folder, talks, criterion)
        if not kept and any(task_replies(talk, kind) for talk in talks):
            raise BadInput(
                f"{run.folder}: no replies of {kind} tasks are judged. Run `callwright judge {run.folder} "
                f"--criteria {','.join(CRITERIA.values())} --judge MODEL` first."
            )
        own = bundled_rubric(criterion).digest
        found |= dict(sorted(kept.items(), key=lambda one: one[0].digest != own)[:1])
    return judged_words(found)


def judged_words(made: Mapping[Rubric, JudgedBy]) -> JudgedTurns:
    """Return the mean judgement of each turn; `made` holds all judgements by their rubric."""
    of_place: dict[tuple[str, int, int], list[float | None]] = {}
    for by_judge in made.values():
        for judgement in (one for judgements in by_judge.values() for one in judgements):
            place = (judgement.item, judgement.trial, judgement.turn or 0)
            of_place.setdefault(place, []).append(judgement.value)
    signatures = "".join(f"|words:{judged_signature(rubric, by_judge)}" for rubric, by_judge in made.items())
    return JudgedTurns({place: _mean(values) for place, values in of_place.items()}, signatures)


def _mean(values: Sequence[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return sum(found) / len(found) if len(found) == len(values) else None


def with_words(words: JudgedTurns, transcript: Transcript, verdict: TaskVerdict) -> TaskVerdict:
    """Return the verdict, with the error `wrong_words` where judges found the words of the task wrong.

    The first judged turn of the task decides. Raises BadInput where its judgement has no value.
    """
    places = ((transcript.dialogue, transcript.trial, verdict.first + at) for at in range(len(verdict.turns)))
    place = next((place for place in places if place in words.values), None)
    if place is None:
        return verdict
    if (value := words.values[place]) is None:
        raise BadInput("words that decide a task could not be judged, or are not judged yet")
    if value >= _RIGHT_FROM:
        return verdict
    why = "the question does not ask for what is missing" if verdict.gold.golds else "the words are no answer"
    return msgspec.structs.replace(verdict, right=False, error="wrong_words", why=why)
