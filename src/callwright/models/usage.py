"""What calls cost: counts by role over all attempts, also those whose reply could not be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

import msgspec

from callwright.models.attempts import Attempt
from callwright.models.prices import Price, Prices

BYTES_A_TOKEN: Final = 4
"""For estimates."""


class RoleUsage(msgspec.Struct, kw_only=True):
    """What one role used."""

    calls: int = 0
    """Attempts, each a request of its own."""
    tokens_in: int = 0
    tokens_out: int = 0
    uncounted: int = 0
    """Replies whose tokens the server did not count."""
    usd: float | None = 0.0
    """None as soon as something has no known price."""


class UsageMeter:
    """Counts attempts; an observer of served models."""

    def __init__(self, prices: Prices) -> None:
        self.roles: dict[str, RoleUsage] = {}
        self.faults: Counter[str] = Counter()
        """Failed attempts by kind, retried or not."""
        self._prices = prices
        self._by_model: dict[str, Price | None] = {}

    def on_attempt(self, outcome: Attempt) -> None:
        """Count one attempt."""
        used = self.roles.setdefault(outcome.role, RoleUsage())
        used.calls += 1
        if outcome.failure is not None:
            self.faults[outcome.failure] += 1
        if outcome.tokens_in is None and outcome.tokens_out is None:
            used.uncounted += outcome.failure is None
            return
        tokens_in, tokens_out = outcome.tokens_in or 0, outcome.tokens_out or 0
        used.tokens_in += tokens_in
        used.tokens_out += tokens_out
        cost = self.usd(outcome.model, tokens_in=tokens_in, tokens_out=tokens_out)
        used.usd = None if cost is None or used.usd is None else used.usd + cost

    def usd(self, model: str, *, tokens_in: int, tokens_out: int) -> float | None:
        """Return what tokens of a model cost; None where its price is not known."""
        if model not in self._by_model:
            self._by_model[model] = self._prices.price(model)
        return self._prices.cost(self._by_model[model], tokens_in=tokens_in, tokens_out=tokens_out)

    @property
    def calls(self) -> int:
        """Attempts of all roles."""
        return sum(used.calls for used in self.roles.values())


def total_usd(roles: Mapping[str, RoleUsage]) -> float | None:
    """Return the cost of all roles, None where one has no known price."""
    costs = [used.usd for used in roles.values()]
    return None if None in costs else sum(cost for cost in costs if cost is not None)
