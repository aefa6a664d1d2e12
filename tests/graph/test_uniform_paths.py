"""Paths by number against a list of all paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.formats import document, published_graphs
from callwright.graph.uniform_paths import LONGEST, UniformPaths

NODES = "abcdef"


def all_paths(nodes: Sequence[str], edges: Mapping[str, Sequence[str]], length: int) -> list[tuple[str, ...]]:
    """Every simple path of so many nodes, by depth-first search."""

    def walk(path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if len(path) == length:
            yield path
            return
        for node in edges.get(path[-1], ()):
            if node not in path:
                yield from walk((*path, node))

    return [path for node in nodes for path in walk((node,))]


pairs = st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)).filter(lambda pair: pair[0] != pair[1])


@given(st.lists(pairs, unique=True), st.integers(1, LONGEST))
def test_every_path_has_one_number(links: list[tuple[str, str]], length: int) -> None:
    """The paths of all numbers are those that a depth-first search finds, each once."""
    edges: dict[str, list[str]] = {}
    for source, target in links:
        edges.setdefault(source, []).append(target)
    paths = UniformPaths(NODES, edges, length)
    found = [paths[number] for number in range(len(paths))]
    assert Counter(found) == Counter(all_paths(NODES, edges, length))


def test_a_cycle_of_four_has_each_path_once() -> None:
    """Paths that would come back to their beginning are none."""
    ring = {"a": "bd", "b": "ca", "c": "db", "d": "ac"}
    assert [len(UniformPaths("abcd", ring, length)) for length in (1, 2, 3, 4)] == [4, 8, 8, 8]


def test_numbers_beyond_the_paths_are_refused() -> None:
    """Also that of an empty graph, and lengths that nobody counts."""
    with pytest.raises(IndexError):
        UniformPaths("ab", {"a": "b"}, 2)[1]
    with pytest.raises(ValueError, match="empty range"):
        UniformPaths("ab", {}, 2).draw(Random(1))
    with pytest.raises(ValueError, match="1 to 4 nodes"):
        UniformPaths("ab", {}, 5)


def test_draws_over_the_published_graph_are_uniform(shared_data: Path) -> None:
    """124, 269, 594 and 1,772 paths; chi-square of 20 draws a path lies within four deviations of its mean."""
    links = published_graphs.read(document.load(shared_data / "dice" / "tool_graph.json"), source="graph")
    edges: dict[str, list[str]] = {}
    for source, target in dict.fromkeys(links.links):
        edges.setdefault(source, []).append(target)
    sizes = [UniformPaths(links.nodes, edges, length) for length in (1, 2, 3, 4)]
    assert list(map(len, sizes)) == [124, 269, 594, 1772]
    for paths in sizes:
        rng, freedom = Random(7), len(paths) - 1
        found = Counter(paths.draw(rng) for _ in range(20 * len(paths)))
        missing = len(paths) - len(found)
        chi_square = sum((count - 20) ** 2 for count in found.values()) / 20 + 20 * missing
        assert abs(chi_square - freedom) < 4 * (2 * freedom) ** 0.5
