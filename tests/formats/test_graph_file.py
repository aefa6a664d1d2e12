"""The file `graph.json`: a tool graph, read and written."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.errors import BadDocument, BadRecord
from callwright.formats.graph_file import GRAPH, read, write
from callwright.records.tool_graph import EdgeScore, GraphTool, ToolEdge, ToolGraph

EDGE = ToolEdge(
    source="a",
    target="b",
    output="/items/0/id",
    input="item_id",
    scores=(EdgeScore("lcs", 0.9), EdgeScore("cosine", 0.8)),
    evidence='"edges":[] both hold the id of an item',
    edited=True,
    inferred=True,
    confidence=0.5,
)
GRAPH_OF_TWO = ToolGraph(catalog="0123456789abcdef", nodes=("a", "b"), edges=(EDGE,))

_words = st.text(st.characters(codec="utf-8"), max_size=8)
_numbers = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def graphs(draw: st.DrawFn) -> ToolGraph:
    """Return a graph without faults."""
    nodes = draw(st.lists(_words, min_size=2, max_size=5, unique=True))
    edges = st.builds(
        ToolEdge,
        source=st.sampled_from(nodes),
        target=st.sampled_from(nodes),
        output=_words,
        input=_words,
        scores=st.lists(st.builds(EdgeScore, _words, _numbers), max_size=3).map(tuple),
        evidence=_words,
        edited=st.booleans(),
        inferred=st.booleans(),
        confidence=st.none() | st.floats(0, 1),
    ).filter(lambda edge: edge.source != edge.target)
    return ToolGraph(
        catalog=draw(_words),
        nodes=tuple(nodes),
        edges=tuple(draw(st.lists(edges, max_size=5, unique_by=lambda edge: edge.ends))),
    )


@given(graphs())
def test_round_trip_is_exact(graph: ToolGraph) -> None:
    """A graph is read back equal, and the same bytes are written again."""
    data = write(graph)

    assert read(data, source=GRAPH) == graph
    assert write(read(data, source=GRAPH)) == data


def test_each_edge_has_a_line() -> None:
    """A graph of two edges has them on the second and third line, also where a text looks like the empty list."""
    back = ToolEdge(source="b", target="a")
    lines = write(msgspec.structs.replace(GRAPH_OF_TWO, edges=(EDGE, back))).splitlines()

    assert lines[1].endswith(b"},")
    assert lines[2] == b'{"source":"b","target":"a"}'
    assert len(lines) == 4


def test_a_file_formatted_by_an_editor_is_read() -> None:
    """Spaces and line ends between the fields change nothing."""
    assert read(msgspec.json.format(write(GRAPH_OF_TWO), indent=4), source=GRAPH) == GRAPH_OF_TWO


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"nodes": ("b", "c")}, r"^g\.json: edges\[0\] has the source 'a', which is no node\. Correct"),
        ({"nodes": ("a", "c")}, r"edges\[0\] has the target 'b', which is no node"),
        (
            {"tools": (GraphTool("a", "go"), GraphTool("b", "stop")), "edges": (ToolEdge(source="go", target="b"),)},
            r"edges\[0\] has the source 'go', which is no node \(the key of that tool is 'a'\)",
        ),
        ({"edges": (ToolEdge(source="a", target="a"),)}, r"edges\[0\] leads from 'a' to itself"),
        ({"edges": (EDGE, msgspec.structs.replace(EDGE, evidence="other"))}, r"edges\[1\] repeats edges\[0\]"),
        ({"nodes": ("a", "b", "a")}, r"nodes\[2\] repeats 'a'"),
        ({"edges": (msgspec.structs.replace(EDGE, confidence=1.5),)}, r"confidence 1\.5, which is not from 0 to 1"),
        ({"edges": (ToolEdge(source="c", target="c"),) * 3}, r"; 8 more\. Correct"),
    ],
    ids=["source", "target", "name", "loop", "edge twice", "node twice", "confidence", "many"],
)
def test_faulty_graphs_are_refused(change: dict[str, Any], message: str) -> None:
    """Each fault is one error that says where, in reading and in writing."""
    graph = msgspec.structs.replace(GRAPH_OF_TWO, **change)

    with pytest.raises(BadRecord, match=message):
        read(msgspec.json.encode(graph), source="g.json")
    with pytest.raises(BadRecord, match=message.replace(r"^g\.json", r"^graph\.json")):
        write(graph)


def test_edges_of_other_fields_are_no_duplicates() -> None:
    """Two tools may be joined by several pairs of fields, and in both directions."""
    edges = (EDGE, ToolEdge(source="a", target="b"), ToolEdge(source="b", target="a"))
    graph = msgspec.structs.replace(GRAPH_OF_TWO, edges=edges)

    assert read(write(graph), source=GRAPH) == graph


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        (b'"schema_version":2', b'"schema_version":1', "schema_version is 1"),
        (b'"evidence"', b'"evidense"', "evidense"),
        (b'"edges"', b'"edges', "malformed"),
        (b"0.9", b'"high"', "float"),
    ],
)
def test_damaged_files_are_refused(before: bytes, after: bytes, message: str) -> None:
    """Another version, a misspelt field, cut JSON and a wrong type are errors that name the file."""
    data = write(GRAPH_OF_TWO)
    assert before in data

    with pytest.raises(BadRecord, match=rf"^g\.json: .*{message}"):
        read(data.replace(before, after), source="g.json")


@pytest.mark.parametrize("data", [b"5", b"{}", b'{"nodes":[],"links":[]}'])
def test_other_json_is_no_graph_with_fields(data: bytes) -> None:
    """A published graph is none either; the error says how to make one."""
    with pytest.raises(BadDocument, match=r"^g\.json: holds no tool graph with fields.*callwright graph build"):
        read(data, source="g.json")
