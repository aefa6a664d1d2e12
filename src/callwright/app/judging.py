"""Judging a dataset or the transcripts of a run, by one judge or a panel, in a run that keeps every judgement.

A question is known by judge, rubric and all that is shown; what is answered is never asked again, whatever criteria,
judges and dialogues are added. The account, and with it a budget, is that of the folder over all sessions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from callwright.app.datasets import Dataset
from callwright.app.estimates import TOKENS_OF_A_JUDGEMENT, tokens_asked
from callwright.app.failures import failure_examples
from callwright.app.judges import DEFAULT_CRITERIA, Judge, check_samples, read_criteria, read_judges, served_judges
from callwright.app.resuming import resumable, told_when_stopped
from callwright.app.talks import talks_of
from callwright.engine.budget import Budget
from callwright.engine.progress import ProgressCallback
from callwright.engine.roll_out import Tally, roll_out
from callwright.errors import BadInput
from callwright.judge.asking import KIND, AskedQuestion, JudgingJob, judged, read_outcomes, units
from callwright.judge.rubric import Rubric
from callwright.judge.subject import Talk, why_skipped
from callwright.models.decoding import AS_SERVED, Decoding
from callwright.models.prices import RoleUsage, added, read_prices
from callwright.models.retries import Patience
from callwright.protocol.judged_rows import Agreement, CriterionScore, agreement, score_criterion
from callwright.protocol.kept_judgements import JUDGEMENTS, keep_rubric
from callwright.protocol.size_estimate import Estimate
from callwright.records.codec import to_line
from callwright.records.judgement import Judgement
from callwright.store.links import folder_inside
from callwright.store.run import Run

EXCLUDED = "excluded: a fault of the simulated user"

_SEED = 0


class JudgingResult(msgspec.Struct, frozen=True, kw_only=True):
    """What was judged: all judgements asked for, in order, made or failed."""

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
    examples: dict[str, str] = {}
    """What the first failed sample of each class said."""
    resumed: int = 0
    """Replies taken from the journal; like what follows, over all sessions of the folder."""
    calls: int = 0
    tokens: dict[str, RoleUsage] = {}
    faults: dict[str, int] = {}

    @property
    def usd(self) -> dict[str, float | None]:
        """Cost by role; None where no price is known."""
        return {role: used.usd for role, used in self.tokens.items()}


class JudgingPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What judging would do; nothing is written to find out."""

    items: int
    questions: int
    """Distinct questions, to all judges together."""
    samples: int
    """Samples of them that are wanted."""
    done: int
    """Samples kept from earlier sessions."""
    skipped: dict[str, dict[str, int]]
    estimate: Estimate
    """What is still to be asked."""
    usd: float | None
    """What that would cost; None where a price is not known."""


class _Plan(msgspec.Struct, frozen=True):
    folder: Path
    """Of the judgements."""
    talks: tuple[Talk, ...]
    left_out: int
    """Transcripts that are excluded."""
    rubrics: tuple[Rubric, ...]
    judges: tuple[Judge, ...]
    samples: int
    units: tuple[AskedQuestion, ...]

    @property
    def questions(self) -> list[AskedQuestion]:
        """The units without those that ask what another one asks."""
        return list({unit.id: unit for unit in reversed(self.units)}.values())[::-1]


def judge_dataset(
    data: Dataset | str | Path,
    *,
    judges: str | Sequence[str],
    criteria: str | Sequence[str] = DEFAULT_CRITERIA,
    samples: int = 1,
    base_url: str | None = None,
    decoding: Decoding = AS_SERVED,
    patience: Patience | None = None,
    prices: str | Path | None = None,
    budget: Budget | None = None,
    concurrency: int = 64,
    limit: int | None = None,
    durable: bool = False,
    progress: ProgressCallback | None = None,
) -> JudgingResult:
    """Judge the dialogues of a dataset folder, or the transcripts of a run folder, and keep every judgement there.

    `judges` are models `openai/NAME`, which live at `base_url` (None: at OpenAI) unless named `openai/NAME@URL`,
    and `decoding` says how they draw their words: one that is set differently is another judge.
    `criteria` are names of bundled criteria (see `callwright.judge.rubric.criteria`) or files of one's own. Each
    question is asked `samples` times, and the value is the mean over the samples (G-Eval). What was answered is kept
    and never asked again; what failed is asked again. `limit` takes the first dialogues only; `budget` holds for all
    judging of the folder, over all sessions.

    Raises BadInput for wrong arguments and data; RunConflict while another process judges there; StorageFailed when the
    disk refuses; Interrupted after Ctrl-C; BudgetSpent when no further call fits the budget; ModelUnavailable when a
    judge cannot be asked at all. The last three carry the result so far as `result`.
    """
    plan = _plan(data, judges, criteria, samples=samples, base_url=base_url, decoding=decoding, limit=limit)
    if concurrency < 1:
        raise BadInput(f"concurrency is {concurrency}; at least 1 is needed.")
    listed = read_prices(prices)
    asked = plan.questions
    job = JudgingJob(asked, served_judges(plan.judges, patience))
    with resumable(plan.folder), Run.open(plan.folder, kind=KIND, config={}, durable=durable) as run:
        run.add_items((unit.id, to_line(unit.planned)) for unit in asked)
        for rubric in plan.rubrics:
            keep_rubric(run, rubric)
        with told_when_stopped(lambda tally: _result(plan, run, tally)):
            tally = roll_out(
                lambda _: job,
                b"",
                run,
                seed=_SEED,
                concurrency=concurrency,
                trials=samples,
                prices=listed,
                budget=budget,
                progress=progress,
            )
        return _result(plan, run, tally)


