"""Statistics of tool graphs: published facts, and counts equal to those of enumeration."""

from __future__ import annotations

import json
from itertools import pairwise, permutations
from math import prod
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from callwright.app.graphs import graph_statistics
from callwright.cli import main
from callwright.errors import BadInput
from callwright.formats.graph_file import write
from callwright.graph.statistics import statistics
from callwright.records.tool_graph import EdgeScore, GraphTool, ToolEdge, ToolGraph

NAMES = "abcdefg"


def slow_paths(nodes: str, edges: set[tuple[str, str]]) -> dict[str, int]:
    """Simple paths by number of tools, each one looked at."""
    return {
        str(length): sum(all(pair in edges for pair in pairwise(path)) for path in permutations(nodes, length))
        for length in (1, 2, 3, 4)
    }


graphs = st.integers(0, 7).flatmap(
    lambda n: st.tuples(
        st.just(NAMES[:n]),
        st.lists(st.sampled_from(list(permutations(NAMES[:n], 2))), max_size=30) if n > 1 else st.just([]),
    )
)


@given(graphs)
@settings(deadline=None)
def test_counts_equal_enumeration(graph: tuple[str, list[tuple[str, str]]]) -> None:
    """Paths, edges, duplicates and the ends of random graphs, with circles of any kind."""
    nodes, links = graph
    found, edges = statistics(nodes, links), set(links)

    assert found.paths == slow_paths(nodes, edges)
    assert (found.nodes, found.edges, found.duplicate_edges) == (len(nodes), len(edges), len(links) - len(edges))
    assert found.sources == sum(all(target != node for _, target in edges) for node in nodes)
    assert found.sinks == sum(all(source != node for source, _ in edges) for node in nodes)
    assert sum(one.edges for one in found.most_reached) <= len(edges)


@given(graphs)
@settings(deadline=None)
def test_duplicates_count_as_published(graph: tuple[str, list[tuple[str, str]]]) -> None:
    """Every repetition of an edge makes further paths: each path counts as often as its edges are there."""
    nodes, links = graph
    slow = {
        str(length): sum(prod(links.count(pair) for pair in pairwise(path)) for path in permutations(nodes, length))
        for length in (1, 2, 3, 4)
    }

    assert statistics(nodes, links).as_published.paths == slow


def test_the_published_graph_has_its_facts(shared_data: Path) -> None:
    """DICE-BENCH: 124 tools, 269 edges and one duplicate, degrees and simple paths."""
    found = graph_statistics(shared_data / "dice" / "tool_graph.json")

    assert (found.nodes, found.edges, found.duplicate_edges, found.sources, found.sinks) == (124, 269, 1, 63, 49)
    assert found.paths == {"1": 124, "2": 269, "3": 594, "4": 1772}
    assert (round(found.density or 0, 6), round(found.mean_out_degree or 0, 3)) == (0.017637, 2.169)
    published = found.as_published
    assert (published.edges, round(published.density or 0, 4), round(published.mean_out_degree or 0, 2)) == (
        270,
        0.0177,
        2.18,
    )
    most = {one.tool: one.edges for one in found.most_reached}
    assert {"take_note": 35, "share_by_social_network": 28, "send_email": 19}.items() <= most.items()


@pytest.mark.parametrize(("kind", "size"), [("dailylifeapis", (40, 1560)), ("huggingface", (23, 225))])
def test_taskbench_is_read(kind: str, size: tuple[int, int], shared_data: Path) -> None:
    """Its graphs have typed links; a complete graph has density 1."""
    found = graph_statistics(shared_data / "taskbench" / kind / "graph_desc.json")

    assert (found.nodes, found.edges + found.duplicate_edges) == size


