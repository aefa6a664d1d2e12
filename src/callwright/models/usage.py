"""Usage and cost of calls: counts by role over all attempts, including those with unusable replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec

from callwright.models.attempts import Attempt
from callwright.models.prices import Price, Prices

BYTES_A_TOKEN: Final = 4
"""For estimates."""


class RoleUsage(msgspec.Struct, kw_only=True):
    """Usage of one role."""

    calls: int = 0
    """Attempts, including retries."""
    tokens_in: int = 0
    tokens_out: int = 0
    models: dict[str, tuple[int, int]] = {}
    """Tokens in and out by model, from which the cost is computed."""
    uncounted: int = 0
    """Replies whose tokens the server did not count."""
    usd: float | None = 0.0
    """None if a price is unknown or tokens were not counted; filled in by `UsageMeter.usage`."""


class UsageMeter:
    """Counts attempts; an observer of served models."""

    def __init__(self, prices: Prices) -> None:
        self.roles: dict[str, RoleUsage] = {}
        self.faults: Counter[str] = Counter()
        """Failed attempts by kind, including retried ones."""
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
        before_in, before_out = used.models.get(outcome.model, (0, 0))
        used.models[outcome.model] = (before_in + tokens_in, before_out + tokens_out)

    @property
    def usage(self) -> dict[str, RoleUsage]:
        """Usage of each role, with its cost; None if the cost is not completely known."""
        return {
            role: msgspec.structs.replace(used, usd=None if used.uncounted else self.counted_usd(role))
            for role, used in self.roles.items()
        }

    def counted_usd(self, role: str) -> float | None:
        """Return the cost of the counted tokens; None if a price is unknown."""
        models = self.roles[role].models
        return added(self.usd(name, tokens_in=put, tokens_out=got) for name, (put, got) in models.items())

    def usd(self, model: str, *, tokens_in: int, tokens_out: int) -> float | None:
        """Return the cost of tokens of a model; None if its price is unknown."""
        if model not in self._by_model:
            self._by_model[model] = self._prices.price(model)
        return self._prices.cost(self._by_model[model], tokens_in=tokens_in, tokens_out=tokens_out)

    @property
    def calls(self) -> int:
        """Attempts of all roles."""
        return sum(used.calls for used in self.roles.values())


def added(costs: Iterable[float | None]) -> float | None:
    """Return the sum of costs; None if one is unknown."""
    total = 0.0
    for cost in costs:
        if cost is None:
            return None
        total += cost
    return total
