"""Runs that ask real servers: nothing is lost, everything is counted, the budget holds."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from callwright.app.evaluation import RunResult, evaluate_model, preview_evaluation
from callwright.app.requests import EvaluationRequest, read_request
from callwright.engine.budget import Budget, read_bill, read_paces
from callwright.engine.progress import Progress
from callwright.errors import BadInput, BudgetSpent, Interrupted
from callwright.models.conversation import Calling
from callwright.models.retries import Patience
from callwright.protocol.run_access import open_run
from callwright.store.run import Run
from fake_server import FakeServer, completion, refuses, says
from serving import serving

QUICK = Patience(connect_s=5, idle_s=5, total_s=20, tries=6, first_pause_s=0.01, longest_pause_s=0.05)
PATIENT = Patience(tries=50, first_pause_s=0.01, longest_pause_s=0.05)
ONCE = Patience(connect_s=5, idle_s=5, total_s=20, tries=1)
PRICES = '{"models": {"openai/any": {"input": 1000, "output": 0}}}'


def evaluate(made: Path, url: str, out: Path, **options) -> RunResult:  # type: ignore[no-untyped-def]
    options = {"patience": QUICK, "limit": 20, **options}
    return evaluate_model(made, "dynamic", model="openai/any", base_url=url, out=out, **options)


def ends(out: Path) -> tuple[int, int]:
    """How many rollouts of the run ended ok, and how many failed."""
    view = open_run(out)
    return len(view.transcripts), len(view.failed)


@pytest.mark.parametrize("protocol", ["static", "dynamic"])
def test_a_model_prompted_to_call_calls_as_it_does_natively(made: Path, tmp_path: Path, protocol: str) -> None:
    """The same calls in the same turns of each transcript, and of no form that is wrong."""

    def calls(calling: Calling) -> list[list[list[tuple[str, str]]]]:
        run = tmp_path / calling
        evaluate_model(made, protocol, model="openai/any", base_url=url, calling=calling, out=run, limit=8)
        told = open_run(run).transcripts
        assert not any(one.format_errors for one in told)
        return [[[(call.tool, call.arguments) for call in turn.calls] for turn in one.turns] for one in told]

    with serving() as (url, _):
        native, prompted = calls("native"), calls("prompted")
    assert prompted == native
    assert any(any(turns) for turns in native)


def test_with_every_fault_each_rollout_ends_ok_or_failed(made: Path, tmp_path: Path) -> None:
    """None is lost, and those that failed say why and who is to blame."""
    with serving(rate=0.15) as (url, tally):
        result = evaluate(made, url, tmp_path / "run", patience=ONCE, limit=None)
        requests = tally.summary().requests
    assert sum(ends(tmp_path / "run")) == result.planned == result.done + sum(result.failed.values())
    assert result.failed
    with Run.read(tmp_path / "run") as run:
        failed = [one for one in run.outcomes() if not one.ok]
    assert {one.role for one in failed} == {"model"}
    assert {one.kind for one in failed} <= {"rate_limited", "server_error", "unreachable", "bad_reply"}
    assert result.calls == requests
    assert sum(result.faults.values()) == sum(result.failed.values())


def test_failed_rollouts_are_tried_again_and_then_equal_those_of_a_good_server(made: Path, tmp_path: Path) -> None:
    """What was answered is replayed and counted as resumed; calls add up over sessions."""
    run = tmp_path / "run"
    with serving(faults="error-500=0.2") as (url, tally):
        first = evaluate(made, url, run, patience=ONCE)
        second = evaluate(made, url, run)
        assert tally.summary().asked_after_reply == 0
        assert (first.calls, second.calls) != (0, first.calls)
        assert second.calls == tally.summary().requests
    assert first.failed
    assert (second.done, second.failed) == (20, {})
    assert second.resumed > 0
    with serving() as (url, _):
        evaluate(made, url, tmp_path / "good")
    turns = [[(one.dialogue, one.turns) for one in open_run(folder).transcripts] for folder in (run, tmp_path / "good")]
    assert turns[0] == turns[1]


def test_a_storm_of_refusals_is_seen_and_ridden_out(made: Path, tmp_path: Path) -> None:
    """The limit is cut, with its reason in the run's history; after the storm it is at the ceiling again."""
    storm = [refuses(429)] * 60
    with FakeServer(*storm, says(completion(content="Which one?"))).in_thread() as server:
        # five trials: enough calls after the storm for the limit to grow back, also on a busy machine
        result = evaluate(made, server.url, tmp_path / "run", limit=None, trials=5, concurrency=16, patience=PATIENT)
    assert (result.failed, result.faults) == ({}, {"rate_limited": 60})
    assert result.calls == len(server.asked)
    with Run.read(tmp_path / "run") as run:
        (session,) = read_paces(run)
    (history,) = session.values()
    assert (history[0].reason, history[0].limit) == ("start", 16)
    assert (history[1].reason, history[1].limit) == ("rate_limited", 8)
    assert (history[-1].reason, history[-1].limit) == ("grows", 16)


