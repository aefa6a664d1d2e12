"""Rolling out: the same result for any number of processes, and nothing lost when something goes wrong."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from engine_jobs import (
    EchoModel,
    FunctionJob,
    draw,
    ids,
    make_conversations,
    make_draws,
    make_failures,
    make_murder,
    make_sleepers,
    make_unbuildable_in_workers,
    make_unprintable,
    request,
)
from engine_processes import all_ended, session_members

from callwright.engine.context import Context
from callwright.engine.job import JobMaker, Processes
from callwright.engine.progress import Progress
from callwright.engine.roll_out import Execution, Tally, roll_out
from callwright.engine.stop import StopSignal
from callwright.errors import CallwrightError, Interrupted, RunConflict, StorageFailed
from callwright.store.outcome import Outcome
from callwright.store.run import Run

HERE = Path(__file__).parent
SCRIPT = """
import os, signal, sys, time
sys.path.insert(0, sys.argv[1])
import engine_jobs
from callwright.engine.roll_out import Execution
from callwright.engine.job import Processes
from callwright.engine.roll_out import roll_out
from callwright.errors import CallwrightError
from callwright.store.run import Run

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell may have it ignored
    folder, maker, payload, workers = sys.argv[2:6]
    with Run.open(folder, kind="test", config={}) as run:
        try:
            make = getattr(engine_jobs, maker)
            tally = roll_out(
                make(payload.encode()), run, seed=1, processes=Processes(int(workers), make, payload.encode()),
                execution=Execution(concurrency=4, progress=lambda progress: print("going", flush=True)),
            )
            print("done", tally.ok, flush=True)
        except CallwrightError as error:
            print(type(error).__name__, error, flush=True)
"""


def start(tmp_path: Path, maker: str, payload: str, *, workers: int) -> subprocess.Popen[str]:
    (tmp_path / "script.py").write_text(SCRIPT)
    arguments = [tmp_path / "script.py", HERE, tmp_path / "run", maker, payload, workers]
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)], stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def wait_until_going(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "going\n"


def roll(
    folder: Path, make: JobMaker, payload: bytes, *, workers: int = 1, trials: int = 1
) -> tuple[Tally, list[Outcome]]:
    with Run.open(folder, kind="test", config={}) as run:
        tally = roll_out(make(payload), run, seed=1, processes=Processes(workers, make, payload), trials=trials)
        return tally, list(run.outcomes())


def test_any_number_of_workers_gives_the_same_outcomes(tmp_path: Path) -> None:
    """One, two and four processes write the same outcomes, trial by trial."""
    first = roll(tmp_path / "1", make_draws, b"300", trials=2)
    assert first[0] == Tally(planned=600, ok=600, failed=0, failures={}, rolled=600)
    assert len({outcome.value for outcome in first[1]}) == 600
    for workers in (2, 4):
        assert roll(tmp_path / str(workers), make_draws, b"300", trials=2, workers=workers) == first


@pytest.mark.parametrize("workers", [1, 2])
def test_a_failing_rollout_stops_no_other(tmp_path: Path, workers: int) -> None:
    """Failures and defects are recorded with class, role and reason; the others end well."""
    tally, outcomes = roll(tmp_path, make_failures, b"30", workers=workers)
    assert (tally.ok, tally.failed) == (10, 20)
    assert tally.failures == {"author_silent": 10, "bug:ZeroDivisionError": 10}
    assert outcomes[0] == Outcome(item="item-0", value=b"fine")
    assert outcomes[1] == Outcome(item="item-1", kind="author_silent", role="author", message="no words")
    assert (outcomes[2].kind, outcomes[2].role) == ("bug:ZeroDivisionError", "engine")
    assert outcomes[2].message.startswith("ZeroDivisionError: integer division or modulo by zero (engine_jobs.py:")


def test_a_rollout_that_returns_no_bytes_has_a_defect(tmp_path: Path) -> None:
    """A rollout must return an encoded record."""

    async def rollout(index: int, ctx: Context) -> str:
        return "text"

    tally, _ = roll(tmp_path, lambda payload: FunctionJob(ids(1), rollout), b"")
    assert tally.failures == {"bug:TypeError": 1}


def test_only_what_is_owed_is_rolled_out(tmp_path: Path) -> None:
    """Rollouts that ended well are not run again; failed and missing ones are."""
    _, whole = roll(tmp_path / "whole", make_draws, b"40")
    with Run.open(tmp_path / "part", kind="test", config={}) as run:
        run.keep_ids(ids(40))
        run.put(outcomes=[*whole[:20], Outcome(item="item-30", kind="lost", role="engine")])
    tally, outcomes = roll(tmp_path / "part", make_draws, b"40", workers=2)
    assert (tally.rolled, tally.ok, tally.failed) == (20, 40, 0)
    assert outcomes == whole


def test_a_job_with_models_is_journalled_whatever_workers_say(tmp_path: Path) -> None:
    """Rollouts that ask models run in this process, so that their replies are kept."""
    tally, _ = roll(tmp_path, make_conversations, b"6", workers=2)
    assert (tally.ok, tally.asked) == (6, 18)


def test_another_jobs_items_are_a_conflict(tmp_path: Path) -> None:
    """A run of other items is not mixed with this job's."""
    roll(tmp_path, make_draws, b"3")
    with pytest.raises(RunConflict, match="it has 3, and 4 are asked for"):
        roll(tmp_path, make_draws, b"4")


