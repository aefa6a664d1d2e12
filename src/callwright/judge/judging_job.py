"""Judging as an engine job: one item for each criterion, judge and subject; one trial for each sample.

An item's id is a digest of judge, rubric and material, so the same question is never asked twice, even in another
job or under another dialogue id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from callwright.engine.context import Context
from callwright.judge.asking import ROLE, ask_judge
from callwright.judge.rubric import Rubric
from callwright.judge.subject import Subject, Talk, subjects
from callwright.models.chat import ChatModel
from callwright.records.codec import from_line, to_line
from callwright.records.judgement import Judgement, Sample
from callwright.records.tool import digest
from callwright.store.outcome import Outcome
from callwright.store.run import Run

KIND: Final = "judge"
"""Kind of the runs that contain judgements."""


class Unit(msgspec.Struct, frozen=True):
    """One question to one judge."""

    id: str
    planned: Judgement
    """The judgement without samples."""
    subject: Subject


def units(talks: Iterable[Talk], rubrics: Sequence[Rubric], judges: Sequence[str]) -> list[Unit]:
    """Return every question to be asked, in the order of talks, criteria, turns and judges."""
    return [
        _unit(subject, judge)
        for talk in talks
        for rubric in rubrics
        for subject in subjects(rubric, talk)
        for judge in judges
    ]


def _unit(subject: Subject, judge: str) -> Unit:
    rubric = subject.rubric
    planned = Judgement(
        item=subject.talk.dialogue.id,
        trial=subject.talk.trial,
        turn=subject.turn,
        criterion=rubric.name,
        version=rubric.version,
        rubric=rubric.digest,
        judge=judge,
        subject=subject.digest,
    )
    return Unit(question_id(planned), planned, subject)


def question_id(planned: Judgement) -> str:
    """Return the id of a judgement's question."""
    return digest("judgement.v1", planned.judge, planned.rubric, planned.subject)


class JudgingJob:
    """Different questions. Their rollouts are the samples, each a judgement with one sample."""

    def __init__(self, asked: Sequence[Unit], models: Mapping[str, ChatModel]) -> None:
        self.ids = tuple(unit.id for unit in asked)
        self._asked = asked
        self._models = models

    def models(self, index: int) -> dict[str, ChatModel]:
        """Return the judge of question `index`."""
        return {ROLE: self._models[self._asked[index].planned.judge]}

    async def run(self, index: int, ctx: Context) -> bytes:
        """Return one sample. Raises RolloutFailed."""
        unit = self._asked[index]
        sample = await ask_judge(unit.subject, ctx)
        return to_line(msgspec.structs.replace(unit.planned, samples=(sample,)))


def read_outcomes(run: Run) -> dict[str, list[Outcome]]:
    """Return the outcomes of a run of judgements by question, samples in the order of their numbers."""
    found: dict[str, list[Outcome]] = {}
    for outcome in run.outcomes():
        found.setdefault(outcome.item, []).append(outcome)
    return found


def judged(planned: Judgement, outcomes: Iterable[Outcome], *, samples: int | None = None) -> Judgement:
    """Return a planned judgement with its outcome: its first `samples` samples, by default all.

    It failed if one of them failed; if one of `samples` is absent, it has none and was not made.
    """
    wanted = [one for one in outcomes if samples is None or one.trial < samples]
    if failed := next((one for one in wanted if not one.ok), None):
        return msgspec.structs.replace(planned, failed=failed.kind, message=failed.message)
    if samples is not None and len(wanted) < samples:
        return planned
    return msgspec.structs.replace(planned, samples=tuple(_sample(one) for one in wanted))


def _sample(outcome: Outcome) -> Sample:
    line = outcome.value or b""
    return from_line(line, Judgement, where=f"judgement {outcome.item}").samples[0]
