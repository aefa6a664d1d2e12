"""Metrics whose counts a judge makes in place of rules: each question is asked once and kept with the dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from callwright.app.measuring import measured_metrics, opened
from callwright.app.requests import JudgingRequest
from callwright.app.roles import read_judges, served_judges
from callwright.app.run_end import failure_examples, resumable
from callwright.engine.roll_out import roll_out
from callwright.errors import BadInput
from callwright.judge.asking import KIND, AskedQuestion, JudgingJob, judged, read_outcomes, units
from callwright.papers.registry import measures
from callwright.protocol.dataset_measures import JudgedCounting
from callwright.protocol.kept_judgements import JUDGEMENTS, keep_rubric
from callwright.records.codec import to_line
from callwright.records.measurement import Measurement
from callwright.store.links import folder_inside
from callwright.store.run import Run


class Counted(msgspec.Struct, frozen=True):
    """What a judge's counts make of a dataset."""

    document: msgspec.Struct
    rows: tuple[Measurement, ...]
    failed: Mapping[str, int]
    """Questions that have no answer, by class of error: they are counted apart, never as 0."""
    examples: Mapping[str, str]


def count_by_judge(request: JudgingRequest, *, only: str) -> Counted:
    """Have the one judge of a request count what the metrics of `only` are made of. Raises as `run_judging`."""
    counting = _counting(only)
    judges = read_judges([request.judges] if isinstance(request.judges, str) else request.judges, asking=request.asking)
    if len(judges) != 1:
        raise BadInput("one judge counts at a time. Give --judge once.")
    data = opened(request.data if not isinstance(request.data, str) else Path(request.data), request.limit)
    tools = data.catalog.by_key
    asked = {
        dialogue.id: [
            unit
            for rubric, talk in counting.questions(dialogue, tools)
            for unit in units([talk], [rubric], [judges[0].name])
        ]
        for dialogue in data.dialogues
    }
    unique = list({unit.id: unit for own in asked.values() for unit in own}.values())
    folder = folder_inside(data.folder, JUDGEMENTS)
    with resumable(folder), Run.open(folder, kind=KIND, config={}, durable=request.execution.durable) as run:
        run.add_items((unit.id, to_line(unit.planned)) for unit in unique)
        for rubric in {unit.subject.rubric.digest: unit.subject.rubric for unit in unique}.values():
            keep_rubric(run, rubric)
        roll_out(
            JudgingJob(unique, served_judges(judges, request.asking.patience)), run, seed=0, execution=request.execution
        )
        answers, failed = _answers(run, unique)
        examples = failure_examples(run)
    counts = {id_: [answers.get(unit.id) for unit in own] for id_, own in asked.items()}
    document, rows = counting.measured(data.dialogues, tools, counts, judges[0].name)
    named = tuple(msgspec.structs.replace(row, data=str(data.folder)) for row in rows)
    return Counted(document, named, failed, {kind: examples[kind] for kind in failed if kind in examples})


def _counting(only: str) -> JudgedCounting:
    metrics = set(measured_metrics(only))
    groups = [one for one in measures() if metrics <= one.labels.keys()]
    if not groups or groups[0].counting is None:
        raise BadInput("a judge can count for one group of metrics at a time, the one that --only names.")
    return groups[0].counting


def _answers(run: Run, asked: Sequence[AskedQuestion]) -> tuple[dict[str, float], dict[str, int]]:
    outcomes = read_outcomes(run)
    answers: dict[str, float] = {}
    failed: dict[str, int] = {}
    for unit in asked:
        made = judged(unit.planned, outcomes.get(unit.id, ()), samples=1)
        if made.samples:
            answers[unit.id] = made.samples[0].value
        else:
            failed[made.failed or "unasked"] = failed.get(made.failed or "unasked", 0) + 1
    return answers, failed