def test_a_rollout_that_kills_its_worker_is_failed_alone(tmp_path: Path) -> None:
    """What a dead worker owed is rolled out again; only the rollout that kills again is failed."""
    tally, outcomes = roll(tmp_path, make_murder, b"", workers=2)
    assert (tally.ok, tally.failures) == (11, {"worker_died": 1})
    assert outcomes[5].kind == "worker_died"


def test_a_worker_killed_once_costs_nothing(tmp_path: Path) -> None:
    """After one kill the rollout is tried again and ends well."""
    tally, _ = roll(tmp_path, make_murder, str(tmp_path / "marker").encode(), workers=2)
    assert (tally.ok, tally.failed) == (12, 0)


def test_a_job_that_workers_cannot_build_is_one_clear_error(tmp_path: Path) -> None:
    """The reason comes from the worker to the caller."""
    with pytest.raises(CallwrightError, match="could not build its job: ValueError: no such file"):
        roll(tmp_path, make_unbuildable_in_workers, str(os.getpid()).encode(), workers=2)


def test_workers_that_cannot_start_are_one_clear_error(tmp_path: Path) -> None:
    """A script without a main guard is told about it."""
    script = f"""
        import sys
        sys.path.insert(0, {str(HERE)!r})
        import engine_jobs
        from callwright.engine.job import Processes
        from callwright.engine.roll_out import roll_out
        from callwright.store.run import Run
        make = engine_jobs.make_draws
        with Run.open({str(tmp_path / "run")!r}, kind="test", config={{}}) as run:
            roll_out(make(b"100"), run, seed=1, processes=Processes(2, make, b"100"))
    """
    (tmp_path / "script.py").write_text(textwrap.dedent(script))
    ended = subprocess.run([sys.executable, str(tmp_path / "script.py")], capture_output=True, text=True, check=False)
    assert "call it under `if __name__ == '__main__':`" in ended.stderr.splitlines()[-1]


def test_it_works_inside_a_running_loop(tmp_path: Path) -> None:
    """In a notebook, where a loop is running, the same call works."""

    async def cell() -> Tally:
        return roll(tmp_path, make_conversations, b"5")[0]

    assert asyncio.run(cell()).ok == 5


def test_an_error_inside_a_running_loop_reaches_the_caller(tmp_path: Path) -> None:
    """What ends a run is raised to the caller, thread or not."""

    async def cell() -> None:
        stop = StopSignal()
        stop.request()
        with Run.open(tmp_path, kind="test", config={}) as run:
            roll_out(make_draws(b"5"), run, seed=1, stop=stop)

    with pytest.raises(Interrupted, match="stopped with 0 of 5 rollouts done"):
        asyncio.run(cell())


