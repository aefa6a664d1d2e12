"""Admission of calls to servers: each attempt waits until pace, budget and stop signal allow it."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final
from weakref import WeakKeyDictionary

from callwright.engine.budget import Account, Budget, Cost, fits, why_spent
from callwright.engine.pace import LONGEST_CLOSED_S, Pace
from callwright.engine.stop import StopSignal
from callwright.errors import BudgetSpent, Interrupted, ModelUnavailable, RolloutFailed
from callwright.models.attempts import UNPAID, Attempt, ObservableModel
from callwright.models.chat import ChatModel
from callwright.models.refusals import advice
from callwright.store.sent_calls import SentCalls

_LONGEST_NAP_S = 0.5

_GIVEN_UP_IN_A_ROW: Final = 3
_OF_THE_SERVER: Final = {
    **dict.fromkeys(
        ("auth", "no_credit", "rate_limited", "no_such_model", "no_such_route", "bad_certificate", "unreachable"),
        _GIVEN_UP_IN_A_ROW,
    ),
    "server_error": 10,  # single ones can be caused by the request
}
"""Kinds of failure that do not depend on the request, each with the number of such failures in a row (after retries and
without a reply between) that stops the run."""

_REFUSALS: Final = 5
_REFUSING_S: Final = 60.0
"""A server that refused so many calls and took none for so many seconds is unavailable, whatever wait it requests."""

_FREE: Final = Cost()


class Admission:
    """Admission to all servers of one session."""

    def __init__(
        self, *, ceiling: int, account: Account, budget: Budget | None, stop: StopSignal, sent: SentCalls | None = None
    ) -> None:
        self.account = account
        self.stop = stop
        self.why_spent = ""
        """Why the budget allows no further call; empty while it does."""
        self.why_closed = ""
        """Why some model is unavailable; empty while all are available."""
        self.in_flight = 0
        self.ceiling = ceiling
        self._budget = budget
        self._sent = sent
        self._reserved = Cost()
        self._reserved_of: Counter[str] = Counter()
        """Calls in flight, by role; counted, like their reservations, only if there is a budget."""
        self._doors: dict[str, Door] = {}
        self._given_up: Counter[str] = Counter()
        self._plain: set[type] = set()
        self._gated: dict[type, WeakKeyDictionary[ChatModel, ChatModel]] = {}

    def gated(self, model: ChatModel) -> ChatModel:
        """Return the model with admission control and accounting; a model without attempts is unchanged."""
        if type(model) in self._plain:
            return model
        if type(model) in self._gated:
            known = self._gated[type(model)].get(model)
            if known is not None:
                return known
        if not isinstance(model, ObservableModel):  # slow, so the checks above come first
            self._plain.add(type(model))
            return model
        door = self._doors.get(model.name)
        if door is None:
            door = self._doors[model.name] = Door(self, model.name)
        gated = model.observed_by(door, gate=door)
        self._gated.setdefault(type(model), WeakKeyDictionary())[model] = gated
        return gated

    @property
    def closed_s(self) -> float:
        """Seconds until calls to a server that asked to wait resume; 0 if none asked."""
        return max((door.closed_s for door in self._doors.values()), default=0.0)

    def reserve(self, model: str, role: str, size: int) -> Cost | None:
        """Return the reservation for one more call; None if it does not fit, for good if no call is in flight.

        The first call of a role is sent alone to learn its cost.
        """
        if self._sent is not None and self._sent.is_full:
            self.why_spent = self.why_spent or ("" if self.in_flight else self._sent.why_full)
            return None
        if self._budget is None:
            return _FREE
        if self.why_spent or (self._reserved_of[role] and not self.account.knows(role)):
            return None
        call = self.account.expected(model, role, size)
        spent = self.account.spending
        if fits(self._budget, spent, reserved=self._reserved, call=call):
            self._reserved = self._reserved.plus(call)
            self._reserved_of[role] += 1
            return call
        if not self.in_flight:
            self.why_spent = why_spent(self._budget, spent)
        return None

    def sending(self, call: Cost) -> None:
        """Note that a call that was reserved is about to be sent. Raises StorageFailed."""
        if self._sent is not None:
            self._sent.begin(call.usd)

    def refused(self) -> None:
        """Note that no server will want money for a call."""
        if self._sent is not None:
            self._sent.refused()

    def release(self, role: str, call: Cost) -> None:
        if self._budget is not None:
            self._reserved_of[role] -= 1
            self._reserved = self._reserved.minus(call) if self._reserved_of.total() else Cost()

    def succeeded(self, model: str) -> None:
        if self._given_up:
            self._given_up.pop(model, None)

    def shut_out(self, model: str) -> None:
        """Note that the model's server refuses calls for a long time: the call just given up counts as all of them."""
        self._given_up[model] = _GIVEN_UP_IN_A_ROW - 1

    def given_up(self, model: str, error: RolloutFailed) -> None:
        """Note that a call failed for good. Raises ModelUnavailable if every other call would fail too."""
        enough = _OF_THE_SERVER.get(error.kind)
        if enough is None:
            return
        self._given_up[model] += 1
        if self._given_up[model] >= enough and not self.why_closed:
            self.why_closed = str(error)
            self.wake()
        if self.why_closed:
            raise ModelUnavailable(self.why_closed) from error

    def check_open(self) -> None:
        """Raise Interrupted or ModelUnavailable if no further attempt can be made."""
        if self.stop.requested:
            raise Interrupted("asked to stop")
        if self.why_closed:
            raise ModelUnavailable(self.why_closed)

    def wake(self) -> None:
        """Wake every door: another server may take the ceiling and budget that one server has released."""
        for door in self._doors.values():
            door.wake()


