"""Assignment of dialogues to parts: no group in two parts, whatever the dialogues."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from callwright import synthesize
from callwright.app import splitting
from callwright.app.datasets import open_dataset
from callwright.app.splitting import LEFT_OUT, TOLERANCE, Touched, assign_parts

TOUCHED = st.lists(st.frozensets(st.sampled_from("abcdefghij"), min_size=1, max_size=4), max_size=40)
SHARES = {"train": 0.7, "dev": 0.1, "test": 0.2}


@given(TOUCHED, st.integers(0, 5))
@example([frozenset({"a", "b"}), frozenset({"a"}), frozenset({"c"}), frozenset({"d"})], 0)
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
@example([frozenset({"a", "b"}), frozenset({"a"}), frozenset({"c"})])
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


def parts_of(touched: list[Touched], homes: dict[str, str]) -> list[str]:
    """The part of each dialogue, from the definition."""
    found = [{homes[group] for group in one} for one in touched]
    return [parts.pop() if len(parts) == 1 else LEFT_OUT for parts in found]


def loss(parts: list[str], shares: dict[str, float]) -> float:
    """What a partition costs, from the definition."""
    counts = Counter(parts)
    kept = len(parts) - counts[LEFT_OUT]
    away = {name: abs(counts[name] / max(1, kept) - share) for name, share in shares.items()}
    beyond = sum(max(0.0, away[name] - min(TOLERANCE, share / 2)) for name, share in shares.items())
    empty = sum(not counts[name] for name in shares)
    return 1 - kept / len(parts) + 0.01 * sum(away.values()) + 4 * beyond + empty


@given(st.lists(st.frozensets(st.sampled_from("abcdef"), min_size=1, max_size=3), min_size=1, max_size=20))
@settings(max_examples=30)
def test_of_few_groups_the_best_partition_is_taken(touched: list[Touched]) -> None:
    """No assignment of the groups costs less than the one found, by a count over all of them."""
    groups = sorted(frozenset[str]().union(*touched))
    every = [dict(zip(groups, parts, strict=True)) for parts in product(SHARES, repeat=len(groups))]
    found = splitting._best_of_all(touched, SHARES, Random(0))
    least = min(loss(parts_of(touched, one), SHARES) for one in every)
    assert loss(parts_of(touched, found), SHARES) == pytest.approx(least)


@given(TOUCHED.filter(bool), st.integers(0, 5))
@settings(max_examples=30)
def test_moved_groups_are_counted_as_if_placed_anew(touched: list[Touched], seed: int) -> None:
    """After any moves the search knows the loss that the definition gives."""
    rng = Random(seed)
    groups = sorted(frozenset[str]().union(*touched))
    state = splitting._Assignment(touched, SHARES, {group: rng.choice(list(SHARES)) for group in groups})
    for _ in range(8):
        state.move(rng.choice(groups), rng.choice(list(SHARES)))
        assert state.loss == pytest.approx(loss(parts_of(touched, state.homes), SHARES))


@pytest.fixture(scope="module")
def pools(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Touched, Touched]]:
    """The domains and the tools of 300 dialogues over the bundled catalogue."""
    folder = tmp_path_factory.mktemp("bundled") / "ds"
    synthesize("diaforge", "builtin/enterprise", n=300, out=folder, seed=7)
    data = open_dataset(folder)
    keys = [frozenset(shown.key for shown in dialogue.tools) for dialogue in data.dialogues]
    return [(frozenset(data.catalog.by_key[key].domain for key in one), one) for one in keys]


@pytest.mark.parametrize("by", [0, 1], ids=["domain", "tool"])
def test_shares_are_met_at_the_least_cost(pools: list[tuple[Touched, Touched]], by: int) -> None:
    """On the bundled catalogue the shares are met within the tolerance, and no random assignment costs less."""
    touched, shares = [pool[by] for pool in pools], {"train": 0.8, "test": 0.2}
    parts = assign_parts(touched, shares, Random(0))
    kept = len(parts) - parts.count(LEFT_OUT)
    assert abs(parts.count("test") / kept - 0.2) <= TOLERANCE + 1e-9
    groups, rng = sorted(frozenset[str]().union(*touched)), Random(1)
    for _ in range(200):
        naive = parts_of(touched, {group: "test" if rng.random() < 0.2 else "train" for group in groups})
        assert loss(parts, shares) <= loss(naive, shares)  # of few groups a guess may be the best too