def test_progress_is_told_as_data(tmp_path: Path) -> None:
    """The last thing told is the end: all done, none left."""
    told: list[Progress] = []
    with Run.open(tmp_path, kind="test", config={}) as run:
        roll_out(make_failures(b"9"), run, seed=1, execution=Execution(progress=told.append))
    assert (told[-1].total, told[-1].ok, told[-1].failed, told[-1].done) == (9, 3, 6, 9)
    assert told[-1].rate > 0
    assert told[-1].left_s == 0


def test_stopping_finishes_calls_in_flight_and_asks_nothing_new(tmp_path: Path) -> None:
    """After the first request to stop, replies under way are kept, no other call begins, and a rerun goes on."""
    stop = StopSignal()
    model = EchoModel(lambda: 0.02)

    async def rollout(index: int, ctx: Context) -> bytes:
        for turn in range(3):
            reply = await ctx.at(f"{turn}").ask("model", request(f"{index} {turn}"))
            if turn == 1:
                stop.request() if not stop.requested else None
        return reply.content.encode()

    job = FunctionJob(ids(10), rollout, {"model": model})
    with Run.open(tmp_path, kind="test", config={}) as run:
        with pytest.raises(Interrupted, match=r"0 of 10 rollouts done.*Run the same command again"):
            roll_out(job, run, seed=1, execution=Execution(concurrency=5), stop=stop)
        assert len(list(run.replies())) == len(model.asked) == 10
        tally = roll_out(job, run, seed=1, execution=Execution(concurrency=5), stop=StopSignal())
    assert (tally.ok, tally.replayed, tally.asked) == (10, 10, 20)


def test_stopping_keeps_replies_that_nobody_waits_for(tmp_path: Path) -> None:
    """A call in flight beside the one that was refused is finished and kept, though its rollout has ended."""
    stop = StopSignal()

    async def rollout(index: int, ctx: Context) -> bytes:
        async def slow() -> None:
            await ctx.at("slow").ask("model", request("slow"))

        async def refused() -> None:
            await asyncio.sleep(0)
            stop.request()
            await ctx.at("refused").ask("model", request("refused"))

        await asyncio.gather(slow(), refused())
        return b""

    model = EchoModel(lambda: 0.05)
    with Run.open(tmp_path, kind="test", config={}) as run:
        with pytest.raises(Interrupted):
            roll_out(FunctionJob(ids(1), rollout, {"model": model}), run, seed=1, stop=stop)
        assert [kept.place.scope for kept in run.replies()] == ["slow@model"]
    assert model.asked == ["slow"]


def test_a_commit_that_cannot_work_ends_the_run(tmp_path: Path) -> None:
    """Whatever refuses a commit is raised; nobody waits for ever for a reply."""

    async def rollout(index: int, ctx: Context) -> bytes:
        await ctx.at("\ud800").ask("model", request("x"))
        return b""

    with pytest.raises(UnicodeEncodeError):
        roll(tmp_path, lambda payload: FunctionJob(ids(3), rollout, {"model": EchoModel()}), b"")


@pytest.mark.parametrize("workers", [1, 2])
def test_unprintable_messages_of_failures_are_kept_readable(tmp_path: Path, workers: int) -> None:
    """A lone surrogate in an error's message fails neither the worker nor the commit."""
    tally, outcomes = roll(tmp_path, make_unprintable, b"", workers=workers)
    assert tally.failures == {"odd": 3}
    assert outcomes[0].message == "bad ?"


