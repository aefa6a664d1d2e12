"""Tool graphs as GraphML, DOT and CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import permutations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import assume, given
from hypothesis import strategies as st

from callwright.cli import main
from callwright.graph.graph_texts import as_csv, dot, graphml

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
graphs = st.lists(names, min_size=2, max_size=5, unique=True).flatmap(
    lambda nodes: st.tuples(st.just(nodes), st.lists(st.sampled_from(list(permutations(nodes, 2))), max_size=8))
)
ONE = {"nodes": [{"id": "a"}, {"id": 'b"<&'}, {"id": "c"}], "links": [{"source": "a", "target": 'b"<&'}] * 2}


def clean(name: str) -> str:
    return "".join(char if char.isprintable() else "\ufffd" for char in name)


@given(graphs)
def test_graphml_has_every_node_and_edge(graph: tuple[list[str], list[tuple[str, str]]]) -> None:
    """Any name gives XML that a parser reads; names without control characters come back."""
    nodes, links = graph
    root = ElementTree.fromstring(graphml(nodes, links))
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    said = {node.get("id"): node.findtext("g:data", namespaces=space) for node in root.iterfind(".//g:node", space)}
    edges = [(edge.get("source"), edge.get("target")) for edge in root.iterfind(".//g:edge", space)]

    assert len(said) == len(nodes)
    assert len(edges) == len(set(links))
    if all(name.isprintable() for name in nodes):
        assert [(said[one], said[other]) for one, other in edges] == list(dict.fromkeys(links))


@given(graphs)
def test_csv_comes_back(graph: tuple[list[str], list[tuple[str, str]]]) -> None:
    """Read by the standard reader: each edge once, and the tools without one; control characters are replaced."""
    nodes, links = ([clean(node) for node in graph[0]], [(clean(one), clean(other)) for one, other in graph[1]])
    assume(len(set(nodes)) == len(nodes))
    head, *rows = csv.reader(io.StringIO(as_csv(*graph), newline=""))

    assert head == ["source", "target"]
    assert [tuple(row) for row in rows if row[1]] == list(dict.fromkeys(links))
    assert {row[0] for row in rows if not row[1]} == set(nodes) - {end for link in links for end in link}


@given(graphs)
def test_dot_quotes_every_name(graph: tuple[list[str], list[tuple[str, str]]]) -> None:
    """A line for each tool and edge, nothing outside the quotes but arrows."""
    nodes, links = graph
    first, *lines, last, end = dot(nodes, links).split("\n")

    assert (first, last, end) == ("digraph tools {", "}", "")
    assert len(lines) == len(nodes) + len(set(links))
    assert all(re.fullmatch(r'  "(?:[^"\\]|\\.)*"(?: -> "(?:[^"\\]|\\.)*")?;', line) for line in lines)


@pytest.fixture
def published(tmp_path: Path) -> str:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(ONE), encoding="utf-8")
    return str(path)


def test_the_command(published: str, tmp_path: Path) -> None:
    """Export to a new file only."""
    out = str(tmp_path / "g.dot")
    assert CliRunner().invoke(main, ["graph", "export", published, "--as", "dot", "-o", out]).exit_code == 0
    assert '"a" -> "b\\"<&";' in Path(out).read_text(encoding="utf-8")
    assert CliRunner().invoke(main, ["graph", "export", published, "--as", "csv", "-o", out]).exit_code == 2
    assert CliRunner().invoke(main, ["graph", "export", published, "--as", "csv"]).stdout.startswith("source,target\n")
