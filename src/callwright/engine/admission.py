"""Who may ask a server now: each attempt passes a door, which pace, budget and Ctrl-C open and shut."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from time import monotonic
from types import TracebackType
from typing import Final
from weakref import WeakKeyDictionary

from callwright.engine.account import Account
from callwright.engine.budget import Budget, fits, why_spent
from callwright.engine.pace import LONGEST_CLOSED_S, Pace
from callwright.engine.stop import StopSignal
from callwright.errors import BudgetSpent, Interrupted, ModelUnavailable, RolloutFailed
from callwright.models.attempts import Attempt, ObservableModel
from callwright.models.chat import ChatModel

_LONGEST_NAP_S = 0.5

_OF_THE_SERVER: Final = frozenset(
    {"auth", "no_credit", "rate_limited", "no_such_model", "no_such_route", "unreachable"},
)
"""Kinds of failure that have nothing to do with what was asked."""

_GIVEN_UP_IN_A_ROW: Final = 3
"""Calls that failed so, each after its retries, with no reply between: the next would too."""


class Admission:
    """The doors to all servers of one session."""

    def __init__(self, *, ceiling: int, account: Account, budget: Budget | None, stop: StopSignal) -> None:
        self.account = account
        self.stop = stop
        self.why_spent = ""
        """Why the budget allows no further call; empty while it does."""
        self.why_closed = ""
        """Why no call to some model would get a reply; empty while one may."""
        self.in_flight = 0
        self.ceiling = ceiling
        self._budget = budget
        self._doors: dict[str, Door] = {}
        self._given_up: Counter[str] = Counter()
        self._plain: set[type] = set()
        self._gated: dict[type, WeakKeyDictionary[ChatModel, ChatModel]] = {}

    def gated(self, model: ChatModel) -> ChatModel:
        """Return the model whose attempts pass its server's door and are accounted; one without attempts as it is."""
        if type(model) in self._plain:
            return model
        if type(model) in self._gated:
            known = self._gated[type(model)].get(model)
            if known is not None:
                return known
        if not isinstance(model, ObservableModel):  # slow, hence all that comes before it
            self._plain.add(type(model))
            return model
        door = self._doors.get(model.name)
        if door is None:
            door = self._doors[model.name] = Door(self, model.name)
        gated = model.observed_by(door, gate=door)
        self._gated.setdefault(type(model), WeakKeyDictionary())[model] = gated
        return gated

    def affords(self) -> bool:
        """Whether the budget allows one more call beside those in flight; with none in flight the answer is final."""
        if self._budget is None:
            return True
        if self.why_spent:
            return False
        spent = self.account.spending
        if fits(self._budget, spent, in_flight=self.in_flight):
            return True
        if not self.in_flight:
            self.why_spent = why_spent(self._budget, spent)
        return False

    def succeeded(self, model: str) -> None:
        """Note that the model replied."""
        if self._given_up:
            self._given_up.pop(model, None)

    def shut_out(self, model: str) -> None:
        """Note that the model's server will take no call for long: the one just given up stands for all."""
        self._given_up[model] = _GIVEN_UP_IN_A_ROW - 1

    def given_up(self, model: str, error: RolloutFailed) -> None:
        """Note that a call got no reply for good. Raises ModelUnavailable where no other call would get one either."""
        if error.kind not in _OF_THE_SERVER:
            return
        self._given_up[model] += 1
        if self._given_up[model] >= _GIVEN_UP_IN_A_ROW and not self.why_closed:
            self.why_closed = str(error)
            self.wake()
        if self.why_closed:
            raise ModelUnavailable(self.why_closed) from error

    def wake(self) -> None:
        """Let every door look again: what one server leaves of ceiling and budget another may take."""
        for door in self._doors.values():
            door.wake()


class Door:
    """The door to one model on one server. Each attempt is a block inside it."""

    def __init__(self, admission: Admission, name: str) -> None:
        self._admission = admission
        self._pace = admission.account.paces[name] = Pace(ceiling=admission.ceiling, now=monotonic())
        self._in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        """Wait until one more attempt may begin. Raises Interrupted, BudgetSpent, ModelUnavailable."""
        while not self._may_enter():
            await self._nap()
        self._in_flight += 1
        self._admission.in_flight += 1

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._in_flight -= 1
        self._admission.in_flight -= 1

    def on_attempt(self, outcome: Attempt) -> None:
        """Learn from an attempt that has just left, and let others in."""
        admission, now = self._admission, monotonic()
        admission.account.on_attempt(outcome)
        if outcome.failure is None:
            admission.succeeded(outcome.model)
            self._pace.succeeded(wanted=self._in_flight + 1 + len(self._waiting), now=now)
        else:
            self._pace.failed(outcome.failure, sent=now - outcome.seconds, now=now, retry_after_s=outcome.retry_after_s)
            if not outcome.will_retry and (outcome.retry_after_s or 0) > LONGEST_CLOSED_S:
                admission.shut_out(outcome.model)
        admission.wake()

    def wake(self) -> None:
        """Wake as many as may find room."""
        room = self._pace.limit - self._in_flight
        while self._waiting and room > 0:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)
                room -= 1

    def _may_enter(self) -> bool:
        admission = self._admission
        if admission.stop.requested:
            raise Interrupted("asked to stop")
        if admission.why_closed:
            raise ModelUnavailable(admission.why_closed)
        if self._in_flight >= self._pace.limit or admission.in_flight >= admission.ceiling:
            return False
        if self._pace.closed_until > monotonic():
            return False
        if not admission.affords():
            if admission.why_spent:
                raise BudgetSpent(admission.why_spent)
            return False
        return True

    async def _nap(self) -> None:
        """Wait to be woken; not for long, since time and Ctrl-C open doors too."""
        loop = asyncio.get_running_loop()
        woken: asyncio.Future[None] = loop.create_future()
        self._waiting.append(woken)
        closed_s = self._pace.closed_until - monotonic()
        timer = loop.call_later(min(max(closed_s, 0.0) or _LONGEST_NAP_S, _LONGEST_NAP_S), _set, woken)
        try:
            await woken
        finally:
            timer.cancel()


def _set(woken: asyncio.Future[None]) -> None:
    if not woken.done():
        woken.set_result(None)
