"""The published tool graph beside the catalogue."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from test_published_rounds import small

import callwright
from callwright.app.graphs import read_graph
from callwright.errors import BadInput
from callwright.papers.dice.published_links import CONTEXTUAL


def test_the_published_graph_is_read(shared_data: Path, tmp_path: Path) -> None:
    """269 unique links, 203 of them without equal names; all 18 consecutive pairs of calls are edges."""
    callwright.read_corpus("dice", shared_data / "dice", out=tmp_path / "ds")
    graph, dataset = read_graph(tmp_path / "ds/graph.json"), callwright.open_dataset(tmp_path / "ds")
    names = graph.names
    edges = {(names[edge.source], names[edge.target]) for edge in graph.edges}
    pairs = [pair for one in dataset.dialogues for pair in pairwise(task.gold[0].tool for task in one.tasks)]

    assert (len(graph.nodes), len(graph.edges), len(edges)) == (124, 269, 269)
    assert Counter(edge.evidence == CONTEXTUAL for edge in graph.edges) == {True: 203, False: 66}
    assert all((edge.input == "") == (edge.evidence == CONTEXTUAL) for edge in graph.edges)
    assert len(pairs) == 18
    assert set(pairs) <= edges


def test_chats_are_made_over_the_published_graph(shared_data: Path, tmp_path: Path) -> None:
    """All kept chats follow its links."""
    folder = shared_data / "dice"
    result = callwright.synthesize(
        "dice", folder / "tool_docs.json", n=24, seed=1, out=tmp_path / "ds", graph=str(folder / "tool_graph.json")
    )
    links = json.loads((folder / "tool_graph.json").read_text("utf-8"))["links"]
    edges = {(link["source"], link["target"]) for link in links}
    chats = callwright.open_dataset(tmp_path / "ds").dialogues
    pairs = {pair for one in chats for pair in pairwise(task.gold[0].tool for task in one.tasks)}

    assert result.kept >= 22
    assert pairs
    assert pairs <= edges


def test_a_graph_of_other_tools_is_refused(tmp_path: Path) -> None:
    """Its node has no document."""
    source = small(tmp_path / "in")
    (source / "tool_graph.json").write_text(json.dumps({"nodes": [{"function": "fly"}], "links": []}))

    with pytest.raises(BadInput, match="'fly', which no document describes"):
        callwright.read_corpus("dice", source, out=tmp_path / "ds")