def test_the_ceiling_holds_at_the_server(made: Path, tmp_path: Path) -> None:
    """Never more in flight than asked for."""
    with serving(latency_s=0.01) as (url, _):
        evaluate(made, url, tmp_path / "run", concurrency=3)
    with Run.read(tmp_path / "run") as run:
        assert [change.limit for session in read_paces(run) for one in session.values() for change in one] == [3]


def test_a_budget_in_tokens_ends_the_run_and_a_higher_one_goes_on(made: Path, tmp_path: Path) -> None:
    """What was spent stays below the budget, over both sessions; nothing answered is asked again."""
    run = tmp_path / "run"
    with serving() as (url, tally):
        with pytest.raises(BudgetSpent, match=r"budget is spent: .* tokens .* higher budget .* rollouts done"):
            evaluate(made, url, run, budget=Budget(tokens=6_000))
        with Run.read(run) as opened:
            used = read_bill(opened).roles["model"]
        assert 3_000 < used.tokens_in + used.tokens_out <= 8_000
        with pytest.raises(BudgetSpent):
            evaluate(made, url, run, budget=Budget(tokens=6_000))
        assert tally.summary().requests == used.calls
        result = evaluate(made, url, run, budget=Budget(tokens=10_000_000))
        assert tally.summary().asked_after_reply == 0
    assert (result.done, result.failed) == (20, {})
    assert result.calls == tally.summary().requests
    assert result.resumed > 0


def test_a_budget_in_usd_needs_a_price(made: Path, tmp_path: Path) -> None:
    """Without one nothing is asked; with one it holds."""
    prices = tmp_path / "prices.json"
    prices.write_text(PRICES)
    with serving() as (url, tally):
        with pytest.raises(BadInput, match="price is unknown"):
            evaluate(made, url, tmp_path / "run", budget=Budget(usd=1))
        assert tally.summary().requests == 0
        with pytest.raises(BudgetSpent, match="USD used of 5 USD"):
            evaluate(made, url, tmp_path / "run", budget=Budget(usd=5), prices=prices)
    with Run.read(tmp_path / "run") as run:
        assert 3 < (read_bill(run).usd["model"] or 0) <= 6


def test_a_run_begun_without_prices_is_priced_once_they_are_known(made: Path, tmp_path: Path) -> None:
    """Tokens are kept by model, so a later session can say what all of them cost, and keep a budget."""
    prices = tmp_path / "prices.json"
    prices.write_text(PRICES)
    with serving() as (url, _):
        with pytest.raises(BudgetSpent):
            evaluate(made, url, tmp_path / "run", budget=Budget(tokens=6_000))
        with Run.read(tmp_path / "run") as run:
            assert read_bill(run).usd == {"model": None}
        result = evaluate(made, url, tmp_path / "run", budget=Budget(usd=1_000), prices=prices)
    assert result.done == 20
    assert result.usd == {"model": pytest.approx(result.tokens["model"].tokens_in / 1000)}


def test_what_no_server_counted_has_no_known_cost(made: Path, tmp_path: Path) -> None:
    """Neither with a price nor without is it 0."""
    prices = tmp_path / "prices.json"
    prices.write_text(PRICES)
    uncounted = completion(content="What do you mean?") | {"usage": None}
    with FakeServer(says(uncounted)).in_thread() as server:
        for name, listed in (("priced", prices), ("not", None)):
            result = evaluate(made, server.url, tmp_path / name, prices=listed, limit=2)
            assert result.usd == {"model": None}


def test_a_server_that_counts_no_tokens_cannot_be_kept_in_a_budget(made: Path, tmp_path: Path) -> None:
    """It is said after the first reply, which is kept."""
    uncounted = completion(content="What do you mean?") | {"usage": None}
    with FakeServer(says(uncounted)).in_thread() as server, pytest.raises(BudgetSpent, match="did not count"):
        evaluate(made, server.url, tmp_path / "run", budget=Budget(tokens=10_000))
    assert len(server.asked) == 1


def test_the_estimate_is_near_what_is_used(made: Path, tmp_path: Path) -> None:
    """Within a factor of three, for a model that behaves like the recorded assistant."""
    out = tmp_path / "run"
    with serving() as (url, _):
        request = read_request(
            EvaluationRequest, dataset=made, protocol="static", model="openai/any", base_url=url, out=out, limit=20
        )
        told = preview_evaluation(request).estimate
        used = evaluate(made, url, out)
    assert told is not None
    assert 1 / 3 < used.calls / told.calls < 3
    assert 1 / 3 < used.tokens["model"].tokens_in / told.tokens_in < 3


def test_progress_is_told_while_no_rollout_ends_and_while_calls_in_flight_are_awaited(
    made: Path, tmp_path: Path
) -> None:
    """With a slow model somebody who waits, or who pressed Ctrl-C, sees that something goes on."""
    told: list[Progress] = []

    def tell(progress: Progress) -> None:
        if not told:
            signal.raise_signal(signal.SIGINT)
        told.append(progress)

    with serving(latency_s=0.7) as (url, _), pytest.raises(Interrupted):
        evaluate_model(made, "dynamic", model="openai/any", base_url=url, out=tmp_path / "run", progress=tell)
    assert not told[0].done
    assert any(progress.is_stopping for progress in told[:-1])
