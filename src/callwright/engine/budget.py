"""The budget of a run, and its account: number, usage and cost of its calls over all sessions, kept in the run."""

from __future__ import annotations

import contextlib
from time import monotonic

import msgspec

from callwright.engine.pace import Change, Pace
from callwright.errors import BadInput
from callwright.models.attempts import Attempt
from callwright.models.prices import BYTES_A_TOKEN, Prices, RoleUsage, UsageMeter, added
from callwright.store.run import Run


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """Limit of a run over all its sessions. It does not affect replies, so it is not part of the run's identity."""

    usd: float | None = None
    tokens: int | None = None

    def __post_init__(self) -> None:
        for name in ("usd", "tokens"):
            if (value := getattr(self, name)) is not None and not value > 0:
                raise BadInput(f"the budget in {name} is {value}; it must be more than 0.")


class Cost(msgspec.Struct, frozen=True):
    """Tokens and their price."""

    tokens: int = 0
    usd: float | None = 0.0
    """None if the price is unknown."""

    def plus(self, other: Cost) -> Cost:
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return Cost(self.tokens + other.tokens, usd)

    def minus(self, other: Cost) -> Cost:
        return self.plus(other.times(-1))

    def times(self, count: int) -> Cost:
        return Cost(self.tokens * count, None if self.usd is None else self.usd * count)

    def at_least(self, other: Cost) -> Cost:
        """Return the larger of both, in tokens and in USD; an unknown price counts as 0."""
        return Cost(max(self.tokens, other.tokens), max(self.usd or 0.0, other.usd or 0.0))


class Spending(msgspec.Struct, frozen=True):
    """Usage so far."""

    cost: Cost
    uncounted: int = 0
    """Replies whose tokens the server did not count, in roles without any known usage."""


def fits(budget: Budget, spent: Spending, *, reserved: Cost, call: Cost) -> bool:
    """Return whether one more call fits beside those in flight, each counted at its reservation."""
    if spent.uncounted:
        return False
    after = spent.cost.plus(reserved).plus(call)
    if budget.tokens is not None and after.tokens > budget.tokens:
        return False
    return budget.usd is None or (after.usd is not None and after.usd <= budget.usd)


def why_spent(budget: Budget, spent: Spending) -> str:
    """Return a message that says why no further call fits, and what to do."""
    if spent.uncounted:
        return (
            f"a budget cannot be kept: the server did not count the tokens of {spent.uncounted:,} of its replies. "
            "Choose a server that does, or give no budget"
        )
    cost = spent.cost
    if budget.usd is not None and cost.usd is None:
        return "a budget in USD cannot be kept: a model has no known price. Add it with --prices FILE"
    used = f"{cost.tokens:,} tokens" if cost.usd is None else f"{cost.tokens:,} tokens, {cost.usd:,.4f} USD"
    most = [f"{budget.usd:,g} USD"] if budget.usd is not None else []
    most += [f"{budget.tokens:,} tokens"] if budget.tokens is not None else []
    return (
        f"the budget is spent: {used} used of {' and '.join(most)}, and the next call might go beyond. "
        "Give the same command with a higher budget to go on"
    )


# -- the account -----------------------------------------------------------------------------------------------------

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
    dearest: dict[str, Dearest] = {}

    @property
    def calls(self) -> int:
        """Requests to served models, retries included."""
        return sum(used.calls for used in self.roles.values())

    @property
    def usd(self) -> dict[str, float | None]:
        """Cost by role; None if a price is unknown or tokens were not counted."""
        return {role: used.usd for role, used in self.roles.items()}


_NOTHING = Dearest()

_account_encoder = msgspec.json.Encoder()
_bill_decoder = msgspec.json.Decoder(Bill)
_paces_decoder = msgspec.json.Decoder(list[dict[str, list[Change]]])


def read_bill(run: Run) -> Bill:
    """Return the usage of the run's sessions so far; an empty bill if it was stored in another format."""
    with contextlib.suppress(msgspec.DecodeError):
        return _bill_decoder.decode(run.get_blob(ACCOUNT) or b"")
    return Bill()


def read_paces(run: Run) -> list[dict[str, list[Change]]]:
    """Return, for each session and model, how the limit of calls in flight changed, when and why."""
    with contextlib.suppress(msgspec.DecodeError):
        return _paces_decoder.decode(run.get_blob(PACES) or b"")
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
        """Return the expected cost of `size` bytes, by the role's highest cost per byte and longest reply so far."""
        dearest = self._dearest.get(role, _NOTHING)
        tokens_in = round(size * dearest.tokens_a_byte)
        usd = self._meter.usd(model, tokens_in=tokens_in, tokens_out=dearest.tokens_out)
        expected = Cost(tokens_in + dearest.tokens_out, usd).at_least(dearest.cost)
        return expected if usd is not None else Cost(expected.tokens, None)

    def bill(self) -> Bill:
        meter = self._meter
        return Bill(roles=meter.usage, faults=dict(meter.faults), resumed=self._resumed, dearest=dict(self._dearest))

    def changes(self, *, at_end: bool = False) -> dict[str, bytes]:
        """Return the blobs that changed since the last call, by name; limits are rarer, and come at the end."""
        if not self._is_changed and not (at_end and self.paces):
            return {}
        self._is_changed = False
        blobs = {ACCOUNT: _account_encoder.encode(self.bill())}
        if self.paces and (at_end or monotonic() - self._paces_at > _PACES_EVERY_S):
            self._paces_at = monotonic()
            now = {name: pace.history for name, pace in self.paces.items()}
            blobs[PACES] = _account_encoder.encode([*self._paces_before, now])
        return blobs
