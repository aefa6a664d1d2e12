"""Budgets: whether one more call fits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callwright.engine.budget import Budget, Spending, fits, why_spent
from callwright.errors import BadInput


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 10_000), st.integers(1, 200), st.integers(1, 64))
def test_calls_of_one_size_never_go_beyond(tokens: int, each: int, lanes: int) -> None:
    """Whatever the number at once, what is used stays within, and less than one call is left."""
    budget, used, paid, in_flight = Budget(tokens=tokens), 0, 0, 0
    while True:
        while in_flight < lanes and fits(budget, Spending(paid=paid, tokens=used, usd=0.0), in_flight=in_flight):
            in_flight += 1
        if not in_flight:
            break
        in_flight -= 1
        paid += 1
        used += each
    assert tokens - each < used <= max(tokens, each)  # the first call's size is not known before it


def test_until_one_cost_is_known_one_call_is_sent_at_a_time() -> None:
    """Or the first crowd could cost any multiple of the budget."""
    nothing = Spending(paid=0, tokens=0, usd=0.0)
    assert fits(Budget(usd=1), nothing, in_flight=0)
    assert not fits(Budget(usd=1), nothing, in_flight=1)


def test_both_limits_hold() -> None:
    """The one that is reached first decides."""
    spent = Spending(paid=10, tokens=100, usd=1.0)
    assert fits(Budget(usd=1.2, tokens=120), spent, in_flight=0)
    assert not fits(Budget(usd=1.05, tokens=1000), spent, in_flight=0)
    assert not fits(Budget(usd=10, tokens=105), spent, in_flight=0)


def test_a_server_that_does_not_count_ends_it() -> None:
    """A budget that cannot be kept is not pretended to be."""
    spent = Spending(paid=1, tokens=10, usd=0.0, uncounted=1)
    assert not fits(Budget(tokens=10**9), spent, in_flight=0)
    assert "did not count" in why_spent(Budget(tokens=10**9), spent)


def test_an_unknown_price_ends_a_budget_in_usd_only() -> None:
    """Tokens are counted all the same."""
    spent = Spending(paid=1, tokens=10, usd=None)
    assert fits(Budget(tokens=1000), spent, in_flight=0)
    assert not fits(Budget(usd=1000), spent, in_flight=0)
    assert "--prices" in why_spent(Budget(usd=1000), spent)


def test_the_message_says_what_was_used_and_how_to_go_on() -> None:
    """In words a user can act upon."""
    said = why_spent(Budget(usd=5, tokens=1_000), Spending(paid=9, tokens=990, usd=0.25))
    assert "990 tokens, 0.2500 USD used of 5 USD and 1,000 tokens" in said
    assert "higher budget" in said


@pytest.mark.parametrize("wrong", [{"usd": 0}, {"usd": float("nan")}, {"tokens": -1}])
def test_a_budget_of_nothing_is_refused(wrong: dict[str, float]) -> None:
    """It would only hide a slip of the pen."""
    with pytest.raises(BadInput, match="more than 0"):
        Budget(**wrong)  # type: ignore[arg-type]
