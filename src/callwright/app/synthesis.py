"""Synthesis: a recipe over a catalogue into a dataset folder, in a run that goes on wherever it was stopped."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec

from callwright import __version__
from callwright.app.estimates import cost, estimate_critics, scaled, times, total
from callwright.app.failures import failure_examples
from callwright.app.resuming import resumable, told_when_stopped
from callwright.app.synthesis_plan import KIND, SynthesisPlan, check_target, done_so_far, plan_synthesis
from callwright.app.synthesis_roles import AUTHOR_ROLE, with_roles
from callwright.author.measuring_voice import MeasuringVoice
from callwright.author.online_voice import OnlineVoice
from callwright.engine.budget import Bill, Budget, read_bill
from callwright.engine.context import Context
from callwright.engine.in_process import run_blocking
from callwright.engine.job import Voice
from callwright.engine.progress import ProgressCallback
from callwright.engine.roll_out import roll_out
from callwright.errors import BadInput, BadRecord, RolloutFailed
from callwright.formats import catalog as catalogs
from callwright.judge.asking import ROLE as JUDGE_ROLE
from callwright.models.decoding import AS_SERVED, Decoding
from callwright.models.prices import RoleUsage, read_prices
from callwright.models.retries import Patience
from callwright.protocol.kept_judgements import keep_judgements
from callwright.protocol.size_estimate import Estimate
from callwright.recipe.card import Account, card
from callwright.recipe.finished import Finished, decode_finished
from callwright.records.codec import from_line
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog
from callwright.store import dataset
from callwright.store.links import folder_inside
from callwright.store.run import Run

_COUNTS = ("planned", "kept", "rejected", "failed", "author")
_SAMPLE = 8
"""Dialogues made in memory to estimate the size of all."""


class SynthesisResult(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the planned dialogues: `planned == kept + all rejected + all failed`, unless it was stopped."""

    planned: int
    kept: int
    rejected: dict[str, int]
    """Dialogues by the first reason they were rejected for, in the order of the checks."""
    failed: dict[str, int]
    """Rollouts that gave no dialogue, by class of error."""
    author: str
    examples: dict[str, str] = {}
    """What the first failed rollout of each class said."""
    resumed: int = 0
    """Replies taken from the journal instead of asking again; like what follows, over all sessions of the run."""
    calls: int = 0
    """Requests to the author's server, retries included; 0 where no model writes."""
    tokens: dict[str, RoleUsage] = {}
    """By role, what those requests used."""
    faults: dict[str, int] = {}
    """Requests that got no reply, by kind, retried or not."""

    @property
    def usd(self) -> dict[str, float | None]:
        """Cost by role; None where no price is known."""
        return {role: used.usd for role, used in self.tokens.items()}


class SynthesisPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What a synthesis would do; nothing is written to find out."""

    planned: int
    done: int
    """Dialogues that an earlier session left in the folder."""
    tools: int
    bytes: int
    """Estimated size of the dialogues, from a few made in memory."""
    estimate: Estimate | None = None
    """What the author would be asked for, as for dialogues that the grammar words; None where no model writes."""
    usd: float | None = None
    """What that would cost; None where no price is known or no model writes."""


def synthesize(
    recipe: str,
    catalog: Catalog | str | Path,
    *,
    n: int,
    out: str | Path,
    seed: int = 0,
    workers: int = 1,
    durable: bool = False,
    author: str | None = None,
    base_url: str | None = None,
    prompts: str | Path | None = None,
    judge: str | None = None,
    criteria: str | Sequence[str] | None = None,
    decoding: Decoding = AS_SERVED,
    patience: Patience | None = None,
    prices: str | Path | None = None,
    budget: Budget | None = None,
    concurrency: int = 64,
    progress: ProgressCallback | None = None,
    **options: Json,
) -> SynthesisResult:
    """Plan `n` dialogues over a catalogue, make them, check them, and write those kept to the dataset folder `out`.

    The same arguments give the same bytes, for any number of `workers` (processes) and however often the work was
    interrupted: call again to go on. On a finished folder nothing is done. Rollouts that failed are tried again.
    `options` are those of the recipe, such as `distractors=5`. `durable` waits for the disk at every commit.

    `author` is a model `openai/NAME` that words what the rules decide (None: a seeded grammar). It lives at `base_url`
    (None: at OpenAI), which `openai/NAME@URL` overrides; `prompts` is a folder of files that take the place of bundled
    prompts, `decoding` says how it draws its words, `patience` says how long to wait for it and how often to try,
    `prices` is a file like that of `callwright.models.prices`, `budget` holds for all sessions together, and
    `concurrency` dialogues are made at once, in one process. Its replies are kept, so that going on asks for none of
    them again; another author, URL, prompt or `decoding` is another dataset.

    `judge` is a model that is put every dialogue the rules keep, by all `criteria` at once (None: those of the recipe;
    relevancy and critique of `diaforge`). What it rejects is rejected with the reason `judge_<criterion>`, and a judge
    that cannot be understood fails the rollout. Its judgements are kept in the dataset, where `judge_dataset` finds
    them.

    Raises BadInput for wrong arguments, a folder that holds something else, and files changed by hand (RunConflict
    for another configuration, or while another process is at work there); StorageFailed when the disk refuses;
    Interrupted after Ctrl-C; BudgetSpent when no further call fits the budget; ModelUnavailable when the author cannot
    be asked at all. The last three carry the result so far as `result`.
    """
    plan = plan_synthesis(
        recipe,
        catalog,
        options,
        n=n,
        seed=seed,
        author=author,
        base_url=base_url,
        prompts=prompts,
        judge=judge,
        criteria=criteria,
        decoding=decoding,
    )
    for name, number in (("workers", workers), ("concurrency", concurrency)):
        if number < 1:
            raise BadInput(f"{name} is {number}; at least 1 is needed.")
    listed = read_prices(prices)
    folder = Path(out)
    check_target(folder, plan)
    journal = folder_inside(folder, dataset.RUN)
    with resumable(folder), Run.open(journal, kind=KIND, config=plan.config, durable=durable) as run:
        if _is_finished(folder) and len(run.done()) == n:
            return _with_bill(_result(dataset.read_funnel(folder), folder), read_bill(run))
        run.put_blob(dataset.CATALOG, catalogs.write(plan.catalog))
        with told_when_stopped(lambda tally: _with_bill(_counted(run, plan), tally.bill)):
            if plan.author is None and plan.critics is None:
                tally = roll_out(plan.recipe.make, plan.payload, run, seed=seed, workers=workers, progress=progress)
            else:
                tally = roll_out(
                    partial(
                        with_roles,
                        plan.recipe.make,
                        author=plan.author,
                        critics=plan.critics,
                        catalog=plan.catalog,
                        patience=patience,
                    ),
                    plan.payload,
                    run,
                    seed=seed,
                    concurrency=concurrency,
                    voice=OnlineVoice(AUTHOR_ROLE, prompts=plan.author.prompts) if plan.author else None,
                    prices=listed,
                    budget=budget,
                    progress=progress,
                )
        return _with_bill(_publish(folder, run, plan), tally.bill)


def preview_synthesis(
    recipe: str,
    catalog: Catalog | str | Path,
    *,
    n: int,
    out: str | Path,
    seed: int = 0,
    author: str | None = None,
    base_url: str | None = None,
    prompts: str | Path | None = None,
    judge: str | None = None,
    criteria: str | Sequence[str] | None = None,
    decoding: Decoding = AS_SERVED,
    prices: str | Path | None = None,
    **options: Json,
) -> SynthesisPreview:
    """Return what `synthesize` with the same arguments would do, and raise what it would raise.

    Nothing is written and no model is asked: sizes are those of the offline author.
    """
    plan = plan_synthesis(
        recipe,
        catalog,
        options,
        n=n,
        seed=seed,
        author=author,
        base_url=base_url,
        prompts=prompts,
        judge=judge,
        criteria=criteria,
        decoding=decoding,
    )
    folder = Path(out)
    check_target(folder, plan)
    voice = MeasuringVoice(AUTHOR_ROLE, prompts=plan.author.prompts) if plan.author else None
    sample = run_blocking(_sample(plan, voice))
    average = sum(len(one.line) for one in sample) / len(sample) if sample else 0
    share = n / min(n, _SAMPLE)
    roles = {AUTHOR_ROLE: scaled(voice.sizes[AUTHOR_ROLE], share)} if voice else {}
    models = {AUTHOR_ROLE: plan.author_name}
    if plan.critics is not None:
        kept = [from_line(one.line, Dialogue, where=str(folder)) for one in sample if not one.issues]
        roles[JUDGE_ROLE] = times(estimate_critics(kept, plan.critics.rubrics, plan.catalog), share)
        models[JUDGE_ROLE] = plan.critics.judge.endpoint.name
    return SynthesisPreview(
        planned=n,
        done=done_so_far(folder, plan),
        tools=len(plan.catalog.tools),
        bytes=round(average * n),
        estimate=total(roles),
        usd=cost(roles, models, read_prices(prices)),
    )


def _with_bill(result: SynthesisResult, bill: Bill) -> SynthesisResult:
    return msgspec.structs.replace(
        result, resumed=bill.resumed, calls=bill.calls, tokens=bill.roles, faults=bill.faults
    )


async def _sample(plan: SynthesisPlan, voice: Voice | None) -> list[Finished]:
    job = plan.recipe.make(plan.payload)
    sample = []
    for index, item in enumerate(job.ids[:_SAMPLE]):
        with contextlib.suppress(RolloutFailed):
            made = await job.run(index, Context.detached(item, seed=plan.seed, voice=voice))
            sample.append(decode_finished(made))
    return sample


def _is_finished(folder: Path) -> bool:
    names = (dataset.DIALOGUES, dataset.REJECTED, dataset.CATALOG, dataset.CARD, dataset.FUNNEL)
    return all((folder / name).is_file() for name in names)


def _result(funnel: Mapping[str, Json], folder: Path) -> SynthesisResult:
    names = _COUNTS
    try:
        return msgspec.convert({name: funnel.get(name) for name in names}, SynthesisResult)
    except msgspec.ValidationError as error:
        raise BadRecord(
            f"{folder / dataset.FUNNEL}: {error}. The file was edited; remove it and run the same command again."
        ) from error


# -- from the journal to the folder ----------------------------------------------------------------------------------


def _publish(folder: Path, run: Run, plan: SynthesisPlan) -> SynthesisResult:
    """Write the dataset from the run's journal, in planned order."""
    result = _counted(run, plan)
    account = Account(
        recipe=plan.recipe.version,
        options=plan.options,
        seed=plan.seed,
        catalog=plan.catalog,
        judge=plan.critics.judge.name if plan.critics else "",
        statistics=plan.recipe.statistics(_kept_dialogues(run), plan.catalog.by_key),
        **_counts(result),
    )
    if plan.critics is not None:
        judgements = [one for finished in _finished(run) for one in finished.judgements]
        keep_judgements(folder, plan.critics.rubrics, judgements)
    dataset.write_dataset(
        folder,
        dialogues=(one.line for one in _finished(run) if not one.issues),
        rejected=(one.rejected_line for one in _finished(run) if one.issues),
        catalog=catalogs.write(plan.catalog),
        funnel=_funnel(result, plan),
        card=card(account),
    )
    return result


