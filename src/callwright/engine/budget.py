"""The budget of a run: its limit, and whether one more call fits."""

from __future__ import annotations

import msgspec

from callwright.errors import BadInput


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """Limit of a run over all its sessions. It does not affect replies, so it is not part of the run's identity."""

    usd: float | None = None
    tokens: int | None = None

    def __post_init__(self) -> None:
        """Raise BadInput for a budget that allows nothing."""
        for name in ("usd", "tokens"):
            if (value := getattr(self, name)) is not None and not value > 0:
                raise BadInput(f"the budget in {name} is {value}; it must be more than 0.")


class Cost(msgspec.Struct, frozen=True):
    """Tokens and their price."""

    tokens: int = 0
    usd: float | None = 0.0
    """None if the price is unknown."""

    def plus(self, other: Cost) -> Cost:
        """Return the sum."""
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return Cost(self.tokens + other.tokens, usd)

    def minus(self, other: Cost) -> Cost:
        """Return the difference."""
        usd = None if self.usd is None or other.usd is None else self.usd - other.usd
        return Cost(self.tokens - other.tokens, usd)

    def times(self, count: int) -> Cost:
        """Return a multiple."""
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
