"""Runs of the `wild` protocol scored again: under another matcher, or by what judges made of the words."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from callwright.errors import BadInput
from callwright.judge.rubric import Rubric, bundled_rubric
from callwright.judge.subject import task_replies
from callwright.papers.paper import Scorer
from callwright.papers.wild.judged_words import CRITERIA, judged_words
from callwright.papers.wild.wild_protocol import PROTOCOL
from callwright.protocol.judged_rows import JudgedBy
from callwright.protocol.kept_judgements import read_judgements, transcript_talks
from callwright.protocol.run_access import RunView, run_rows
from callwright.protocol.scoring import JudgedTurns
from callwright.records.transcript import Row

Match = Annotated[
    Literal["strict", "lenient"],
    msgspec.Meta(description="Values exactly, or also those that the schema gives a reason to forgive."),
]


class ScoringOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How calls are matched, and whether judges decide about words."""

    match: Match = "strict"
    judged: Annotated[
        bool,
        msgspec.Meta(description="Questions and answers must also be right to the judges of `callwright judge RUN`."),
    ] = False


def score_run(run: RunView, options: ScoringOptions) -> list[Row]:
    """Return the rows of a run of the `wild` protocol; no model is asked.

    With `judged` the words of `clarify` and `chat` tasks are right only where the kept judgements on the criteria
    `clarify-asks` and `chat-answers` say so. Raises BadInput where a kind of words has no judgements.
    """
    return run_rows(run, PROTOCOL, options={"match": options.match}, words=_words(run) if options.judged else None)


def _words(run: RunView) -> JudgedTurns:
    talks, _ = transcript_talks(run.dialogues, run.transcripts, run.catalog)
    found: dict[Rubric, JudgedBy] = {}
    for kind, criterion in CRITERIA.items():
        kept = read_judgements(run.folder, talks, criterion)
        if not kept and any(task_replies(talk, kind) for talk in talks):
            raise BadInput(
                f"{run.folder}: no words of {kind} tasks are judged. Give `callwright judge {run.folder} "
                f"--criteria {','.join(CRITERIA.values())} --judge MODEL` first."
            )
        own = bundled_rubric(criterion).digest
        found |= dict(sorted(kept.items(), key=lambda one: one[0].digest != own)[:1])
    return judged_words(found)


SCORER: Final = Scorer(
    "Any words without a call are a question in clarify tasks, and an answer in chat tasks. With --judged those that "
    "judges found to ask for nothing that is missing, or to answer nothing, are wrong: first give `callwright judge "
    f"RUN --criteria {','.join(CRITERIA.values())} --judge MODEL`.",
    ScoringOptions,
    score_run,
)
