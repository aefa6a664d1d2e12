"""Paths in which each node is about as frequent."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

from callwright.graph.even_paths import even_paths


def test_a_hub_is_used_no_more_than_its_neighbours_need() -> None:
    """All edges are used, and no node is on a path twice."""
    edges = {"a": ("hub",), "b": ("hub", "c"), "c": ("a", "hub"), "hub": ("a", "b")}
    paths = even_paths(["a", "b", "c", "hub"], (2,), [edges], Random(1), number=200)[2]
    assert len(paths) == 200
    assert all(after in edges[before] for before, after in paths)
    assert len(set(paths)) == 7
    used = Counter(node for path in paths for node in path)
    assert max(used.values()) <= 1.25 * min(used.values())


def test_further_edges_relieve_a_hub() -> None:
    """Where all lead to one node, paths go on by other edges as soon as it fills them; no more than that."""
    names = [f"n{at}" for at in range(40)]
    edges = dict.fromkeys(names[1:], ("n0",)) | {"n0": tuple(names[1:])}
    others = {name: tuple(one for one in names if one != name) for name in names}
    alone, both = (even_paths(names, (3,), ways, Random(1), number=200)[3] for ways in ([edges], [edges, others]))
    assert sum("n0" in path for path in alone) == 200
    assert 30 < sum("n0" in path for path in both) <= 3 * 600 / 40
    assert sum(after in edges[before] for path in both for before, after in pairwise(path)) >= 60


def test_every_beginning_is_even_over_all_lengths() -> None:
    """Nodes that no longer path can have are the first of the single ones."""
    names = [f"n{at}" for at in range(12)]
    edges = {"n0": ("n1", "n2"), "n1": ("n2", "n0"), "n2": ("n0",)}
    found = even_paths(names, (1, 3), [edges], Random(1), number=10)
    assert {node for path in found[3] for node in path} == {"n0", "n1", "n2"}
    assert {node for path in found[1] for node in path} >= set(names[3:])


def test_spare_edges_are_for_lengths_without_a_path() -> None:
    """Two nodes follow the edge, three the spare ones; without these there is nothing, and no endless search."""
    edges, spare = {"a": ("b",)}, {"b": ("c",), "c": ("a",)}
    found = even_paths(["a", "b", "c"], (2, 3), [edges], Random(1), number=30, spare=[edges, spare])
    assert set(found[2]) == {("a", "b")}
    assert set(found[3]) == {("a", "b", "c"), ("c", "a", "b")}  # best with the edge in them
    assert even_paths(["a", "b"], (3,), [edges], Random(1), number=30) == {3: []}
