"""Pairing of gold and predicted calls, against trying all orders."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from callwright.match.pairing import greedy_pairing, maximum_pairing

GRIDS = st.tuples(st.integers(0, 4), st.integers(0, 5)).flatmap(
    lambda size: st.lists(
        st.lists(st.booleans(), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


def most_pairs(grid: list[list[bool]], made: int) -> int:
    """Return how many gold calls can be paired at once, by trying every order."""
    slots = [*range(made), *[-1] * len(grid)]
    orders = set(permutations(slots, len(grid)))
    return max(sum(call >= 0 and grid[gold][call] for gold, call in enumerate(order)) for order in orders)


@given(GRIDS)
def test_maximum_pairing_pairs_as_many_as_any_order(grid: list[list[bool]]) -> None:
    """The pairs are legal, distinct, and as many as the best of all orders has."""
    made = len(grid[0]) if grid else 0

    pairs = maximum_pairing(len(grid), made, lambda gold, call: grid[gold][call])

    given_calls = [call for call in pairs if call is not None]
    assert len(pairs) == len(grid)
    assert len(given_calls) == len(set(given_calls))
    assert all(call is None or grid[gold][call] for gold, call in enumerate(pairs))
    if grid:
        assert len(given_calls) == most_pairs(grid, made)


@given(GRIDS)
def test_greedy_pairing_takes_the_first_free_call(grid: list[list[bool]]) -> None:
    """Each gold call has the first right call that no earlier gold call has."""
    made = len(grid[0]) if grid else 0

    pairs = greedy_pairing(len(grid), made, lambda gold, call: grid[gold][call])

    assert len(pairs) == len(grid)
    for gold, call in enumerate(pairs):
        free = [one for one in range(made) if grid[gold][one] and one not in pairs[:gold]]
        assert call == (free[0] if free else None)


@given(GRIDS)
def test_maximum_pairing_is_never_smaller_than_greedy(grid: list[list[bool]]) -> None:
    """What greed finds, the maximum finds too."""
    made = len(grid[0]) if grid else 0
    greedy = greedy_pairing(len(grid), made, lambda gold, call: grid[gold][call])
    most = maximum_pairing(len(grid), made, lambda gold, call: grid[gold][call])

    assert greedy.count(None) >= most.count(None)


def test_maximum_pairing_moves_a_long_chain() -> None:
    """A thousand gold calls that each want their own call or the next, the last only the first, are all paired."""
    size = 1000

    pairs = maximum_pairing(size, size, lambda gold, call: call in (gold, gold + 1) if gold < size - 1 else call == 0)

    assert pairs == (*range(1, size), 0)
