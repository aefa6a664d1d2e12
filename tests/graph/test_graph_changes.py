"""The differences of two tool graphs, by pair of fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from callwright.cli import main
from callwright.formats.graph_file import write
from callwright.graph.graph_changes import changes
from callwright.records.tool_graph import ToolEdge, ToolGraph

NODES = ("a", "b", "c")
SURE = ToolEdge(source="a", target="b", output="/id", input="x", confidence=0.9)
OTHER = ToolEdge(source="a", target="b", output="/name", input="x", confidence=0.6)


def graph(*edges: ToolEdge) -> ToolGraph:
    return ToolGraph(nodes=NODES, edges=edges)


def place(edge: Any) -> tuple[Any, ...]:
    return edge.source, edge.output, edge.target, edge.input


edges = st.lists(
    st.builds(
        ToolEdge,
        source=st.just("a"),
        target=st.sampled_from("bc"),
        output=st.sampled_from(["/p", "/q"]),
        input=st.sampled_from("xy"),
        confidence=st.sampled_from([None, 0.0, 0.5, 1.0]),
        edited=st.booleans(),
    ),
    unique_by=lambda edge: edge.ends,
)


@given(edges, edges)
def test_what_is_told_leads_from_one_graph_to_the_other(old: list[ToolEdge], new: list[ToolEdge]) -> None:
    """Without what was removed, with what was added and changed, the old edges are the new ones."""
    found = changes(graph(*old), graph(*new))

    told = {edge.ends: (edge.confidence, edge.edited) for edge in old}
    for gone in found.edges_removed:
        del told[place(gone)]
    for changed in found.edges_changed:
        assert told[place(changed)] == (changed.before.confidence, changed.before.edited)
        told[place(changed)] = changed.after.confidence, changed.after.edited
    added = {place(edge) for edge in found.edges_added}
    assert not added & told.keys()
    known = {edge.ends: (edge.confidence, edge.edited) for edge in new}
    assert known == told | {ends: known[ends] for ends in added}


@pytest.fixture
def compare(tmp_path: Path) -> Any:
    """Compare two files; text, or JSON."""

    def run(old: Any, new: Any, *options: str) -> str:
        paths = [tmp_path / "old.json", tmp_path / "new.json"]
        for path, one in zip(paths, (old, new), strict=True):
            path.write_bytes(write(one) if isinstance(one, ToolGraph) else json.dumps(one).encode())
        done = CliRunner().invoke(main, ["graph", "diff", *map(str, paths), *options])
        assert done.exit_code == 0, done.output
        return done.stdout

    return run


def test_one_of_several_pairs_of_fields_shows(compare: Any) -> None:
    """A pair that is gone, one whose confidence differs and one edited by hand have a line each, and one in JSON."""
    edited = ToolEdge(source="a", target="b", output="/id", input="x", confidence=0.8, edited=True)
    removed = ToolEdge(source="a", target="b", output="/name", input="x", confidence=0, edited=True)
    old, new = graph(SURE, OTHER), graph(edited, removed)

    assert compare(old, new).splitlines() == [
        "- a /name -> b x",
        "~ a /id -> b x: confidence 0.9 -> confidence 0.8, edited",
    ]
    assert json.loads(compare(old, new, "--json")) == {
        "nodes_added": [],
        "nodes_removed": [],
        "edges_added": [],
        "edges_removed": [{"from": "a", "to": "b", "output": "/name", "input": "x"}],
        "edges_changed": [
            {
                "from": "a",
                "to": "b",
                "output": "/id",
                "input": "x",
                "before": {"confidence": 0.9, "edited": False},
                "after": {"confidence": 0.8, "edited": True},
            }
        ],
    }
    assert compare(old, old) == ""


PUBLISHED = {
    "nodes": [{"id": "a"}, {"id": "b"}, {"id": 'd"<&'}],
    "links": [{"source": "a", "target": "b"}, {"source": "a", "target": 'd"<&'}],
}


def test_a_published_graph_is_compared_by_tools(compare: Any) -> None:
    """It tells no fields, so that the edges of ours count by their tools too."""
    assert compare(PUBLISHED, graph(SURE, OTHER)).splitlines() == ['- d"<&', '- a -> d"<&', "+ c"]


def test_a_graph_without_edges_is_compared_by_fields(compare: Any) -> None:
    """Each pair of fields is new."""
    assert compare(graph(), graph(SURE, OTHER)).splitlines() == ["+ a /id -> b x", "+ a /name -> b x"]
