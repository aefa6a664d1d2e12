"""Asks judges: renders rubric and material, reads replies strictly, and retries if one does not fit.

The whole reply must be one object with the grade, or the grade alone, so quoted material cannot set it. As an engine
job, judging has one item for each criterion, judge and subject, and one trial for each sample. An item's id is a digest
of judge, rubric and material, so the same question is never asked twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from callwright.author.online_voice import ASKS, repair
from callwright.author.prompt_language import rendered, template_of
from callwright.author.prompts import SPLIT
from callwright.engine.context import Context
from callwright.errors import BadDocument, BadRecord, RolloutFailed
from callwright.judge.rubric import Rubric
from callwright.judge.subject import JudgedSubject, Talk, subjects
from callwright.models.chat import ChatModel, ChatReply, ChatRequest, Message
from callwright.models.structured import FENCED
from callwright.records.codec import from_line, to_line
from callwright.records.judgement import Judgement, Sample
from callwright.records.tool import digest
from callwright.store.outcome import Outcome
from callwright.store.run import Run

ROLE: Final = "judge"
_LONGEST_WHY: Final = 4_000
_LONGEST_ERROR: Final = 500


class _Reply(msgspec.Struct, frozen=True):
    grade: str | int
    analysis: str = ""


_decoder = msgspec.json.Decoder(_Reply)


def request_of(subject: JudgedSubject) -> ChatRequest:
    """Return the request to a judge: constant part, then material. Raises BadDocument if a user's template fails."""
    rubric = subject.rubric
    user = _rendered(rubric, rubric.template.partition(SPLIT)[2], material=subject.material)
    return ChatRequest((_system_message(rubric), Message("user", user)), reply_schema=rubric.reply_schema)


async def ask_judge(subject: JudgedSubject, ctx: Context) -> Sample:
    """Return one sample from the role `judge`. Raises RolloutFailed: `bad_reply`, or the model's failure."""
    try:
        request = request_of(subject)
    except BadDocument as error:
        raise RolloutFailed(str(error), kind="bad_prompt", role=ROLE) from error
    asked, why = request, ""
    places = (ctx, *(ctx.at(f"again/{attempt}") for attempt in range(1, ASKS)))
    for place in places:
        reply = await place.ask(ROLE, asked)
        try:
            return read_sample(subject.rubric, reply)
        except BadRecord as error:
            why = str(error)[:_LONGEST_ERROR]
        asked = repair(request, reply, why) if asked is request else request
    for place in places:
        place.forget(ROLE)
    name = ctx.models[ROLE].name
    raise RolloutFailed(f"{name}: {ASKS} replies that do not fit; the last: {why}", kind="bad_reply", role=ROLE)


def read_sample(rubric: Rubric, reply: ChatReply) -> Sample:
    """Return the sample in a reply. Raises BadRecord, saying what does not fit."""
    if errors := [error for error in reply.format_errors if error != FENCED]:
        raise BadRecord(f"{rubric.name}: {'; '.join(errors)}")
    try:
        read = _Reply(reply.content) if rubric.alone else _decoder.decode(reply.content)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadRecord(f"{rubric.name}: {error}") from error
    said = str(read.grade).strip().casefold()
    for grade in rubric.grades:
        if grade.answer.strip().casefold() == said:
            return Sample(grade.answer, grade.value, read.analysis.strip()[:_LONGEST_WHY])
    answers = ", ".join(grade.answer for grade in rubric.grades)
    raise BadRecord(f"{rubric.name}: the grade {str(read.grade)[:40]!r} is none of {answers}")


@lru_cache(maxsize=64)
def _system_message(rubric: Rubric) -> Message:
    return Message("system", _rendered(rubric, rubric.template.partition(SPLIT)[0]))


def _rendered(rubric: Rubric, source: str, **fields: str) -> str:
    where = f"criterion {rubric.name}"
    return rendered(template_of(source, where), {"rubric": rubric, **fields}, where=where).strip()


# -- judging as a job ------------------------------------------------------------------------------------------------

KIND: Final = "judge"


class AskedQuestion(msgspec.Struct, frozen=True):
    """One question to one judge."""

    id: str
    planned: Judgement
    subject: JudgedSubject


def units(talks: Iterable[Talk], rubrics: Sequence[Rubric], judges: Sequence[str]) -> list[AskedQuestion]:
    """Return every question to be asked, in the order of talks, criteria, turns and judges."""
    return [
        _asked(subject, judge)
        for talk in talks
        for rubric in rubrics
        for subject in subjects(rubric, talk)
        for judge in judges
    ]


def _asked(subject: JudgedSubject, judge: str) -> AskedQuestion:
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
    return AskedQuestion(question_id(planned), planned, subject)


def question_id(planned: Judgement) -> str:
    return digest("judgement.v1", planned.judge, planned.rubric, planned.subject)


class JudgingJob:
    """Different questions. Their rollouts are the samples, each a judgement with one sample."""

    def __init__(self, asked: Sequence[AskedQuestion], models: Mapping[str, ChatModel]) -> None:
        self.ids = tuple(unit.id for unit in asked)
        self._asked = asked
        self._models = models

    def models(self, index: int) -> dict[str, ChatModel]:
        return {ROLE: self._models[self._asked[index].planned.judge]}

    async def run(self, index: int, ctx: Context) -> bytes:
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
    """Return a planned judgement with its first `samples` outcomes, by default all; it fails if one of them failed."""
    wanted = [one for one in outcomes if samples is None or one.trial < samples]
    if failed := next((one for one in wanted if not one.ok), None):
        return msgspec.structs.replace(planned, failed=failed.kind, message=failed.message)
    if samples is not None and len(wanted) < samples:
        return planned
    kept = [from_line(one.value or b"", Judgement, where=f"judgement {one.item}") for one in wanted]
    return msgspec.structs.replace(planned, samples=tuple(one.samples[0] for one in kept))
