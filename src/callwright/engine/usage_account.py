"""The account of a run: number, usage and cost of its calls over all sessions, stored in the run beside the replies."""

from __future__ import annotations

import contextlib
from time import monotonic

import msgspec

from callwright.engine.budget import Cost, Spending
from callwright.engine.pace import Change, Pace
from callwright.models.attempts import Attempt
from callwright.models.prices import Prices
from callwright.models.usage import BYTES_A_TOKEN, RoleUsage, UsageMeter, added
from callwright.store.run import Run

ACCOUNT = "account.json"
PACES = "paces.json"
"""Names of the blobs."""

_PACES_EVERY_S = 2.0

_MOST_SESSIONS = 100



class Dearest(msgspec.Struct, frozen=True):
    """The maxima over the requests of one role, each taken separately."""

    cost: Cost = Cost()
    tokens_a_byte: float = 1 / BYTES_A_TOKEN
    """Bytes of the request."""
    tokens_out: int = 0


class Bill(msgspec.Struct, frozen=True, kw_only=True):
    """The account as plain data."""

    roles: dict[str, RoleUsage] = {}
    faults: dict[str, int] = {}
    """Failed requests by kind, including retried ones."""
    resumed: int = 0
    """Replies replayed from the journal."""
    dearest: dict[str, Dearest] = {}
    """By role."""

    @property
    def calls(self) -> int:
        """Requests to served models, retries included."""
        return sum(used.calls for used in self.roles.values())

    @property
    def usd(self) -> dict[str, float | None]:
        """Cost by role; None if a price is unknown or tokens were not counted."""
        return {role: used.usd for role, used in self.roles.items()}


_NOTHING = Dearest()

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Bill)
_paces_decoder = msgspec.json.Decoder(list[dict[str, list[Change]]])


def read_bill(run: Run) -> Bill:
    """Return the usage of the run's sessions so far; an empty bill if it was stored in another format."""
    blob = run.get_blob(ACCOUNT)
    if blob is not None:
        with contextlib.suppress(msgspec.DecodeError):
            return _decoder.decode(blob)
    return Bill()


def read_paces(run: Run) -> list[dict[str, list[Change]]]:
    """Return, for each session and model, how the limit of calls in flight changed, when and why."""
    blob = run.get_blob(PACES)
    if blob is not None:
        with contextlib.suppress(msgspec.DecodeError):
            return _paces_decoder.decode(blob)
    return []


class Account:
    """Adds attempts to the counts of earlier sessions; an observer of served models."""

    def __init__(self, run: Run, prices: Prices) -> None:
        before = read_bill(run)
        self.prices = prices
        self.paces: dict[str, Pace] = {}
        """This session's limits, by model."""
        self._resumed = before.resumed
        self._meter = UsageMeter(prices)
        self._meter.roles.update(before.roles)
        self._meter.faults.update(before.faults)
        self._dearest = dict(before.dearest)
        self._paces_before = read_paces(run)[1 - _MOST_SESSIONS :]
        self._paces_at = monotonic()
        self._is_changed = False

    def on_attempt(self, outcome: Attempt) -> None:
        """Count one attempt."""
        self._meter.on_attempt(outcome)
        if outcome.tokens_in or outcome.tokens_out:
            self._learn(outcome, outcome.tokens_in or 0, outcome.tokens_out or 0)
        self._is_changed = True

    def _learn(self, outcome: Attempt, tokens_in: int, tokens_out: int) -> None:
        before = self._dearest.get(outcome.role)
        if before is not None and (
            tokens_in + tokens_out <= before.cost.tokens
            and tokens_out <= before.tokens_out
            and tokens_in <= outcome.size * before.tokens_a_byte
        ):
            return  # true of nearly all
        usd = self._meter.usd(outcome.model, tokens_in=tokens_in, tokens_out=tokens_out)
        self._dearest[outcome.role] = Dearest(
            cost=Cost(tokens_in + tokens_out, usd).at_least(before.cost if before else Cost()),
            tokens_a_byte=max(tokens_in / max(outcome.size, 1), before.tokens_a_byte if before else 0.0),
            tokens_out=max(tokens_out, before.tokens_out if before else 0),
        )

    def on_replay(self) -> None:
        """Count a replayed reply."""
        self._resumed += 1
        self._is_changed = True

    @property
    def spending(self) -> Spending:
        """Usage so far over all roles; a reply without token counts counts as the most expensive of its role."""
        roles = self._meter.roles
        tokens = sum(used.tokens_in + used.tokens_out for used in roles.values())
        cost = Cost(tokens, added(map(self._meter.counted_usd, roles)))
        uncounted = 0
        for role, used in roles.items():
            if used.uncounted and role in self._dearest:
                cost = cost.plus(self._dearest[role].cost.times(used.uncounted))
            else:
                uncounted += used.uncounted
        return Spending(cost, uncounted)

    def knows(self, role: str) -> bool:
        """Whether the cost of at least one request of this role is known."""
        return role in self._dearest

    def expected(self, model: str, role: str, size: int) -> Cost:
        """Return the expected cost of a request of `size` bytes.

        It uses the highest cost per byte and the longest reply of the role so far, and is at least the highest cost.
        """
        dearest = self._dearest.get(role, _NOTHING)
        tokens_in = round(size * dearest.tokens_a_byte)
        usd = self._meter.usd(model, tokens_in=tokens_in, tokens_out=dearest.tokens_out)
        expected = Cost(tokens_in + dearest.tokens_out, usd).at_least(dearest.cost)
        return expected if usd is not None else Cost(expected.tokens, None)

    def bill(self) -> Bill:
        """Return the current account."""
        meter = self._meter
        return Bill(roles=meter.usage, faults=dict(meter.faults), resumed=self._resumed, dearest=dict(self._dearest))

    def changes(self, *, at_end: bool = False) -> dict[str, bytes]:
        """Return the blobs that changed since the last call, by name; limits are rarer, and come at the end."""
        if not self._is_changed and not (at_end and self.paces):
            return {}
        self._is_changed = False
        blobs = {ACCOUNT: _encoder.encode(self.bill())}
        if self.paces and (at_end or monotonic() - self._paces_at > _PACES_EVERY_S):
            self._paces_at = monotonic()
            now = {name: pace.history for name, pace in self.paces.items()}
            blobs[PACES] = _encoder.encode([*self._paces_before, now])
        return blobs