def test_a_large_graph_is_counted_not_enumerated() -> None:
    """10,000 tools and 50,000 edges have millions of paths of four tools; a ring of them is known exactly."""
    nodes = [str(number) for number in range(10_000)]
    links = [(str(at), str((at + step) % 10_000)) for at in range(10_000) for step in (1, 10, 100, 1000, 3000)]
    found = statistics(nodes, links)

    assert (found.edges, found.paths["3"], found.paths["4"]) == (50_000, 250_000, 1_250_000)


def test_our_own_file_is_read(tmp_path: Path) -> None:
    """Edges over other fields of the same two tools are one edge, and counted as published."""
    edges = tuple(ToolEdge(source="a", target="b", output=f"/{field}", input="x") for field in ("p", "q"))
    path = tmp_path / "graph.json"
    path.write_bytes(write(ToolGraph(nodes=("a", "b"), edges=edges)))
    done = CliRunner().invoke(main, ["graph", "show", str(path), "--json"])

    assert json.loads(done.stdout) == {
        "nodes": 2,
        "edges": 1,
        "duplicate_edges": 1,
        "density": 0.5,
        "mean_out_degree": 0.5,
        "sources": 1,
        "sinks": 1,
        "most_reached": [{"tool": "b", "edges": 1}],
        "paths": {"1": 2, "2": 1, "3": 0, "4": 0},
        "as_published": {
            "nodes": 2,
            "edges": 2,
            "duplicate_edges": 1,
            "density": 1.0,
            "mean_out_degree": 1.0,
            "sources": 1,
            "sinks": 1,
            "paths": {"1": 2, "2": 2, "3": 0, "4": 0},
        },
    }
    assert "2 tools, 1 edges; 1 more links repeat" in CliRunner().invoke(main, ["graph", "show", str(path)]).stdout


def test_every_edge_is_listed_with_its_evidence(tmp_path: Path) -> None:
    """By the names of tools; null where a file tells nothing, and without what somebody removed."""
    scores = (EdgeScore("name", 0.9), EdgeScore("keywords", 0.8), EdgeScore("description", 0.7), EdgeScore("types", 1))
    ours = ToolGraph(
        nodes=("k1", "k2"),
        tools=(GraphTool("k1", "a"), GraphTool("k2", "b")),
        edges=(
            ToolEdge(source="k1", target="k2", output="/p", input="x", scores=scores),
            ToolEdge(source="k1", target="k2", output="/q", input="x", edited=True, confidence=0),
        ),
    )
    link = {"from": "a", "to": "b"}
    told = {"output": "/p", "input": "x", "name": 0.9, "keywords": 0.8, "description": 0.7, "types": True}
    published = {"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b"}]}
    path = tmp_path / "graph.json"
    for graph, edge in ((write(ours), link | told), (json.dumps(published).encode(), link | dict.fromkeys(told))):
        path.write_bytes(graph)
        done = CliRunner().invoke(main, ["graph", "show", str(path), "--json", "--edges"])

        found = json.loads(done.stdout)
        assert found["edge_list"] == [edge]
        assert found.keys() - {"edge_list", "most_reached", "as_published"} == found["as_published"].keys()


NODES: list[Any] = [{"id": "a", "parameters": []}, {"id": "b", "parameters": []}]


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        ({"nodes": NODES, "links": [{"source": "a", "target": "c"}]}, r"links\[0\]: the target 'c' is no node"),
        ({"nodes": NODES, "links": [{"source": "a", "target": "a"}]}, "to itself"),
        ({"nodes": NODES, "links": [5]}, r"links\[0\]"),
        ({"nodes": [*NODES, NODES[0]], "links": []}, "two nodes are called 'a'"),
        ({"nodes": [{"desc": "?"}], "links": []}, r"nodes\[0\]: no name"),
        ({"nodes": 5}, "no tool graph"),
        ([1], "no tool graph"),
    ],
)
def test_faulty_graphs_are_refused(graph: object, said: str, tmp_path: Path) -> None:
    """One error with file and place."""
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(graph), encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        graph_statistics(path)
