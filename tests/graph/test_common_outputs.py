"""Outputs that nearly every tool has join nothing, where that is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from graph_catalogs import TEXT, one_of, tool

from callwright.app.catalogs import write_catalog
from callwright.app.graphs import read_graph
from callwright.cli import main
from callwright.graph.common_outputs import EVERY, PAPER_STOP, common_outputs
from callwright.graph.graph_build import Criteria, build_graph
from callwright.graph.graph_fields import fields_of
from callwright.records.tool import Catalog

STATE = {"type": "string", "description": "How the whole request went, in plain words that people can read."}
THINGS = ("file", "user", "event", "team")
CATALOG = Catalog(
    tools=(
        *(
            tool(
                f"find_{thing}",
                f"GET /{thing}s",
                returns=one_of({"id": TEXT, "outcome_state": STATE, f"{thing}_tag": TEXT}),
            )
            for thing in THINGS
        ),
        tool("get_file", "GET /files/{file_id}", needs={"file_id": TEXT, "outcome_state": STATE}),
    )
)


@pytest.mark.parametrize(("share", "left_out"), [(EVERY, set()), (0.9, set()), (0.7, {"outcome_state"})])
def test_outputs_of_more_than_a_share_of_the_tools_are_common(share: float, left_out: set[str]) -> None:
    """Four of five have the state; `id` is that of another thing in each, and a tag is of one tool alone."""
    fields = fields_of(CATALOG)

    assert {fields.outputs[place].name for place in common_outputs(fields, share)} == left_out


@pytest.mark.parametrize("criteria", ["default", "paper"])
def test_common_outputs_join_nothing(criteria: Criteria) -> None:
    """Such edges are counted under a reason of their own, and all others stay."""
    usual, rare = build_graph(CATALOG, criteria=criteria), build_graph(CATALOG, criteria=criteria, common=0.7)
    gone = {edge.ends for edge in usual.graph.edges} - {edge.ends for edge in rare.graph.edges}

    assert {ends[1] for ends in gone} == ({"/outcome_state"} if criteria == "paper" else set())
    assert {edge.ends for edge in rare.graph.edges} <= {edge.ends for edge in usual.graph.edges}
    assert rare.excluded["common"] == len(gone) == (len(THINGS) if criteria == "paper" else 0)
    assert rare.outputs * rare.inputs == len(rare.graph.edges) + sum(rare.excluded.values())


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A graph of the paper's criteria without common outputs, beside its catalogue."""
    write_catalog(CATALOG, tmp_path / "tools.json")
    command = ["graph", "build", str(tmp_path / "tools.json"), "-o", str(tmp_path / "graph.json"), "--common", "0.7"]
    assert CliRunner().invoke(main, [*command, "--criteria", "paper"]).exit_code == 0
    return tmp_path / "graph.json"


def test_the_graph_knows_its_share(graph: Path) -> None:
    """So that an explanation gives the reason."""
    command = ["graph", "show", str(graph), "--explain", "find_user", "get_file", "--json"]
    told: dict[str, Any] = json.loads(CliRunner().invoke(main, command).stdout)

    why = {(pair["output"], pair["input"]): pair["why"] for pair in told["pairs"]}
    assert why["/outcome_state", "outcome_state"] == "too many tools have the output"


@pytest.mark.parametrize("criteria", ["default", "paper"])
def test_fields_of_the_stop_list_join_nothing(criteria: Criteria) -> None:
    """Outputs and inputs by name, however it is written; the pairs are counted."""
    usual = build_graph(CATALOG, criteria=criteria)
    less = build_graph(CATALOG, criteria=criteria, stop=["outcomeState"])
    gone = {edge.ends for edge in usual.graph.edges} - {edge.ends for edge in less.graph.edges}

    assert len(gone) == less.excluded["stopped"] == (len(THINGS) if criteria == "paper" else 0)
    assert less.made.stop == ("outcomeState",)
    assert usual.made.stop is msgspec.UNSET


@pytest.mark.parametrize(("given", "names"), [("paper", PAPER_STOP), ("outcome_state, tag", ("outcome_state", "tag"))])
def test_the_stop_list_is_an_option(given: str, names: tuple[str, ...], tmp_path: Path) -> None:
    """The paper's or one's own; the graph keeps it, and explanations tell of it."""
    write_catalog(CATALOG, tmp_path / "tools.json")
    command = [
        "graph",
        "build",
        str(tmp_path / "tools.json"),
        "-o",
        str(tmp_path / "graph.json"),
        "--criteria",
        "paper",
    ]

    assert CliRunner().invoke(main, [*command, "--stop-fields", given]).exit_code == 0
    assert CliRunner().invoke(main, [*command, "--stop-fields", " , "]).exit_code == 2

    made = read_graph(tmp_path / "graph.json").made
    assert made is not None
    assert made.stop == names
    shown = ["graph", "show", str(tmp_path / "graph.json"), "--explain", "find_user", "get_file"]
    said = CliRunner().invoke(main, shown).output
    assert ("a field has a name of the stop list" in said) == (given != "paper")
