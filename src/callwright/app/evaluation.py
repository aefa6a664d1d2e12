"""Evaluation: one model through a dataset, in a run folder that holds all that its scores need."""

from __future__ import annotations

from pathlib import Path

import msgspec

from callwright.app.datasets import Dataset
from callwright.app.estimates import cost, estimate_evaluation, total
from callwright.app.evaluation_plan import EvaluationPlan, plan_evaluation
from callwright.app.failures import failure_examples
from callwright.app.resuming import resumable, told_when_stopped
from callwright.engine.budget import Budget
from callwright.engine.progress import ProgressCallback
from callwright.engine.roll_out import Tally, roll_out
from callwright.errors import BadInput
from callwright.formats import catalog as catalogs
from callwright.models.conversation import Calling
from callwright.models.decoding import AS_SERVED, Decoding
from callwright.models.prices import RoleUsage, read_prices
from callwright.models.retries import Patience
from callwright.protocol.evaluation_job import EvaluationJob
from callwright.protocol.run_access import KIND
from callwright.protocol.size_estimate import Estimate
from callwright.records.codec import to_line
from callwright.records.jsontext import Json
from callwright.store import dataset as folders
from callwright.store.run import Run


class RunResult(msgspec.Struct, frozen=True, kw_only=True):
    """How a run ended: `planned == done + all failed`, unless it was stopped."""

    planned: int
    """Rollouts: dialogues times trials."""
    done: int
    """Rollouts that gave a transcript."""
    failed: dict[str, int]
    """Rollouts that gave none, by class of error."""
    asked: int
    """Replies the model was asked for in this session; those of earlier ones are kept and count no more."""
    protocol: str
    model: str
    examples: dict[str, str] = {}
    """What the first failed rollout of each class said."""
    resumed: int = 0
    """Replies taken from the journal instead of asking again; like what follows, over all sessions of the run."""
    calls: int = 0
    """Requests to served models, retries included."""
    tokens: dict[str, RoleUsage] = {}
    """By role, what those requests used."""
    faults: dict[str, int] = {}
    """Requests that got no reply, by kind, retried or not."""

    @property
    def usd(self) -> dict[str, float | None]:
        """Cost by role; None where no price is known."""
        return {role: used.usd for role, used in self.tokens.items()}


class EvaluationPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What an evaluation would do; nothing is written to find out."""

    planned: int
    done: int
    """Rollouts that an earlier session left in the folder."""
    dialogues: int
    most_replies: int
    """Most replies the model can be asked for in all."""
    protocol: str
    model: str
    estimate: Estimate | None = None
    """What the whole run would use in all roles, where a server is asked."""
    roles: dict[str, Estimate] = {}
    """The same for each served role; of the live user as it would talk with `builtin/retriever`."""
    usd: float | None = None
    """What that would cost; None where no price is known or no server is asked."""


def evaluate_model(
    dataset: Dataset | str | Path,
    protocol: str,
    *,
    model: str,
    out: str | Path,
    seed: int = 0,
    trials: int = 1,
    user: str | None = None,
    voter: str | None = None,
    samples: int | None = None,
    voters: int | None = None,
    prompts: str | Path | None = None,
    base_url: str | None = None,
    calling: Calling | None = None,
    decoding: Decoding = AS_SERVED,
    patience: Patience | None = None,
    prices: str | Path | None = None,
    budget: Budget | None = None,
    concurrency: int = 64,
    limit: int | None = None,
    durable: bool = False,
    progress: ProgressCallback | None = None,
    **options: Json,
) -> RunResult:
    """Put a model through the dialogues of a dataset and keep every transcript in the run folder `out`.

    `protocol` is the name of a protocol, such as `static` or `dynamic`; `options` are its own, such as
    `t_max` (most exchanges) and `user_style` of the dynamic one. Each dialogue is rolled out `trials` times,
    `concurrency` rollouts at once; `limit` takes the first dialogues only. A model `openai/NAME` lives at `base_url`
    (None: at OpenAI), which `openai/NAME@URL` overrides. `user` is such a model that words the live user's turns (None:
    a seeded grammar), and `voter` one that elects: then each turn is written `samples` times (3), and `voters` (3)
    choose, each shown an order of its own; `prompts` is a folder of files in place of bundled prompts. `calling` is
    `native` (the default) or `prompted`, `decoding` says how the model under test draws its words, `patience` says how
    long to wait and how often to try, and `prices` is a file like that of `callwright.models.prices`. `budget` holds
    for all sessions of the run together; calls in flight adapt to what the server bears, under `concurrency`. Call
    again to go on after an interruption, or to try failed rollouts again; on a finished folder nothing is asked again.
    Scores come from `score_runs`.

    Raises BadInput for wrong arguments and data the protocol cannot run on (RunConflict where the folder holds another
    run, or another process is at work there); StorageFailed when the disk refuses; Interrupted after Ctrl-C;
    BudgetSpent when no further call fits the budget; ModelUnavailable when a model cannot be asked at all. The last
    three carry the result so far as `result`.
    """
    plan = plan_evaluation(
        dataset,
        protocol,
        options,
        model=model,
        seed=seed,
        trials=trials,
        user=user,
        voter=voter,
        samples=samples,
        voters=voters,
        prompts=prompts,
        base_url=base_url,
        calling=calling,
        decoding=decoding,
        patience=patience,
        limit=limit,
    )
    if concurrency < 1:
        raise BadInput(f"concurrency is {concurrency}; at least 1 is needed.")
    folder = Path(out)
    _refuse_dataset(folder)
    catalog = catalogs.write(plan.catalog)
    listed = read_prices(prices)
    with resumable(folder), Run.open(folder, kind=KIND, config=plan.config, durable=durable) as run:
        run.put_items((dialogue.id, to_line(dialogue)) for dialogue in plan.dialogues)
        if run.get_blob(folders.CATALOG) != catalog:
            run.put_blob(folders.CATALOG, catalog)
        with told_when_stopped(lambda tally: _result(plan, run, tally)):
            tally = roll_out(
                lambda _: EvaluationJob(plan.protocol, plan.setting, plan.catalog, plan.dialogues),
                b"",
                run,
                seed=seed,
                concurrency=concurrency,
                trials=trials,
                voice=plan.live.voice if plan.live else None,
                prices=listed,
                budget=budget,
                progress=progress,
            )
        return _result(plan, run, tally)


def preview_evaluation(
    dataset: Dataset | str | Path,
    protocol: str,
    *,
    model: str,
    out: str | Path,
    seed: int = 0,
    trials: int = 1,
    user: str | None = None,
    voter: str | None = None,
    samples: int | None = None,
    voters: int | None = None,
    prompts: str | Path | None = None,
    base_url: str | None = None,
    calling: Calling | None = None,
    decoding: Decoding = AS_SERVED,
    prices: str | Path | None = None,
    limit: int | None = None,
    **options: Json,
) -> EvaluationPreview:
    """Return what `evaluate_model` with the same arguments would do, and raise what it would raise; writes nothing."""
    plan = plan_evaluation(
        dataset,
        protocol,
        options,
        model=model,
        seed=seed,
        trials=trials,
        user=user,
        voter=voter,
        samples=samples,
        voters=voters,
        prompts=prompts,
        base_url=base_url,
        calling=calling,
        decoding=decoding,
        patience=None,
        limit=limit,
    )
    _refuse_dataset(Path(out))
    roles = estimate_evaluation(plan)
    models = {"model": plan.setting.model, "user": plan.setting.user, "voter": plan.setting.voter}
    return EvaluationPreview(
        planned=plan.planned,
        done=_done(Path(out), plan.config),
        dialogues=len(plan.dialogues),
        most_replies=plan.most_replies,
        protocol=plan.setting.protocol,
        model=plan.setting.model,
        estimate=total(roles),
        roles=roles,
        usd=cost(roles, models, read_prices(prices)),
    )


def _result(plan: EvaluationPlan, run: Run, tally: Tally) -> RunResult:
    return RunResult(
        planned=tally.planned,
        done=tally.ok,
        failed=tally.failures,
        asked=tally.asked,
        protocol=plan.setting.protocol,
        model=plan.setting.model,
        examples=failure_examples(run),
        resumed=tally.bill.resumed,
        calls=tally.bill.calls,
        tokens=tally.bill.roles,
        faults=tally.bill.faults,
    )


def _refuse_dataset(folder: Path) -> None:
    if (folder / folders.DIALOGUES).exists():
        raise BadInput(f"{folder}: this folder holds a dataset. Choose another folder for the run.")


def _done(folder: Path, config: dict[str, Json]) -> int:
    if not (folder / "run.db").is_file():
        return 0
    with Run.read(folder) as run:
        run.match(kind=KIND, config=config)
        return len(run.done())
