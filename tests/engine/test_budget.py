"""Budgets: whether one more call fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.engine.budget import Budget, Cost, Spending, fits, why_spent
from callwright.errors import BadInput


@given(st.integers(1, 10_000), st.lists(st.integers(1, 200), min_size=1, max_size=300), st.integers(1, 64))
def test_what_is_used_stays_within(tokens: int, sizes: list[int], lanes: int) -> None:
    """Whatever the number at once, where no call takes more than was reserved for it."""
    budget, used, left, in_flight = Budget(tokens=tokens), 0, iter(sizes), list[int]()
    waiting = next(left, None)
    while waiting is not None or in_flight:
        while waiting is not None and len(in_flight) < lanes:
            spent = Spending(Cost(tokens=used))
            if not fits(budget, spent, reserved=Cost(sum(in_flight)), call=Cost(waiting)):
                break
            in_flight.append(waiting)
            waiting = next(left, None)
        if not in_flight:
            break
        used += in_flight.pop(0)
    assert used <= tokens
    assert waiting is None or used + waiting > tokens


def test_both_limits_hold() -> None:
    """The one that is reached first decides."""
    spent, call = Spending(Cost(tokens=100, usd=1.0)), Cost(tokens=10, usd=0.1)
    assert fits(Budget(usd=1.2, tokens=120), spent, reserved=Cost(), call=call)
    assert not fits(Budget(usd=1.2, tokens=115), spent, reserved=call, call=call)
    assert not fits(Budget(usd=1.05, tokens=1000), spent, reserved=Cost(), call=call)
    assert not fits(Budget(usd=10, tokens=105), spent, reserved=Cost(), call=call)


def test_a_server_that_does_not_count_ends_it() -> None:
    """A budget that cannot be kept is not pretended to be."""
    spent = Spending(Cost(tokens=10), uncounted=1)
    assert not fits(Budget(tokens=10**9), spent, reserved=Cost(), call=Cost(1))
    assert "did not count" in why_spent(Budget(tokens=10**9), spent)


def test_an_unknown_price_ends_a_budget_in_usd_only() -> None:
    """Tokens are counted all the same."""
    spent = Spending(Cost(tokens=10, usd=None))
    assert fits(Budget(tokens=1000), spent, reserved=Cost(), call=Cost(1))
    assert not fits(Budget(usd=1000), spent, reserved=Cost(), call=Cost(1))
    assert "--prices" in why_spent(Budget(usd=1000), spent)


def test_the_message_says_what_was_used_and_how_to_go_on() -> None:
    """In words a user can act upon."""
    said = why_spent(Budget(usd=5, tokens=1_000), Spending(Cost(tokens=990, usd=0.25)))
    assert "990 tokens, 0.2500 USD used of 5 USD and 1,000 tokens" in said
    assert "higher budget" in said


@pytest.mark.parametrize("wrong", [{"usd": 0}, {"usd": float("nan")}, {"tokens": -1}])
def test_a_budget_of_nothing_is_refused(wrong: dict[str, float]) -> None:
    """It would only hide a slip of the pen."""
    with pytest.raises(BadInput, match="more than 0"):
        Budget(**wrong)  # type: ignore[arg-type]
