"""A long run against a server with every fault, storms of refusals and restarts; nothing may be lost.

    python tests/long/soak_served.py [--calls 20000] [--fault-rate 0.15]

Three parts, each a number of `callwright eval`. Each fault is tried alone. A server without faults is killed amid a
run, begins again refusing every request for some seconds, is killed again, and goes on as before: the rate must be back
within 5 s. (With faults at every seventh request, some of which ask to wait a second, the rate of one second is a
fraction or a multiple of the next, storm or not.) The same befalls a long run with every fault. Prints how its rollouts
ended and the most memory it took.

Ends with a code other than 0 when the rate is not back in time, the memory goes beyond 200 MB, or a rollout is lost,
ends in a class that no fault stands for, or is blamed on anyone but the model.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

import callwright  # noqa: E402
from callwright.app.evaluation import evaluate_model  # noqa: E402
from callwright.errors import ModelUnavailable  # noqa: E402
from served_soak import MEANS, ROLE, Client, Server, ends, once, rate, wait_for_replies  # noqa: E402
from serving import serving  # noqa: E402

_DIALOGUES = 300
_CALLS_A_ROLLOUT = 3
_FAULTY = ("--stall-s", "5", "--slow-s", "1")
_STEADY = ("--latency-ms", "200")
_STEADY_TRIALS = 12
_STORM = ("--faults", "rate-limit=0.5,retry-after=0.5")
_STORM_S = 5.0
_BACK = 0.8
_BACK_WITHIN_S = 5.0
_MOST_MB = 200.0


def try_each_fault(made: Path, top: Path) -> None:
    """One fault at a time, at every request: the class it stands for, and no other."""
    for fault, kind in MEANS.items():
        out = top / f"only-{fault}"
        # where the whole run stops, what ended before that is kept
        with serving(faults=f"{fault}=1") as (url, _), contextlib.suppress(ModelUnavailable):
            evaluate_model(made, "static", model="openai/any", base_url=url, out=out, patience=once(fault), limit=4)
        found = ends(out)
        assert set(found.failed) <= {(kind, ROLE)}, (fault, found)
        print(f"  {fault:17} {kind or 'a reply, scored as it is'}", flush=True)


def raise_storm(server: Server, *usual: str) -> None:
    """Kill the server, refuse every request for some seconds, and go on as usual."""
    server.kill()
    time.sleep(1)
    server.begin(*_STORM)
    time.sleep(_STORM_S)
    server.kill()
    server.begin(*usual)


def weather_a_storm(made: Path, top: Path, *, concurrency: int) -> None:
    """The rate before a storm is there again soon after it."""
    with Server() as server:
        server.begin(*_STEADY)
        options = ("--trials", str(_STEADY_TRIALS), "--concurrency", str(concurrency))
        client = Client(made, server.url, top / "storm", *options)
        wait_for_replies(server, client, 10 * concurrency)
        before = rate(server, 3)
        raise_storm(server, *_STEADY)
        ended = time.monotonic()
        back = None
        while back is None and client.is_at_work() and time.monotonic() - ended < 4 * _BACK_WITHIN_S:
            if rate(server, 0.5) >= _BACK * before:
                back = time.monotonic() - ended
        result = client.result()
    told = "never" if back is None else f"{back:.1f} s after it"
    print(f"{before:,.0f} replies/s before the storm; {_BACK:.0%} of it again: {told}", flush=True)
    assert back is not None
    assert back <= _BACK_WITHIN_S, "the rate is not back in time"
    assert (result["failed"], result["done"]) == ({}, result["planned"])


def soak(made: Path, top: Path, *, calls: int, fault_rate: float, concurrency: int) -> None:
    trials = -(-calls // (_CALLS_A_ROLLOUT * len(callwright.open_dataset(made).dialogues)))
    faulty = ("--fault-rate", str(fault_rate), *_FAULTY)
    with Server() as server:
        server.begin(*faulty)
        options = ("--trials", str(trials), "--concurrency", str(concurrency), "--timeout", "4")
        client = Client(made, server.url, top / "run", *options)
        peak = 0.0
        wait_for_replies(server, client, calls // 5)
        raise_storm(server, *faulty)
        while client.is_at_work():
            peak = max(peak, client.peak_mb())
            time.sleep(0.05)
        result = client.result()
    found = ends(top / "run")
    total = found.ok + sum(found.failed.values())
    print(f"{result['calls']:,} calls, {total:,} rollouts: {found.ok:,} ok, failed {found.failed}")
    print(f"faults met: {result['faults']}")
    print(f"peak memory of the client {peak:,.0f} MB")
    assert peak <= _MOST_MB, "it took too much memory"
    assert total == result["planned"], "a rollout is lost"
    assert {role for _, role in found.failed} <= {ROLE}
    assert {kind for kind, _ in found.failed} <= {*MEANS.values()} - {""}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--fault-rate", type=float, default=0.15)
    parser.add_argument("--concurrency", type=int, default=64)
    options = parser.parse_args()
    top = Path(tempfile.mkdtemp())
    callwright.synthesize("diaforge", "builtin/enterprise", n=_DIALOGUES, seed=7, out=top / "ds")
    print("each fault alone, and what it becomes:")
    try_each_fault(top / "ds", top)
    weather_a_storm(top / "ds", top, concurrency=options.concurrency)
    soak(top / "ds", top, calls=options.calls, fault_rate=options.fault_rate, concurrency=options.concurrency)
    shutil.rmtree(top)
    return 0


if __name__ == "__main__":
    sys.exit(main())