def preview_judging(
    data: Dataset | str | Path,
    *,
    judges: str | Sequence[str],
    criteria: str | Sequence[str] = DEFAULT_CRITERIA,
    samples: int = 1,
    base_url: str | None = None,
    decoding: Decoding = AS_SERVED,
    prices: str | Path | None = None,
    limit: int | None = None,
) -> JudgingPreview:
    """Return what `judge_dataset` with the same arguments would do, and raise what it would raise; writes nothing."""
    plan = _plan(data, judges, criteria, samples=samples, base_url=base_url, decoding=decoding, limit=limit)
    listed = read_prices(prices)
    done = _done(plan.folder)
    questions = plan.questions
    left = [(unit, samples - sum((unit.id, trial) in done for trial in range(samples))) for unit in questions]
    models = {judge.name: judge.endpoint.name for judge in plan.judges}
    costs = []
    tokens_in = 0
    for unit, times in left:
        size, model = times * tokens_asked(unit), models[unit.planned.judge]
        tokens_in += size
        costs.append(listed.usd(model, tokens_in=size, tokens_out=times * TOKENS_OF_A_JUDGEMENT) if times else 0.0)
    calls = sum(times for _, times in left)
    return JudgingPreview(
        items=len(plan.talks),
        questions=len(questions),
        samples=len(questions) * samples,
        done=len(questions) * samples - calls,
        skipped=_skipped(plan),
        estimate=Estimate(calls=calls, tokens_in=tokens_in, tokens_out=calls * TOKENS_OF_A_JUDGEMENT),
        usd=added(costs),
    )


def _plan(
    data: Dataset | str | Path,
    judges: str | Sequence[str],
    criteria: str | Sequence[str],
    *,
    samples: int,
    base_url: str | None,
    decoding: Decoding,
    limit: int | None,
) -> _Plan:
    found = read_judges([judges] if isinstance(judges, str) else judges, base_url=base_url, decoding=decoding)
    rubrics = read_criteria(criteria)
    check_samples(samples)
    if limit is not None and limit < 1:
        raise BadInput(f"limit is {limit}; at least 1 is needed.")
    folder, talks, left_out = talks_of(data, limit=limit)
    if not talks and not left_out:
        raise BadInput(f"{folder}: there is nothing to judge.")
    wanted = units(talks, rubrics, [judge.name for judge in found])
    return _Plan(folder_inside(folder, JUDGEMENTS), talks, left_out, rubrics, found, samples, tuple(wanted))


def _done(folder: Path) -> set[tuple[str, int]]:
    if not (folder / "run.db").is_file():
        return set()
    with Run.read(folder) as run:
        run.match(kind=KIND, config={})
        return run.done()


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
        resumed=tally.bill.resumed,
        calls=tally.bill.calls,
        tokens=tally.bill.roles,
        faults=tally.bill.faults,
    )


def _scores(plan: _Plan, made: Sequence[Judgement]) -> Iterator[CriterionScore]:
    """The score of each criterion by each judge."""
    skipped = _skipped(plan)
    for rubric in plan.rubrics:
        n_skipped = sum(skipped.get(rubric.name, {}).values())
        for judge, judgements in _by_judge(plan, rubric, made).items():
            yield score_criterion(rubric, {judge: judgements}, n_skipped=n_skipped)


def _by_judge(plan: _Plan, rubric: Rubric, made: Sequence[Judgement]) -> dict[str, list[Judgement]]:
    ours = [one for one in made if one.criterion == rubric.name]
    return {judge.name: [one for one in ours if one.judge == judge.name] for judge in plan.judges}
