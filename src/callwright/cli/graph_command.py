"""`callwright graph`: tool graphs, looked at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from callwright.cli import printable
from callwright.cli.results import print_json

if TYPE_CHECKING:
    from callwright.graph.statistics import GraphStatistics


@click.group("graph")
def command() -> None:
    """Look at a tool graph: which tools can follow which."""


@command.command("show")
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the statistics as one JSON document.")
def show(graph: Path, *, as_json: bool) -> None:
    """Print the statistics of GRAPH: a graph.json of ours, or one that DICE-BENCH or TaskBench published."""
    from callwright.app.graphs import graph_statistics

    found = graph_statistics(graph)
    if as_json:
        print_json(found)
    else:
        _show(found)


def _show(found: GraphStatistics) -> None:
    def number(value: float | None, layout: str) -> str:
        return "-" if value is None else format(value, layout)

    repeated = f"; {found.duplicate_edges:,} more links repeat one of them" if found.duplicate_edges else ""
    click.echo(f"{found.nodes:,} tools, {found.edges:,} edges{repeated}")
    click.echo(
        f"density {number(found.density, '.4f')}, mean out-degree {number(found.mean_out_degree, '.2f')}; "
        f"{found.sources:,} tools without an edge to them, {found.sinks:,} without one from them"
    )
    reached = ", ".join(f"{printable(one.tool)} {one.edges:,}" for one in found.most_reached)
    click.echo(f"most edges to: {reached or '-'}")
    paths = ", ".join(f"{length} tools: {count:,}" for length, count in found.paths.items())
    click.echo(f"simple paths by length: {paths}")