def test_insisting_cancels_calls_in_flight(tmp_path: Path) -> None:
    """After the second request nothing is waited for, and what was done is kept."""
    stop = StopSignal()

    async def rollout(index: int, ctx: Context) -> bytes:
        if index == 1:
            stop.request()
            stop.request()
            await asyncio.sleep(600)
        return b"done"

    job = FunctionJob(ids(3), rollout)
    with Run.open(tmp_path, kind="test", config={}) as run:
        with pytest.raises(Interrupted):
            roll_out(job, run, seed=1, execution=Execution(concurrency=2), stop=stop)
        assert run.done() == {("item-0", 0)}


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_cleanly_and_the_same_command_goes_on(tmp_path: Path, workers: int, number: int) -> None:
    """Ctrl-C to the whole process group commits what is done, says how to go on, leaves no process and no log."""
    process = start(tmp_path, "make_sleepers", "0.005", workers=workers)
    wait_until_going(process)
    os.killpg(process.pid, number)
    told = process.communicate(timeout=20)[0].splitlines()[-1]
    assert told.startswith("Interrupted stopped with ")
    assert all_ended(process.pid)
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["run.db", "run.lock"]
    with Run.read(tmp_path / "run") as run:
        assert f"stopped with {len(run.done())} of 400" in told
        assert 0 < len(run.done()) < 400
    assert roll(tmp_path / "run", make_sleepers, b"0")[0].ok == 400


@pytest.mark.parametrize("workers", [1, 2])
def test_a_second_signal_ends_long_rollouts(tmp_path: Path, workers: int) -> None:
    """Workers in a long rollout end at once when the user insists; alone, the process ends after its rollout."""
    process = start(tmp_path, "make_announced_sleepers", "0.4" if workers == 1 else "30", workers=workers)
    wait_until_going(process)
    for _ in range(2):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.2)
    assert process.communicate(timeout=10)[0].splitlines()[-1].startswith("Interrupted")
    assert all_ended(process.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_workers_die_with_their_parent(tmp_path: Path) -> None:
    """After kill -9 of the parent no worker is left, also amid a long rollout."""
    process = start(tmp_path, "make_sleepers", "1", workers=2)
    wait_until_going(process)
    assert len(session_members(process.pid)) >= 3
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert all_ended(process.pid)


@pytest.mark.parametrize(("maker", "workers"), [("make_conversations", 1), ("make_draws", 2)])
def test_kill_9_and_the_same_command_give_the_same_run(tmp_path: Path, maker: str, workers: int) -> None:
    """Killed at a few moments and started again, a run ends with the same outcomes and replies as an unbroken one."""
    import engine_jobs

    make = getattr(engine_jobs, maker)
    roll(tmp_path / "whole", make, b"6000")
    kills = 0
    for wait_s in (0.3, 0.35, 0.4):
        process = start(tmp_path, maker, "6000", workers=workers)
        time.sleep(wait_s)
        if process.poll() is None:
            kills += 1
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert kills > 0
    roll(tmp_path / "run", make, b"6000")
    with Run.read(tmp_path / "whole") as whole, Run.read(tmp_path / "run") as broken:
        assert list(whole.outcomes()) == list(broken.outcomes())
        assert list(whole.replies()) == list(broken.replies())


@pytest.mark.parametrize(("maker", "workers"), [("make_conversations", 1), ("make_draws", 1), ("make_draws", 2)])
def test_a_full_disk_ends_the_run_with_one_error(tmp_path: Path, maker: str, workers: int) -> None:
    """When the disk takes no more, StorageFailed ends the run; later the same command finishes it."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, before[1]))
    try:
        with pytest.raises(StorageFailed, match="free some space"):
            roll(tmp_path, getattr(sys.modules["engine_jobs"], maker), b"3000", workers=workers)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    tally, outcomes = roll(tmp_path, getattr(sys.modules["engine_jobs"], maker), b"3000")
    assert (tally.ok, len(outcomes)) == (3000, 3000)
    assert tally.rolled <= 3000


def test_results_do_not_depend_on_the_lanes(tmp_path: Path) -> None:
    """A job without models gives the same with one rollout at a time and with many."""
    outcomes = []
    for concurrency in (1, 50):
        with Run.open(tmp_path / str(concurrency), kind="test", config={}) as run:
            roll_out(FunctionJob(ids(60), draw), run, seed=1, execution=Execution(concurrency=concurrency))
            outcomes.append(list(run.outcomes()))
    assert outcomes[0] == outcomes[1]
