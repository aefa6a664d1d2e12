"""What judges made of the words that answer `clarify` and `chat` tasks: an option of scoring, off by default.

Without it any words without a call are right (WildToolBench). With it a question has to ask for what is missing, and an
answer to answer. A task whose words were not judged, or could not be, is measured by nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from callwright.errors import BadInput
from callwright.judge.rubric import Rubric, bundled_rubric
from callwright.judge.subject import task_replies
from callwright.papers.wild.task_errors import WRONG_WORDS
from callwright.papers.wild.task_verdict import TaskVerdict
from callwright.protocol.judged_rows import JudgedBy, judged_signature
from callwright.protocol.kept_judgements import read_judgements, transcript_talks
from callwright.protocol.run_access import RunView
from callwright.protocol.scoring import JudgedTurns
from callwright.records.dialogue import Dialogue
from callwright.records.transcript import Transcript

CRITERIA: Final[Mapping[str, str]] = {"clarify": "clarify-asks", "chat": "chat-answers"}
"""Criterion of the words of each kind of task."""

_RIGHT_FROM: Final = 0.5
"""Least mean, over judges and their samples, of words that are right."""


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
    """Return what judges made of words, by the rubrics they were asked with."""
    of_place: dict[tuple[str, int, int], list[float | None]] = {}
    for by_judge in made.values():
        for judgement in (one for judgements in by_judge.values() for one in judgements):
            place = (judgement.item, judgement.trial, judgement.turn or 0)
            of_place.setdefault(place, []).append(judgement.value)
    signatures = "".join(f"|words:{judged_signature(rubric, by_judge)}" for rubric, by_judge in made.items())
    return JudgedTurns({place: _mean(values) for place, values in of_place.items()}, signatures)


def _mean(values: Iterable[float | None]) -> float | None:
    known = list(values)
    found = [value for value in known if value is not None]
    return sum(found) / len(found) if len(found) == len(known) else None


def with_words(
    words: JudgedTurns, dialogue: Dialogue, transcript: Transcript, verdicts: Sequence[TaskVerdict]
) -> tuple[TaskVerdict, ...]:
    """Return the verdicts with wrong words among the errors. Raises BadInput where words decide that have no value."""
    found = []
    ends = [*(part.turn for part in (transcript.tasks or ())[1:]), len(transcript.turns)]
    begins = [part.turn for part in transcript.tasks or ()]
    for verdict, begin, end in zip(verdicts, begins, ends, strict=True):
        places = ((dialogue.id, transcript.trial, at) for at in range(begin, end))
        judged = [words.values[place] for place in places if place in words.values]
        if judged and judged[0] is None:
            raise BadInput("words that decide a task could not be judged, or are not judged yet")
        is_wrong = bool(judged) and judged[0] is not None and judged[0] < _RIGHT_FROM
        found.append(_wrong(verdict) if is_wrong else verdict)
    return tuple(found)


def _wrong(verdict: TaskVerdict) -> TaskVerdict:
    why = "the question does not ask for what is missing" if verdict.gold.golds else "the words are no answer"
    return msgspec.structs.replace(verdict, right=False, error=WRONG_WORDS, why=why)
