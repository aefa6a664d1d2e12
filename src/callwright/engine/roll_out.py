"""Runs all owed rollouts of a job, in one or several processes, into one run."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Final

import msgspec

from callwright.engine.admission import Admission
from callwright.engine.budget import Account, Bill, Budget
from callwright.engine.context import OfflineVoice, Voice
from callwright.engine.in_process import Lanes, run_blocking
from callwright.engine.job import Job, Processes, Unit
from callwright.engine.pool import Pool
from callwright.engine.progress import Meter, ProgressCallback
from callwright.engine.stop import StopSignal
from callwright.errors import BadInput, BudgetSpent, Interrupted, ModelUnavailable
from callwright.models.attempts import ObservableModel
from callwright.models.chat import ChatModel
from callwright.models.prices import Prices, read_prices
from callwright.store.run import Run
from callwright.store.sent_calls import SentCalls


class Execution(msgspec.Struct, frozen=True, kw_only=True):
    """How a run is worked through. It decides nothing that a rollout gives, so it is no part of the run's identity."""

    concurrency: int = 64
    """Most rollouts, and calls to one served model, at once; for a job that asks models."""
    durable: bool = False
    """Whether every commit waits for the disk."""
    prices: Prices | None = None
    """Prices of the calls; None: the bundled prices."""
    budget: Budget | None = None
    """Most that all sessions of the run together may use."""
    sent: SentCalls | None = None
    """Where calls are written down before they are sent, and what bounds their number over several runs."""
    progress: ProgressCallback | None = None
    """Told a few times a second how far the run is."""

    def __post_init__(self) -> None:
        if self.concurrency < 1:
            raise BadInput(f"concurrency is {self.concurrency}; at least 1 is needed.")


AS_USUAL = Execution()


class Tally(msgspec.Struct, frozen=True):
    """The state of a run after a session."""

    planned: int
    """Rollouts of the whole run: items times trials."""
    ok: int
    """Rollouts of the run that ended with a value."""
    failed: int
    """Rollouts of the run that failed. `ok + failed == planned` after a session that was not interrupted."""
    failures: dict[str, int]
    """Failed rollouts by class of error."""
    rolled: int
    asked: int = 0
    replayed: int = 0
    changed: int = 0
    """Places whose request differs from the journalled one, and was sent again."""
    bill: Bill = Bill()
    """Usage and cost of the calls of the whole run."""


def roll_out(
    job: Job,
    run: Run,
    *,
    seed: int,
    trials: int = 1,
    voice: Voice | None = None,
    execution: Execution = AS_USUAL,
    processes: Processes | None = None,
    stop: StopSignal | None = None,
) -> Tally:
    """Run all rollouts of `job` that `run` lacks; the result depends on neither the number of processes nor order.

    Failed rollouts are tried again and replay their replies. A job that asks models runs in this process,
    `execution.concurrency` rollouts at a time, because its replies are journalled there; any other may use several
    `processes`. `voice` performs the writing steps (None: offline). A run without items gets the job's ids as items.
    Raises Interrupted when the user asked to stop, BudgetSpent when no further call fits the budget, ModelUnavailable
    when a model cannot be asked at all (all three carry the tally as `result`), StorageFailed when the disk refuses,
    RunConflict when the run's items are not the job's; the same call goes on from there. Raises BadInput for a budget
    in USD where a model has no known price.
    """
    run.keep_ids(job.ids)
    done = run.done()
    ids = job.ids
    owed = [Unit(at, trial) for at in range(len(ids)) for trial in range(trials) if (ids[at], trial) not in done]
    planned = len(ids) * trials
    account = Account(run, execution.prices or read_prices())
    stop = stop or StopSignal()
    ceiling = min(execution.concurrency, connections_allowed())
    admission = Admission(ceiling=ceiling, account=account, budget=execution.budget, stop=stop, sent=execution.sent)
    meter = Meter(
        planned,
        ok=planned - len(owed),
        tell=execution.progress,
        usd=lambda: account.spending.cost.usd,
        is_stopping=lambda: stop.requested,
        waits_s=lambda: admission.closed_s,
    )
    journal = None
    with stop.listening():
        if (
            processes
            and processes.workers > 1
            and voice is None
            and not any(job.models(unit.position) for unit in owed)
        ):
            Pool(processes, ids, run, seed=seed, meter=meter, stop=stop).roll(owed)
        else:
            _check_priced(job, owed, account, execution.budget)
            lanes = Lanes(
                job,
                run,
                seed=seed,
                voice=voice or OfflineVoice(),
                meter=meter,
                stop=stop,
                account=account,
                admission=admission,
            )
            journal = lanes.journal
            run_blocking(lanes.roll(owed, concurrency=ceiling))
    meter.tell()
    failures = dict(run.failures())
    tally = Tally(
        planned=planned,
        ok=planned - len(owed) + meter.ok,
        failed=sum(failures.values()),
        failures=failures,
        rolled=meter.ok + meter.failed,
        asked=journal.asked if journal else 0,
        replayed=journal.replayed if journal else 0,
        changed=journal.changed if journal else 0,
        bill=account.bill(),
    )
    kept = f"{tally.ok:,} of {planned:,} rollouts done; they are kept in {run.folder}."
    if admission.why_spent:
        raise BudgetSpent(f"{admission.why_spent}. Stopped with {kept}", result=tally)
    if admission.why_closed:
        raise ModelUnavailable(f"{admission.why_closed} Stopped with {kept} {_AGAIN}", result=tally)
    if stop.requested and tally.rolled < len(owed):
        raise Interrupted(f"stopped with {kept} {_AGAIN}", result=tally)
    return tally


_AGAIN = "Run the same command again to resume."


def _check_priced(job: Job, owed: list[Unit], account: Account, budget: Budget | None) -> None:
    if owed:
        check_priced(job.models(owed[0].position).values(), account.prices, budget)


def check_priced(models: Iterable[ChatModel], prices: Prices, budget: Budget | None) -> None:
    """Raise BadInput where a budget in USD cannot work, as nobody knows what a served model costs.

    A command calls this before it makes a folder.
    """
    if budget is None or budget.usd is None:
        return
    for model in models:
        if isinstance(model, ObservableModel) and prices.usd(model.name, tokens_in=0, tokens_out=0) is None:
            raise BadInput(
                f"{model.name}: its price is unknown, so a budget in USD cannot work. Add it to a file of prices "
                "(--prices FILE), or give a budget in tokens."
            )


_KEPT_BACK: Final = 64
"""Descriptors for everything else: the database, the terminal, pipes, modules being imported."""
_WINDOWS: Final = 2_048


def connections_allowed() -> int:
    """Return the number of connections that the limit on file descriptors allows; at least 1."""
    if sys.platform == "win32":
        return _WINDOWS
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return sys.maxsize
    return max(1, soft - _KEPT_BACK)
