"""Doors to servers: who may ask now."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from engine_jobs import EchoModel, request

from callwright.engine import admission as admission_module
from callwright.engine.admission import Admission
from callwright.engine.budget import Account, Budget
from callwright.engine.stop import StopSignal
from callwright.errors import BudgetSpent, Interrupted, ModelUnavailable, RolloutFailed
from callwright.models.attempts import Attempt, AttemptObserver, FailureKind, Gate
from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.prices import Prices
from callwright.store.run import Run

PRICES = Prices(models={})


class Flights:
    """Calls in flight, and the most there were; the first `refusals` attempts are refused."""

    def __init__(self, refusals: int = 0) -> None:
        self.now = self.most = 0
        self.refusals = refusals


class Counting:
    """A served model that counts its calls in flight."""

    def __init__(
        self, name: str, flights: Flights, *, observer: AttemptObserver | None = None, gate: Gate | None = None
    ) -> None:
        self.name = name
        self.flights = flights
        self.observer, self.gate = observer, gate

    def observed_by(self, observer: AttemptObserver, *, gate: Gate | None = None) -> Counting:
        return Counting(self.name, self.flights, observer=observer, gate=gate)

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        flights = self.flights
        assert self.gate
        assert self.observer
        while True:
            async with self.gate.passage("model", 10):
                flights.now += 1
                flights.most = max(flights.most, flights.now)
                await asyncio.sleep(0.001)
                flights.now -= 1
            failure: FailureKind | None = "rate_limited" if flights.refusals else None
            self.observer.on_attempt(Attempt(model=self.name, role="model", failure=failure, seconds=0.001))
            if failure is None:
                return ChatReply(content="yes")
            flights.refusals -= 1


def admit(tmp_path: Path, ask: Callable[[Admission, StopSignal], object], *, ceiling: int) -> Account:
    stop = StopSignal()
    with Run.open(tmp_path / "run", kind="test", config={}) as run:
        account = Account(run, PRICES)
        asyncio.run(ask(Admission(ceiling=ceiling, account=account, budget=None, stop=stop), stop))  # type: ignore[arg-type]
    return account


def test_the_ceiling_holds_for_all_servers_together(tmp_path: Path) -> None:
    """Connections are the process's, whoever they lead to."""
    flights = Flights()
    models = [Counting("a", flights), Counting("b", flights)]

    async def ask(admission: Admission, stop: StopSignal) -> None:
        gated = [admission.gated(model) for model in models]
        await asyncio.gather(*(gated[at % 2].reply(request("x"), Random(0)) for at in range(200)))

    account = admit(tmp_path, ask, ceiling=5)
    assert flights.most == 5
    assert account.bill().calls == 200


def test_a_refused_server_is_asked_by_fewer_at_once_and_everyone_gets_through(tmp_path: Path) -> None:
    """Retries pass the door like first attempts."""
    model = Counting("a", Flights(refusals=100))

    async def ask(admission: Admission, stop: StopSignal) -> None:
        gated = admission.gated(model)
        await asyncio.gather(*(gated.reply(request("x"), Random(0)) for _ in range(64)))

    account = admit(tmp_path, ask, ceiling=64)
    assert account.bill().faults == {"rate_limited": 100}
    assert account.bill().calls == 164
    assert min(change.limit for change in account.paces["a"].history) < 64


def test_a_model_is_gated_once(tmp_path: Path) -> None:
    """And one in this process, which makes no attempts, is left as it is."""
    served, builtin = Counting("a", Flights()), EchoModel()

    async def ask(admission: Admission, stop: StopSignal) -> None:
        assert admission.gated(served) is admission.gated(served) is not served
        assert admission.gated(builtin) is builtin is admission.gated(builtin)

    admit(tmp_path, ask, ceiling=1)


def test_whoever_waits_when_the_user_stops_is_sent_home(tmp_path: Path) -> None:
    """Calls in flight end as they would."""
    model = Counting("a", Flights())

    async def ask(admission: Admission, stop: StopSignal) -> None:
        gated = admission.gated(model)
        asked = [asyncio.create_task(gated.reply(request("x"), Random(0))) for _ in range(5)]
        await asyncio.sleep(0)
        stop.request()
        ended = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(one) for one in ended] == [ChatReply, *[Interrupted] * 4]

    admit(tmp_path, ask, ceiling=1)


def test_a_pause_between_attempts_ends_when_no_further_one_can_be_made(tmp_path: Path) -> None:
    """Neither Ctrl-C nor the end of a run waits for minutes in which nothing is sent."""

    async def rest(admission: Admission) -> None:
        gated = admission.gated(Counting("a", Flights()))
        assert isinstance(gated, Counting)
        assert gated.gate
        await gated.gate.rest(600)

    async def stopped(admission: Admission, stop: StopSignal) -> None:
        resting = asyncio.create_task(rest(admission))
        await asyncio.sleep(0)
        stop.request()
        with pytest.raises(Interrupted):
            await asyncio.wait_for(resting, 30)

    async def closed(admission: Admission, stop: StopSignal) -> None:
        resting = asyncio.create_task(rest(admission))
        await asyncio.sleep(0)
        admission.why_closed = "no server"
        with pytest.raises(ModelUnavailable, match="no server"):
            await asyncio.wait_for(resting, 30)

    admit(tmp_path / "stopped", stopped, ceiling=1)
    admit(tmp_path / "closed", closed, ceiling=1)


def refused(kind: str) -> RolloutFailed:
    return RolloutFailed(f"{kind}: no", kind=kind, role="model")


