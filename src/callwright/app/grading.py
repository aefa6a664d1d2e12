"""People's grades of dialogues by the criteria of judges: judgements of `person/NAME`, kept with those of models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from callwright.app.datasets import Dataset
from callwright.errors import BadInput, UnknownName, unknown_name
from callwright.judge.asking import AskedQuestion, question_id, units
from callwright.judge.rubric import Rubric
from callwright.judge.subject import Talk
from callwright.protocol.judged_rows import Agreement, CriterionScore, agreement, score_criterion
from callwright.protocol.kept_judgements import keep_judgements, read_judgements
from callwright.records.judgement import Sample

PERSON: Final = "person/"


class GradedCriteria(NamedTuple):
    """How dialogues were graded, by people and models."""

    scores: tuple[CriterionScore, ...]
    agreement: tuple[Agreement, ...]
    """By criterion, where it has several judges."""


def open_questions(data: Dataset, ids: Sequence[str], rubrics: Sequence[Rubric], by: str) -> Iterator[AskedQuestion]:
    """Yield what a person has not graded yet of these dialogues: each with one criterion after another."""
    talks = _talks(data, ids)
    kept = {
        question_id(one)
        for rubric in rubrics
        for found, judged in read_judgements(data.folder, talks, rubric.name).items()
        if found.digest == rubric.digest
        for one in judged.get(_name(by), ())
        if one.samples
    }
    for question in units(talks, rubrics, [_name(by)]):
        if question.id not in kept:
            yield question


def keep_grade(data: Dataset, question: AskedQuestion, answer: str) -> None:
    """Keep a person's answer. Raises UnknownName for one that the criterion has not."""
    rubric = question.subject.rubric
    grade = next((one for one in rubric.grades if one.answer == answer), None)
    if grade is None:
        raise unknown_name(f"answer of {rubric.name}", answer, [one.answer for one in rubric.grades])
    made = msgspec.structs.replace(question.planned, samples=(Sample(grade.answer, grade.value),))
    keep_judgements(data.folder, [rubric], [made])


def find_question(data: Dataset, ids: Sequence[str], rubrics: Sequence[Rubric], by: str, wanted: str) -> AskedQuestion:
    """Return the question about one dialogue that a person has not answered yet, by the beginning of its id.

    Raises UnknownName where there is none, and BadInput for several criteria.
    """
    if len(rubrics) != 1:
        raise BadInput("--grade answers one criterion. Name it alone: --criteria NAME.")
    open_ = {one.planned.item: one for one in open_questions(data, ids, rubrics, by)}
    found = [id_ for id_ in open_ if id_.startswith(wanted)]
    if wanted not in open_ and len(found) != 1:
        raise UnknownName(f"{wanted!r:.80}: {len(found):,} dialogues of the round that are not graded begin so.")
    return open_[wanted if wanted in open_ else found[0]]


def graded(data: Dataset, ids: Sequence[str], rubrics: Sequence[Rubric]) -> GradedCriteria:
    """Return how people and models graded these dialogues, by criterion."""
    talks = _talks(data, ids)
    scores: list[CriterionScore] = []
    agreed: list[Agreement] = []
    for rubric in rubrics:
        kept = read_judgements(data.folder, talks, rubric.name)
        made = next((judged for found, judged in kept.items() if found.digest == rubric.digest), {})
        scores += [score_criterion(rubric, {judge: judgements}) for judge, judgements in made.items()]
        if len(made) > 1:
            agreed.append(agreement(rubric, made))
    return GradedCriteria(tuple(scores), tuple(agreed))


def _talks(data: Dataset, ids: Sequence[str]) -> list[Talk]:
    by_id = {one.id: one for one in data.dialogues}
    return [Talk(by_id[id_], by_id[id_].turns, data.catalog.by_key) for id_ in ids]


def _name(by: str) -> str:
    if not by:
        raise BadInput("a grade needs the name of the person: --by NAME.")
    return f"{PERSON}{by}"
