"""Judging a dataset or the transcripts of a run, by one judge or a panel.

A question is known by judge, rubric and all that is shown; an answered one is never asked again. Account and budget are
those of the folder over all sessions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from callwright.app.datasets import Dataset, open_dataset
from callwright.app.estimates import TOKENS_OF_A_JUDGEMENT, tokens_asked
from callwright.app.requests import JudgingRequest, read_request
from callwright.app.roles import Judge, read_criteria, read_judges, served_judges
from callwright.app.run_end import RunUsage, failure_examples, resumable, rollouts_done, told_when_stopped, usage
from callwright.engine.roll_out import Tally, check_priced, roll_out
from callwright.errors import BadInput
from callwright.judge.asking import KIND, AskedQuestion, JudgingJob, judged, read_outcomes, units
from callwright.judge.rubric import Rubric
from callwright.judge.subject import Talk, why_skipped
from callwright.models.prices import added, read_prices
from callwright.protocol.judged_rows import Agreement, CriterionScore, agreement, score_criterion
from callwright.protocol.kept_judgements import JUDGEMENTS, keep_rubric, transcript_talks
from callwright.protocol.run_access import open_run
from callwright.protocol.size_estimate import Estimate
from callwright.records.codec import to_line
from callwright.records.judgement import Judgement
from callwright.store.links import folder_inside
from callwright.store.run import Run

EXCLUDED = "excluded: a fault of the simulated user"

_SEED = 0
_MOST_SAMPLES: Final = 100


class JudgingResult(RunUsage, frozen=True, kw_only=True):
    """The judgements asked for, in order, made or failed."""

    judgements: tuple[Judgement, ...]
    scores: tuple[CriterionScore, ...]
    agreement: tuple[Agreement, ...]
    """By criterion; empty for one judge."""
    skipped: dict[str, dict[str, int]]
    """Items that a criterion cannot be asked about, by criterion and reason."""
    asked: int
    """Replies asked for in this session."""
    failed: dict[str, int]
    """Samples that failed, by class of error."""


class JudgingPreview(msgspec.Struct, frozen=True, kw_only=True):
    """The preview of a judging; making it writes nothing."""

    items: int
    questions: int
    samples: int
    """Samples of them that are wanted."""
    done: int
    """Samples kept from earlier sessions."""
    skipped: dict[str, dict[str, int]]
    estimate: Estimate
    """Requests that are still to be made."""
    usd: float | None
    """The cost of the estimate; None where a price is not known."""


class _Plan(msgspec.Struct, frozen=True):
    folder: Path
    talks: tuple[Talk, ...]
    left_out: int
    rubrics: tuple[Rubric, ...]
    judges: tuple[Judge, ...]
    samples: int
    units: tuple[AskedQuestion, ...]

    @property
    def questions(self) -> list[AskedQuestion]:
        """The units without those that ask what another one asks."""
        return list({unit.id: unit for unit in reversed(self.units)}.values())[::-1]


def judge_dataset(data: Dataset | str | Path, *, judges: str | Sequence[str], **settings: Any) -> JudgingResult:
    """Judge the dialogues of a dataset folder, or the transcripts of a run folder, and keep every judgement there.

    `judges` are models `openai/NAME` or `openai/NAME@URL`. `settings` are the other fields of a `JudgingRequest`, of
    its `Asking` and of its `Execution` (see `callwright.app.requests`). Kept judgements are never asked for again.
    Raises BadInput for wrong settings and data; RunConflict while another process judges there; StorageFailed when the
    disk refuses; Interrupted after Ctrl-C; BudgetSpent when no further call fits the budget; ModelUnavailable when a
    judge cannot be asked at all. The last three carry the result so far as `result`.
    """
    return run_judging(read_request(JudgingRequest, data=data, judges=judges, **settings))


def run_judging(request: JudgingRequest) -> JudgingResult:
    """Do what is asked for: `judge_dataset` with the settings as one struct."""
    plan = _plan(request)
    asked = plan.questions
    models = served_judges(plan.judges, request.asking.patience)
    check_priced(models.values(), request.execution.prices or read_prices(), request.execution.budget)
    job = JudgingJob(asked, models)
    durable = request.execution.durable
    with resumable(plan.folder), Run.open(plan.folder, kind=KIND, config={}, durable=durable) as run:
        run.add_items((unit.id, to_line(unit.planned)) for unit in asked)
        for rubric in plan.rubrics:
            keep_rubric(run, rubric)
        with told_when_stopped(lambda tally: _result(plan, run, tally)):
            tally = roll_out(job, run, seed=_SEED, trials=request.samples, execution=request.execution)
        return _result(plan, run, tally)


def preview_judging(request: JudgingRequest) -> JudgingPreview:
    """Return a preview of `run_judging`, with the same errors; writes nothing."""
    plan = _plan(request)
    samples, listed = request.samples, request.execution.prices or read_prices()
    done = rollouts_done(plan.folder, kind=KIND, config={})
    questions = plan.questions
    left = [(unit, samples - sum((unit.id, trial) in done for trial in range(samples))) for unit in questions]
    models = {judge.name: judge.endpoint.name for judge in plan.judges}
    asked = [(models[unit.planned.judge], times * tokens_asked(unit), times) for unit, times in left if times]
    calls = sum(times for _, times in left)
    return JudgingPreview(
        items=len(plan.talks),
        questions=len(questions),
        samples=len(questions) * samples,
        done=len(questions) * samples - calls,
        skipped=_skipped(plan),
        estimate=Estimate(calls, sum(size for _, size, _ in asked), calls * TOKENS_OF_A_JUDGEMENT),
        usd=added(
            listed.usd(model, tokens_in=size, tokens_out=times * TOKENS_OF_A_JUDGEMENT) for model, size, times in asked
        ),
    )


def _plan(request: JudgingRequest) -> _Plan:
    """Resolve all names of a request. Raises BadInput where it cannot be done."""
    names = [request.judges] if isinstance(request.judges, str) else request.judges
    found = read_judges(names, asking=request.asking, decoding=request.asking.decoding)
    rubrics = read_criteria(request.criteria)
    if not 1 <= request.samples <= _MOST_SAMPLES:
        raise BadInput(f"samples is {request.samples}; give 1 to {_MOST_SAMPLES}.")
    if request.limit is not None and request.limit < 1:
        raise BadInput(f"limit is {request.limit}; at least 1 is needed.")
    folder, talks, left_out = _talks(request.data, limit=request.limit)
    if not talks and not left_out:
        raise BadInput(f"{folder}: there is nothing to judge.")
    wanted = units(talks, rubrics, [judge.name for judge in found])
    return _Plan(folder_inside(folder, JUDGEMENTS), talks, left_out, rubrics, found, request.samples, tuple(wanted))


def _talks(data: Dataset | str | Path, *, limit: int | None) -> tuple[Path, tuple[Talk, ...], int]:
    """Folder and talks of a dataset or run, and how many transcripts are excluded. Raises BadInput."""
    if not isinstance(data, Dataset):
        folder = Path(data)
        if (folder / "run.db").is_file():
            view = open_run(folder)
            return folder, *transcript_talks(view.dialogues[:limit], view.transcripts, view.catalog)
        data = open_dataset(folder)
    talks = [Talk(one, one.turns, data.catalog.by_key) for one in data.dialogues[:limit]]
    return data.folder, tuple(talks), 0


def _skipped(plan: _Plan) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for rubric in plan.rubrics:
        reasons = Counter(filter(None, (why_skipped(rubric, talk) for talk in plan.talks)))
        if plan.left_out:
            reasons[EXCLUDED] = plan.left_out
        if reasons:
            found[rubric.name] = dict(sorted(reasons.items()))
    return found


def _result(plan: _Plan, run: Run, tally: Tally) -> JudgingResult:
    outcomes = read_outcomes(run)
    made = tuple(judged(unit.planned, outcomes.get(unit.id, ()), samples=plan.samples) for unit in plan.units)
    ours = {unit.id for unit in plan.units}
    wanted = [one for name in ours for one in outcomes.get(name, ()) if one.trial < plan.samples]
    failed = dict(sorted(Counter(one.kind for one in wanted if not one.ok).items()))
    examples = failure_examples(run)
    return JudgingResult(
        judgements=made,
        scores=tuple(_scores(plan, made)),
        agreement=tuple(agreement(rubric, _by_judge(plan, rubric, made)) for rubric in plan.rubrics)
        if len(plan.judges) > 1
        else (),
        skipped=_skipped(plan),
        asked=tally.asked,
        failed=failed,
        examples={kind: examples[kind] for kind in failed if kind in examples},
        **usage(tally.bill),
    )


def _scores(plan: _Plan, made: Sequence[Judgement]) -> Iterator[CriterionScore]:
    skipped = _skipped(plan)
    for rubric in plan.rubrics:
        n_skipped = sum(skipped.get(rubric.name, {}).values())
        for judge, judgements in _by_judge(plan, rubric, made).items():
            yield score_criterion(rubric, {judge: judgements}, n_skipped=n_skipped)


def _by_judge(plan: _Plan, rubric: Rubric, made: Sequence[Judgement]) -> dict[str, list[Judgement]]:
    ours = [one for one in made if one.criterion == rubric.name]
    return {judge.name: [one for one in ours if one.judge == judge.name] for judge in plan.judges}
