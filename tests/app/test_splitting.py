"""Assignment of dialogues to parts: no group in two parts, whatever the dialogues."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from callwright.app.splitting import LEFT_OUT, assign_parts

TOUCHED = st.lists(st.frozensets(st.sampled_from("abcdefghij"), min_size=1, max_size=4), max_size=40)
SHARES = {"train": 0.7, "dev": 0.1, "test": 0.2}


@given(TOUCHED, st.integers(0, 5))
def test_parts_share_no_group(touched: list[frozenset[str]], seed: int) -> None:
    """No group is touched by dialogues of two parts."""
    parts = assign_parts(touched, SHARES, Random(seed))
    groups = {
        name: {group for one, part in zip(touched, parts, strict=True) if part == name for group in one}
        for name in SHARES
    }
    names = list(SHARES)
    for place, name in enumerate(names):
        for other in names[place + 1 :]:
            assert not groups[name] & groups[other]


@given(TOUCHED)
def test_only_mixed_dialogues_are_left_out(touched: list[frozenset[str]]) -> None:
    """A dialogue that touches one group is always in a part."""
    parts = assign_parts(touched, SHARES, Random(1))
    assert all(part != LEFT_OUT for one, part in zip(touched, parts, strict=True) if len(one) == 1)


def test_order_of_chance_is_that_of_the_seed() -> None:
    """The same arguments give the same parts."""
    touched = [frozenset(pair) for pair in ("ab", "bc", "cd", "ef", "gh", "a", "h", "ij", "j")]
    assert assign_parts(touched, SHARES, Random(3)) == assign_parts(touched, SHARES, Random(3))


def test_separate_groups_are_shared_out_without_loss() -> None:
    """Where groups never meet nothing is left out, and the shares are met as nearly as the groups allow."""
    touched = [frozenset((group,)) for group in "abcdefghij" for _ in range(10)]
    parts = assign_parts(touched, {"train": 0.8, "test": 0.2}, Random(0))
    assert (parts.count("train"), parts.count("test")) == (80, 20)


def test_groups_that_occur_together_stay_together() -> None:
    """Two clusters that never meet become the two parts, and nothing is left out."""
    touched = [frozenset(pair) for pair in ("ab", "bc", "ac", "xy", "yz", "xz")] * 5
    parts = assign_parts(touched, {"train": 0.5, "test": 0.5}, Random(0))
    assert LEFT_OUT not in parts
    assert parts.count("train") == parts.count("test") == 15