def _counted(run: Run, plan: SynthesisPlan) -> SynthesisResult:
    """What became of the dialogues made so far."""
    reasons = Counter(one.issues[0].code if one.issues else "" for one in _finished(run))
    kept = reasons.pop("", 0)
    return SynthesisResult(
        planned=plan.n,
        kept=kept,
        rejected=_in_order(reasons, plan.recipe.reasons),
        failed=dict(run.failures()),
        author=plan.author_name,
        examples=failure_examples(run),
    )


def _finished(run: Run) -> Iterator[Finished]:
    return (decode_finished(outcome.value) for outcome in run.outcomes() if outcome.value is not None)


def _kept_dialogues(run: Run) -> Iterator[Dialogue]:
    return (from_line(one.line, Dialogue, where=str(run.folder)) for one in _finished(run) if not one.issues)


def _in_order(reasons: Mapping[str, int], order: tuple[str, ...]) -> dict[str, int]:
    """Reasons in the order of the checks; those the recipe does not list come last, by name."""

    def place(code: str) -> tuple[int, str]:
        fits = (at for at, one in enumerate(order) if _stands_for(one, code))
        return next(fits, len(order)), code

    return {code: reasons[code] for code in sorted(reasons, key=place)}


def _stands_for(pattern: str, code: str) -> bool:
    return code == pattern or (pattern.endswith("*") and code.startswith(pattern[:-1]))


def _funnel(result: SynthesisResult, plan: SynthesisPlan) -> dict[str, Json]:
    """What `funnel.json` holds: the counts, the steps from planned to kept, and what the dataset was made with."""
    left = result.planned
    steps: list[dict[str, Json]] = [{"step": "planned", "lost": 0, "left": left}]
    lost = [(f"failed: {kind}", count) for kind, count in result.failed.items()]
    lost += [(f"rejected: {code}", count) for code, count in result.rejected.items()]
    for step, count in lost:
        left -= count
        steps.append({"step": step, "lost": count, "left": left})
    steps.append({"step": "kept", "lost": 0, "left": left})
    made_by = {"callwright": __version__, "config": plan.config}
    return {**_counts(result), "steps": steps, **made_by}


def _counts(result: SynthesisResult) -> dict[str, Json]:
    return {name: getattr(result, name) for name in _COUNTS}
