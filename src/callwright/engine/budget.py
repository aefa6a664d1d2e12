"""A budget: how much a whole run may cost, and whether one more call fits."""

from __future__ import annotations

import msgspec

from callwright.errors import BadInput


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """Most that a run may use, over all its sessions. It never changes what a reply says, so no run depends on it."""

    usd: float | None = None
    tokens: int | None = None

    def __post_init__(self) -> None:
        """Raise BadInput for a budget that allows nothing."""
        for name in ("usd", "tokens"):
            if (value := getattr(self, name)) is not None and not value > 0:
                raise BadInput(f"the budget in {name} is {value}; it must be more than 0.")


class Spending(msgspec.Struct, frozen=True):
    """What was used so far."""

    paid: int
    """Attempts that used tokens."""
    tokens: int
    usd: float | None
    """None where something used has no known price."""
    uncounted: int = 0
    """Replies whose tokens the server did not count."""


def fits(budget: Budget, spent: Spending, *, in_flight: int) -> bool:
    """Return whether one more call may be sent beside those in flight: each is taken to cost the mean so far.

    Until one cost is known, one call is sent at a time.
    """
    if spent.uncounted:
        return False
    if not spent.paid:
        return in_flight == 0
    after = spent.paid + in_flight + 1
    if budget.tokens is not None and spent.tokens * after > budget.tokens * spent.paid:
        return False
    return budget.usd is None or (spent.usd is not None and spent.usd * after <= budget.usd * spent.paid)


def why_spent(budget: Budget, spent: Spending) -> str:
    """Return in words why nothing fits any more, and what to do."""
    if spent.uncounted:
        return (
            f"a budget cannot be kept: the server did not count the tokens of {spent.uncounted:,} of its replies. "
            "Choose a server that does, or give no budget"
        )
    if budget.usd is not None and spent.usd is None:
        return "a budget in USD cannot be kept: a model has no known price. Add it with --prices FILE"
    used = f"{spent.tokens:,} tokens" if spent.usd is None else f"{spent.tokens:,} tokens, {spent.usd:,.4f} USD"
    most = [f"{budget.usd:,g} USD"] if budget.usd is not None else []
    most += [f"{budget.tokens:,} tokens"] if budget.tokens is not None else []
    return (
        f"the budget is spent: {used} used of {' and '.join(most)}, and the next call would go beyond. "
        "Give the same command with a higher budget to go on"
    )
