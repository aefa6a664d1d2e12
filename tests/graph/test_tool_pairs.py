"""The edges of a graph that a dialogue can use."""

from __future__ import annotations

from graph_catalogs import listed, tool

from callwright.app.catalogs import read_catalog
from callwright.environment.returns import with_returns
from callwright.environment.told_outputs import outputs
from callwright.graph.graph_build import build_graph
from callwright.graph.tool_pairs import ToolPair, shared, usable_pairs
from callwright.records.tool_graph import ToolGraph


def test_removed_edges_are_not_used() -> None:
    """An edge that somebody removed by hand gives no pair, and a graph without edges gives none."""
    catalog = with_returns(read_catalog("builtin/enterprise"))
    graph = build_graph(catalog).graph
    empty = ToolGraph(nodes=graph.nodes, tools=graph.tools)

    assert usable_pairs(catalog, graph)
    assert usable_pairs(catalog, empty) == ()


def test_one_thing_under_two_names_is_shared() -> None:
    """`contact_id` and the `id` in the path of the contact's companies are one value; the company's `id` is not."""
    list_ = tool(
        "list_companies",
        "GET /contacts/{id}/companies",
        needs={"id": {"type": "string", "description": "ID of the contact."}},
        returns=listed({"company_id": {"type": "string"}}),
    )
    code = {"type": "string"}
    detach = tool("detach_contact", needs={"contact_id": code, "company_id": code})
    output = next(one for one in outputs(list_) if one.name == "company_id")

    assert shared(ToolPair(detach, list_, output, "company_id")) == {"contact_id": "id"}
