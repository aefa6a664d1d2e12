"""Explaining edges: what the explanation says agrees with the graph, and edges are listed with their evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from graph_catalogs import DRIVE

from callwright.app.catalogs import write_catalog
from callwright.app.graphs import read_graph
from callwright.cli import main
from callwright.formats.graph_file import write
from callwright.graph.graph_build import Criteria, build_graph
from callwright.graph.graph_explain import explain_pairs


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    """A graph of files and users, beside its catalogue."""
    write_catalog(DRIVE, tmp_path / "drive.json")
    made = CliRunner().invoke(
        main, ["graph", "build", str(tmp_path / "drive.json"), "-o", str(tmp_path / "graph.json")]
    )
    assert made.exit_code == 0
    return tmp_path / "graph.json"


def shown(*arguments: str) -> Any:
    """What `graph show --json` prints."""
    done = CliRunner().invoke(main, ["graph", "show", *arguments, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


@pytest.mark.parametrize("criteria", ["default", "paper"])
def test_explanations_agree_with_the_graph(criteria: Criteria) -> None:
    """For every two tools the pairs that are told to be edges are the graph's, and all others have a reason."""
    graph = build_graph(DRIVE, criteria=criteria).graph
    for source in graph.nodes:
        for target in graph.nodes:
            pairs = explain_pairs(DRIVE, (source, target), criteria=criteria)
            edges = {
                (edge.output, edge.input) for edge in graph.edges if (edge.source, edge.target) == (source, target)
            }

            assert {(pair.output, pair.input) for pair in pairs if pair.is_edge} == edges
            assert all(pair.why for pair in pairs)
    assert graph.edges


def test_a_missing_edge_is_explained(drive: Path) -> None:
    """The command says why: here the source needs what it would supply."""
    done = CliRunner().invoke(main, ["graph", "show", str(drive), "--explain", "get_file", "delete_file"])

    assert "get_file -> delete_file: 0 edges" in done.output
    assert "the source needs the value that it would supply" in done.output


def test_an_edge_removed_by_hand_is_explained_as_such(drive: Path) -> None:
    """It is none, and the file says who decided."""
    graph = read_graph(drive)
    edge = graph.edges[0]
    gone = msgspec.structs.replace(edge, edited=True, confidence=0.0)
    drive.write_bytes(write(msgspec.structs.replace(graph, edges=(gone, *graph.edges[1:]))))

    told = shown(str(drive), "--explain", graph.names[edge.source], graph.names[edge.target])

    (pair,) = (pair for pair in told["pairs"] if (pair["output"], pair["input"]) == (edge.output, edge.input))
    assert (pair["is_edge"], pair["why"]) == (False, "removed by hand")
    assert shown(str(drive))["edges"] == len({(one.source, one.target) for one in graph.edges}) - 1


def test_edges_are_listed_with_their_evidence(drive: Path) -> None:
    """By the names of tools, with the three scores and the check of types."""
    listed = shown(str(drive), "--edges")["edge_list"]

    assert len(listed) == 4
    assert set(listed[0]) == {"from", "to", "output", "input", "name", "keywords", "description", "types"}
    assert {(one["from"], one["output"], one["to"], one["input"]) for one in listed} >= {
        ("get_file", "/created_by/id", "get_user", "user_id")
    }


@pytest.fixture
def published(tmp_path: Path) -> str:
    """A graph in DICE-BENCH's layout."""
    path = tmp_path / "published.json"
    links = [{"source": "look_up", "target": "call_home"}]
    path.write_text(json.dumps({"nodes": [{"function": "look_up"}, {"function": "call_home"}], "links": links}))
    return str(path)


def test_of_a_published_graph_its_links_are_known(published: str) -> None:
    """It tells no fields, and the command says so."""
    done = CliRunner().invoke(main, ["graph", "show", published, "--explain", "look_up", "call_home"])

    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [
            "look_up -> call_home: 1 links, as published",
            "The published layout tells no fields, scores or evidence, so nothing more is known.",
        ],
    )
    assert shown(published, "--explain", "call_home", "look_up") == {
        "source": "call_home",
        "target": "look_up",
        "pairs": [],
        "is_complete": False,
        "published_links": 0,
    }


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("look_up", "nowhere"), "published.json: no tool 'nowhere'"),
        (("look_up", "call_home", "--catalog", "builtin/enterprise"), "Leave --catalog out"),
    ],
)
def test_what_a_published_graph_cannot_explain_is_an_error(published: str, given: tuple[str, ...], said: str) -> None:
    """A tool that it does not have, and a catalogue, of which it tells nothing."""
    done = CliRunner().invoke(main, ["graph", "show", published, "--explain", *given])

    assert (done.exit_code, said in done.output) == (2, True)


def test_an_unknown_tool_is_refused(drive: Path) -> None:
    """The message names it."""
    done = CliRunner().invoke(main, ["graph", "show", str(drive), "--explain", "get_file", "no_such"])

    assert done.exit_code == 2
    assert "no tool 'no_such'" in done.output