class Door:
    """Admission to one model on one server."""

    def __init__(self, admission: Admission, name: str) -> None:
        self._admission = admission
        self._name = name
        self._refused = 0
        """Rate-limit refusals since the last reply."""
        self._refused_since = float("inf")
        self._pace = admission.account.paces[name] = Pace(ceiling=admission.ceiling, now=monotonic())
        self._in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def closed_s(self) -> float:
        """Seconds left of the wait that the server requested."""
        return max(0.0, self._pace.closed_until - monotonic())

    @asynccontextmanager
    async def passage(self, role: str, size: int) -> AsyncIterator[None]:
        """Admit one attempt. Raises Interrupted, BudgetSpent, ModelUnavailable."""
        reserved = await self._enter(role, size)
        try:
            yield
        finally:
            self._in_flight -= 1
            self._admission.in_flight -= 1
            self._admission.release(role, reserved)

    async def rest(self, seconds: float) -> None:
        """Pause between two attempts. Raises Interrupted, ModelUnavailable if there will be no further attempt."""
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0:
            self._admission.check_open()
            await asyncio.sleep(min(left, _LONGEST_NAP_S))

    async def _enter(self, role: str, size: int) -> Cost:
        while (reserved := self._try_to_enter(role, size)) is None:
            await self._nap()
        self._admission.sending(reserved)
        self._in_flight += 1
        self._admission.in_flight += 1
        return reserved

    def on_attempt(self, outcome: Attempt) -> None:
        """Update the pace from an attempt that has just ended, and admit others."""
        admission, now = self._admission, monotonic()
        admission.account.on_attempt(outcome)
        if outcome.failure is None:
            admission.succeeded(outcome.model)
            self._refused, self._refused_since = 0, float("inf")
            self._pace.succeeded(wanted=self._in_flight + 1 + len(self._waiting), now=now)
        else:
            if outcome.failure in UNPAID:
                admission.refused()
            self._pace.failed(outcome.failure, sent=now - outcome.seconds, now=now, retry_after_s=outcome.retry_after_s)
            if not outcome.will_retry and (outcome.retry_after_s or 0) > LONGEST_CLOSED_S:
                admission.shut_out(outcome.model)
            if outcome.failure == "rate_limited":
                self._note_refusal(outcome.retry_after_s or 0.0, sent=now - outcome.seconds, now=now)
        admission.wake()

    def wake(self) -> None:
        """Wake as many waiting attempts as may fit."""
        room = self._pace.limit - self._in_flight
        while self._waiting and room > 0:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)
                room -= 1

    def _note_refusal(self, retry_after_s: float, *, sent: float, now: float) -> None:
        """Close for good if a server takes no call at all although every call waited as requested."""
        self._refused += 1
        self._refused_since = min(self._refused_since, sent)
        seconds = now - self._refused_since
        if self._refused < _REFUSALS or seconds < max(_REFUSING_S, 2 * retry_after_s) or self._admission.why_closed:
            return
        asks = f" and asks to wait {retry_after_s:,.0f} s each time" if retry_after_s else ""
        self._admission.why_closed = (
            f"{self._name} (rate_limited): the server has taken no call for {seconds:,.0f} s{asks}. "
            f"{advice('rate_limited', has_key=True)}"
        )

    def _try_to_enter(self, role: str, size: int) -> Cost | None:
        admission = self._admission
        admission.check_open()
        if self._in_flight >= self._pace.limit or admission.in_flight >= admission.ceiling:
            return None
        if self.closed_s:
            return None
        reserved = admission.reserve(self._name, role, size)
        if reserved is None and admission.why_spent:
            raise BudgetSpent(admission.why_spent)
        return reserved

    async def _nap(self) -> None:
        """Wait to be woken, for a short time only, because time and Ctrl-C also change admission."""
        loop = asyncio.get_running_loop()
        woken: asyncio.Future[None] = loop.create_future()
        self._waiting.append(woken)

        def end() -> None:
            if not woken.done():
                woken.set_result(None)

        timer = loop.call_later(min(self.closed_s or _LONGEST_NAP_S, _LONGEST_NAP_S), end)
        try:
            await woken
        finally:
            timer.cancel()