def test_a_model_that_nobody_can_ask_is_asked_no_more(tmp_path: Path) -> None:
    """Three calls given up with no reply between, and the doors to all models stay shut."""

    async def ask(admission: Admission, stop: StopSignal) -> None:
        for _ in range(2):
            admission.given_up("a", refused("auth"))
        with pytest.raises(ModelUnavailable, match="auth: no"):
            admission.given_up("a", refused("auth"))
        with pytest.raises(ModelUnavailable, match="auth: no"):
            await admission.gated(Counting("b", Flights())).reply(request("x"), Random(0))

    admit(tmp_path, ask, ceiling=4)


def test_a_server_that_only_ever_fails_closes_the_run(tmp_path: Path) -> None:
    """Later than one that nobody can ask: a failure of its own may be of what was asked."""

    async def ask(admission: Admission, stop: StopSignal) -> None:
        for _ in range(9):
            admission.given_up("a", refused("server_error"))
        with pytest.raises(ModelUnavailable, match="server_error: no"):
            admission.given_up("a", refused("server_error"))

    admit(tmp_path, ask, ceiling=4)


def test_a_reply_shows_that_the_model_can_be_asked(tmp_path: Path) -> None:
    """What was given up before it counts no more; failures of what was asked never count."""

    async def ask(admission: Admission, stop: StopSignal) -> None:
        for _ in range(10):
            admission.given_up("a", refused("unreachable"))
            admission.given_up("a", refused("unreachable"))
            admission.given_up("a", refused("context_too_long"))
            await admission.gated(Counting("a", Flights())).reply(request("x"), Random(0))

    admit(tmp_path, ask, ceiling=4)


def test_nothing_is_sent_while_the_server_asks_to_wait(tmp_path: Path) -> None:
    """Not even what has nothing to do with the call that was refused."""
    retry_after_s = 0.3

    async def ask(admission: Admission, stop: StopSignal) -> None:
        gated = admission.gated(Counting("a", Flights()))
        assert isinstance(gated, Counting)
        assert gated.observer is not None
        gated.observer.on_attempt(
            Attempt(model="a", role="model", failure="rate_limited", seconds=0, retry_after_s=retry_after_s)
        )
        began = asyncio.get_running_loop().time()
        await gated.reply(request("x"), Random(0))
        assert asyncio.get_running_loop().time() - began >= retry_after_s

    admit(tmp_path, ask, ceiling=4)


class Paid:
    """A served model in a role of its own, each of whose replies takes as many tokens; requests are short."""

    def __init__(
        self, name: str, tokens: int, *, observer: AttemptObserver | None = None, gate: Gate | None = None
    ) -> None:
        self.name, self.tokens = name, tokens
        self.observer, self._gate = observer, gate

    def observed_by(self, observer: AttemptObserver, *, gate: Gate | None = None) -> Paid:
        return Paid(self.name, self.tokens, observer=observer, gate=gate)

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        assert self._gate
        assert self.observer
        async with self._gate.passage(self.name, 8):
            await asyncio.sleep(0.001)
        self.observer.on_attempt(
            Attempt(model=self.name, role=self.name, seconds=0.001, tokens_in=0, tokens_out=self.tokens)
        )
        return ChatReply(content="yes")


@pytest.mark.parametrize("dear", [1, 30, 900])
def test_a_dear_role_beside_a_cheap_one_stays_within_the_budget(tmp_path: Path, dear: int) -> None:
    """What a call is taken to cost is known by role; only the first of a role can be dearer than expected."""
    budget = Budget(tokens=2_000)
    with Run.open(tmp_path / "run", kind="test", config={}) as run:
        account = Account(run, PRICES)

        async def ask() -> None:
            admission = Admission(ceiling=32, account=account, budget=budget, stop=StopSignal())
            gated = [admission.gated(Paid("cheap", 10)), admission.gated(Paid("dear", dear))]
            asked = (gated[at % 2].reply(request("x"), Random(0)) for at in range(500))
            ended = await asyncio.gather(*asked, return_exceptions=True)
            assert {type(one) for one in ended} == {ChatReply, BudgetSpent}

        asyncio.run(ask())
        assert 2_000 - max(dear, 10) < account.spending.cost.tokens <= 2_000


def test_replies_that_were_not_counted_are_taken_for_the_dearest(tmp_path: Path) -> None:
    """One slip of a server does not end a budgeted run, and is not free either."""
    with Run.open(tmp_path / "run", kind="test", config={}) as run:
        account = Account(run, PRICES)
        account.on_attempt(Attempt(model="a", role="model", seconds=0))
        assert account.spending.uncounted == 1
        account.on_attempt(Attempt(model="a", role="model", seconds=0, tokens_in=40, tokens_out=2))
        assert (account.spending.uncounted, account.spending.cost.tokens) == (0, 84)


def test_a_server_that_only_ever_refuses_closes_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However soon it says that it will take calls; a reply in between keeps it open."""
    monkeypatch.setattr(admission_module, "_REFUSING_S", 0.05)

    async def ask(admission: Admission, stop: StopSignal) -> None:
        for refusals, ending in ((4, ChatReply), (10**6, ModelUnavailable)):
            gated = admission.gated(Counting(f"after {refusals}", Flights(refusals)))
            asked = (gated.reply(request("x"), Random(0)) for _ in range(3))
            ended = await asyncio.gather(*asked, return_exceptions=True)
            assert {type(one) for one in ended} == {ending}

    admit(tmp_path, ask, ceiling=4)
