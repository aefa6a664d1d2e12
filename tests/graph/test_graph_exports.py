"""Tool graphs as GraphML, DOT and CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from callwright.cli import main
from callwright.formats.graph_file import write
from callwright.graph.graph_texts import as_csv, dot, graphml
from callwright.records.tool_graph import EdgeScore, ToolEdge, ToolGraph

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(
    ["=1+1", "+1", "-1", "@a", "'=1", '"', "\\", "a,b", "]]>", "<&", "\r\n", "\x1b[31m"]
)
numbers = st.floats(allow_nan=False, allow_infinity=False)
SCORES = ("name", "keywords", "description", "types")


@st.composite
def graphs(draw: st.DrawFn) -> ToolGraph:
    """Return a graph of tools with any names and fields."""
    nodes = draw(st.lists(texts.filter(bool), min_size=2, max_size=5, unique_by=clean))
    edges = st.builds(
        ToolEdge,
        source=st.sampled_from(nodes),
        target=st.sampled_from(nodes),
        output=texts,
        input=texts,
        scores=st.lists(numbers, max_size=4).map(
            lambda values: tuple(EdgeScore(name, value) for name, value in zip(SCORES, values, strict=False))
        ),
        evidence=texts,
        inferred=st.booleans(),
        edited=st.booleans(),
        confidence=st.none() | st.floats(0, 1),
    )
    return ToolGraph(nodes=tuple(nodes), edges=tuple(draw(st.lists(edges, max_size=5))))


def clean(text: str) -> str:
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def told(edge: ToolEdge) -> dict[str, Any]:
    """All that an edge tells, by the names of columns and keys."""
    found = {"source": clean(edge.source), "target": clean(edge.target), "confidence": edge.confidence}
    found |= {key: clean(getattr(edge, key)) for key in ("output", "input", "evidence")}
    found |= {key: "true" if getattr(edge, key) else "" for key in ("inferred", "edited")}
    found |= {f"score_{score.name}": score.value for score in edge.scores}
    return {key: value for key, value in found.items() if value not in ("", None)}


def read(key: str, text: str) -> Any:
    return float(text) if key == "confidence" or key.startswith("score_") else text


@given(graphs())
def test_graphml_comes_back(graph: ToolGraph) -> None:
    """Any text gives XML that a parser reads, with all that edges tell; control characters are replaced."""
    root = ElementTree.fromstring(graphml(graph))
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    known = {(key.get("for"), key.get("id")) for key in root.iterfind("g:key", space)}
    said = {node.get("id"): node.findtext("g:data", namespaces=space) for node in root.iterfind(".//g:node", space)}
    found = []
    for edge in root.iterfind(".//g:edge", space):
        data = {str(one.get("key")): one.text or "" for one in edge.iterfind("g:data", space)}
        assert {("edge", key) for key in data} <= known
        ends = {end: said[edge.get(end)] for end in ("source", "target")}
        found.append(ends | {key: read(key, text) for key, text in data.items()})

    assert list(said.values()) == [clean(node) for node in graph.nodes]
    assert found == [told(edge) for edge in graph.edges]


@given(graphs())
def test_csv_comes_back(graph: ToolGraph) -> None:
    """Read by the standard reader, without the apostrophe before formulas: each edge, and the tools without one."""
    rows = list(csv.DictReader(io.StringIO(as_csv(graph), newline="")))
    found = [
        {key: read(key, text.removeprefix("'")) for key, text in row.items() if text} for row in rows if row["target"]
    ]
    linked = {end for edge in graph.edges for end in (edge.source, edge.target)}

    assert found == [told(edge) for edge in graph.edges]
    assert [row["source"].removeprefix("'") for row in rows if not row["target"]] == [
        clean(node) for node in graph.nodes if node not in linked
    ]


@given(graphs())
def test_no_cell_is_a_formula(graph: ToolGraph) -> None:
    """Only numbers begin with a sign."""
    head, *rows = csv.reader(io.StringIO(as_csv(graph), newline=""))

    assert rows
    for row in rows:
        for key, text in zip(head, row, strict=True):
            assert not text.startswith(("=", "+", "-", "@")) or isinstance(read(key, text), float)


@given(graphs())
def test_dot_quotes_every_text(graph: ToolGraph) -> None:
    """A line for each tool and edge, nothing outside the quotes but arrows and the names of attributes."""
    first, *lines, last, end = dot(graph).split("\n")
    quoted = r'"(?:[^"\\]|\\.)*"'
    named = rf"[a-z_]+={quoted}"

    assert (first, last, end) == ("digraph tools {", "}", "")
    assert len(lines) == len(graph.nodes) + len(graph.edges)
    assert all(re.fullmatch(rf"  {quoted}(?: -> {quoted}(?: \[{named}(?:, {named})*\])?)?;", line) for line in lines)


EDGE = ToolEdge(
    source="a",
    target='b"<&',
    output="/id",
    input="x",
    confidence=0.9,
    evidence="=both",
    scores=(EdgeScore("name", 1.0), EdgeScore("types", 1.0)),
    inferred=True,
)


@pytest.fixture
def export(tmp_path: Path) -> Any:
    """Export a graph by command."""

    def run(graph: ToolGraph | dict[str, Any], layout: str) -> str:
        path = tmp_path / "graph.json"
        path.write_bytes(write(graph) if isinstance(graph, ToolGraph) else json.dumps(graph).encode())
        return CliRunner().invoke(main, ["graph", "export", str(path), "--as", layout]).stdout

    return run


def test_edges_keep_fields_and_evidence(export: Any) -> None:
    """Every pair of fields has its line; an edge that somebody removed has none."""
    removed = ToolEdge(source="a", target="c", edited=True, confidence=0)
    ours = ToolGraph(nodes=("a", 'b"<&', "c"), edges=(EDGE, removed))

    assert export(ours, "csv").splitlines() == [
        ",".join(
            ("source,target,output,input,confidence,inferred,edited,evidence", *(f"score_{name}" for name in SCORES))
        ),
        """a,"b""<&",/id,x,0.9,true,,'=both,1.0,,,1.0""",
        "c,,,,,,,,,,,",
    ]
    assert export(ours, "dot").splitlines()[4] == (
        r'  "a" -> "b\"<&" [label="/id -> x", output="/id", input="x", confidence="0.9", inferred="true", '
        'evidence="=both", score_name="1.0", score_types="1.0"];'
    )


PUBLISHED = {"nodes": [{"id": "a"}, {"id": 'b"<&'}, {"id": "c"}], "links": [{"source": "a", "target": 'b"<&'}] * 2}


def test_a_published_graph_tells_tools_only(export: Any) -> None:
    """Its links have no fields, and one that is repeated is one edge."""
    assert export(PUBLISHED, "dot").splitlines()[4:] == ['  "a" -> "b\\"<&";', "}"]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """The command writes to a new file only."""
    graph, out = tmp_path / "graph.json", tmp_path / "g.dot"
    graph.write_bytes(write(ToolGraph(nodes=("a", 'b"<&'), edges=(EDGE,))))
    command = ["graph", "export", str(graph), "--as", "dot", "-o", str(out)]

    assert CliRunner().invoke(main, command).exit_code == 0
    assert out.read_text(encoding="utf-8").startswith("digraph tools {")
    assert CliRunner().invoke(main, command).exit_code == 2
