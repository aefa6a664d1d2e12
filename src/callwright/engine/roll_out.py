"""Rolling out a job: everything that is owed, in this process or in several, into one run."""

from __future__ import annotations

import msgspec

from callwright.engine.attempt import Unit
from callwright.engine.job import Job, JobMaker, OfflineVoice, Voice
from callwright.engine.lanes import Lanes, run_blocking
from callwright.engine.pool import Pool
from callwright.engine.progress import Meter, ProgressCallback
from callwright.engine.stop import StopSignal
from callwright.errors import Interrupted
from callwright.store.run import Run


class Tally(msgspec.Struct, frozen=True):
    """How a run stands after a session."""

    planned: int
    """Rollouts of the whole run: items times trials."""
    ok: int
    """Rollouts of the run that ended with a value."""
    failed: int
    """Rollouts of the run that failed. `ok + failed == planned` after a session that was not interrupted."""
    failures: dict[str, int]
    """Failed rollouts by class of error."""
    rolled: int
    """Rollouts of this session."""
    asked: int = 0
    """Replies this session asked models for."""
    replayed: int = 0
    """Replies it took from the journal."""
    changed: int = 0
    """Places that asked for something else than the journal answers, and were asked anew."""


def roll_out(
    make: JobMaker,
    payload: bytes,
    run: Run,
    *,
    seed: int,
    workers: int = 1,
    concurrency: int = 64,
    trials: int = 1,
    voice: Voice | None = None,
    progress: ProgressCallback | None = None,
    stop: StopSignal | None = None,
) -> Tally:
    """Roll out all that the job `make(payload)` still owes to `run`; the result depends on neither `workers` nor order.

    Owed is what has not ended with a value: rollouts that failed are tried again, replaying the replies they had.
    A job that asks models runs in this process, `concurrency` rollouts at a time, because its replies are journalled
    there; any other may use `workers` processes. `voice` speaks the writing steps (None: offline). A run without
    items gets the job's ids as its items.

    Raises Interrupted when the user asked to stop and something is still owed, StorageFailed when the disk refuses,
    RunConflict when the run's items are not the job's. In each case the same call goes on from there.
    """
    job = make(payload)
    run.keep_ids(job.ids)
    done = run.done()
    ids = job.ids
    owed = [Unit(at, trial) for at in range(len(ids)) for trial in range(trials) if (ids[at], trial) not in done]
    planned = len(ids) * trials
    meter = Meter(planned, ok=planned - len(owed), tell=progress)
    stop = stop or StopSignal()
    journal = None
    with stop.listening():
        if workers > 1 and voice is None and not _asks_models(job, owed):
            Pool(make, payload, ids, run, seed=seed, meter=meter, stop=stop).roll(owed, workers=workers)
        else:
            lanes = Lanes(job, run, seed=seed, voice=voice or OfflineVoice(), meter=meter, stop=stop)
            journal = lanes.journal
            run_blocking(lanes.roll(owed, concurrency=concurrency))
    meter.tell()
    rolled = meter.ok + meter.failed
    if stop.requested and rolled < len(owed):
        raise Interrupted(
            f"stopped with {planned - len(owed) + meter.ok:,} of {planned:,} rollouts done; they are kept in "
            f"{run.folder}. Give the same command again to go on."
        )
    failures = dict(run.failures())
    return Tally(
        planned=planned,
        ok=planned - len(owed) + meter.ok,
        failed=sum(failures.values()),
        failures=failures,
        rolled=rolled,
        asked=journal.asked if journal else 0,
        replayed=journal.replayed if journal else 0,
        changed=journal.changed if journal else 0,
    )


def _asks_models(job: Job, owed: list[Unit]) -> bool:
    return any(job.models(unit.position) for unit in owed)
